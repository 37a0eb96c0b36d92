import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** Looks up the names of the cohorts of a breakdown. */
@Injectable()
export class CohortNames {
  constructor(private readonly postgres: Postgres) {}

  async of(project: ProjectContext, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.postgres.query<{ id: number; name: string }>(
      pgSql`SELECT id, name FROM cohorts WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(ids)}::integer[])`,
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
