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
  /** The index of the type of the groups that are its members; null: its members are persons. */
  readonly groupType: number | null;
  readonly createdAt: Date;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly version: number | null;
  readonly is_static: boolean;
  readonly group_type_index: number | null;
  readonly created_at: Date;
}

/** All live cohorts of a project, of which there are at most 10,000. */
@Injectable()
export class LiveCohorts {
  constructor(private readonly postgres: Postgres) {}

  async of(project: ProjectContext): Promise<readonly LiveCohort[]> {
    const { rows } = await this.postgres.query<Row>(pgSql`
      SELECT id, name, version, is_static, group_type_index, created_at FROM cohorts
      WHERE project_id = ${bound(project.id)} AND NOT deleted ORDER BY id`);
    return rows.map(
      ({ id, name, version, is_static: isStatic, group_type_index: groupType, created_at: createdAt }) => ({
        id,
        name: name ?? '',
        version,
        isStatic,
        groupType,
        createdAt,
      }),
    );
  }
}
