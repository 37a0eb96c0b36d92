import { Injectable } from '@nestjs/common';
import { notFound } from '../common/errors/problem.js';
import { type ProjectContext } from '../common/project-context.js';
import { Postgres } from '../stores/postgres/postgres.js';
import { type ProjectQuotasDto, toProjectQuotasDto } from './quota.dto.js';
import { usageSql, type UsageRow, usagesSql } from './usage.sql.js';

@Injectable()
export class QuotasService {
  constructor(private readonly postgres: Postgres) {}

  async get({ id }: ProjectContext, now: Date): Promise<ProjectQuotasDto> {
    const { rows } = await this.postgres.query<UsageRow & object>(usageSql(id, now));
    if (!rows[0]) throw notFound();
    return toProjectQuotasDto(rows[0], now);
  }

  /** Of the first projects that have a quota. */
  async all(most: number, now: Date): Promise<readonly UsageRow[]> {
    return (await this.postgres.query<UsageRow & object>(usagesSql(most, now))).rows;
  }
}
