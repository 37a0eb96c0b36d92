import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type ProjectQuotasDto, toProjectQuotasDto } from './quota.dto.js';
import { type PgSql } from '../../platform/postgres/sql.js';
import { type UsedRow, countsSql, projectsWithQuotaSql, usageSql, type UsageRow } from './usage.sql.js';

@Injectable()
export class QuotasService {
  constructor(private readonly postgres: Postgres) {}

  async get({ id }: ProjectContext, now: Date): Promise<ProjectQuotasDto> {
    const { rows } = await this.postgres.query<UsageRow & object>(usageSql(id, now));
    if (!rows[0]) throw notFound();
    return toProjectQuotasDto(rows[0], now);
  }

  /** Returns the use of the first `most` projects that have a quota. */
  async all(most: number, now: Date): Promise<readonly UsageRow[]> {
    const { rows: projects } = await this.postgres.query<Pick<UsageRow, 'id' | 'quotas'> & object>(
      projectsWithQuotaSql(most),
    );
    const ids = projects.map(({ id }) => id);
    const sql = countsSql(ids, now);
    const [events, cohorts, members] = await Promise.all([
      this.counts(sql.events_per_day),
      this.counts(sql.cohorts),
      this.counts(sql.members),
    ]);
    return projects.map(({ id, quotas }) => ({
      id,
      quotas,
      used: {
        events_per_day: events.get(id) ?? 0,
        cohorts: cohorts.get(id) ?? 0,
        members: members.get(id) ?? 0,
      },
    }));
  }

  private async counts(statement: PgSql): Promise<ReadonlyMap<number, number>> {
    const { rows } = await this.postgres.query<UsedRow & object>(statement);
    return new Map(rows.map(({ id, number }) => [id, Number(number)]));
  }
}
