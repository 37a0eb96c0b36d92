import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type AskedAsNode } from './node-of-question.js';

/** Finds the insights that nodes name. */
@Injectable()
export class InsightLookup {
  constructor(private readonly postgres: Postgres) {}

  /** Null if the project has no such insight. */
  async find(project: ProjectContext, id: number): Promise<AskedAsNode | null> {
    const { rows } = await this.postgres.query<AskedAsNode>(
      pgSql`SELECT type, params, query FROM insights WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
    );
    return rows[0] ?? null;
  }
}
