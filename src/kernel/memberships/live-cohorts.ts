import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** A cohort that is not deleted. */
export interface LiveCohort {
  readonly id: number;
  readonly name: string;
  /** The current version of the cohort's members; null before the first version. */
  readonly version: number | null;
  readonly isStatic: boolean;
  readonly createdAt: Date;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly version: number | null;
  readonly is_static: boolean;
  readonly created_at: Date;
}

/** All live cohorts of a project, of which there are at most 10,000. */
@Injectable()
export class LiveCohorts {
  constructor(private readonly postgres: Postgres) {}

  async of(project: ProjectContext): Promise<readonly LiveCohort[]> {
    const { rows } = await this.postgres.query<Row>(pgSql`
      SELECT id, name, version, is_static, created_at FROM cohorts
      WHERE project_id = ${bound(project.id)} AND NOT deleted ORDER BY id`);
    return rows.map(({ id, name, version, is_static: isStatic, created_at: createdAt }) => ({
      id,
      name: name ?? '',
      version,
      isStatic,
      createdAt,
    }));
  }
}
