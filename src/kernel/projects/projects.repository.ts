import { type ProjectContext } from '../access/project-context.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Project } from './project.entity.js';

/** The columns of a project of which its context is made. */
export type ProjectRow = Stored<
  Pick<
    Project,
    | 'id'
    | 'timezone'
    | 'weekStartDay'
    | 'personDisplayNameProperties'
    | 'testAccountFilters'
    | 'pathCleaningFilters'
    | 'auditReads'
  >
>;

export const toProjectContext = (row: ProjectRow): ProjectContext => ({
  id: row.id,
  timezone: row.timezone,
  weekStartDay: row.week_start_day,
  personDisplayNameProperties: row.person_display_name_properties,
  testAccountFilters: row.test_account_filters,
  pathCleaningFilters: row.path_cleaning_filters,
  auditReads: row.audit_reads,
});

/** Returns the project as requests see it; null when it does not exist. */
export const findProject = async (postgres: Queryable, projectId: number): Promise<ProjectContext | null> => {
  const { rows } = await postgres.query<ProjectRow>(
    pgSql`SELECT id, timezone, week_start_day, person_display_name_properties, test_account_filters, path_cleaning_filters,
       audit_reads
     FROM projects WHERE id = ${bound(projectId)} AND deleted_at IS NULL`,
  );
  return rows[0] ? toProjectContext(rows[0]) : null;
};
