import { type ProjectContext } from '../access/project-context.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Project } from './project.entity.js';
import { type ClientBase } from 'pg';
import { type Problem, conflict, notFound } from '../../platform/errors/problem.js';
import { topology } from '../../platform/postgres/topology.js';
import { type QuotaName, type Quotas, noQuotas } from './quotas.js';

/** The columns of a project from which its context is made. */
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

/** The row that writers of a project read and lock, to learn of its deletion and of its quota of events. */
const rowOf = (projectId: number): PgSql => {
  const { table, projectId: id } = topology().gate;
  return pgSql`${table} p WHERE ${id} = ${bound(projectId)}`;
};

const id = (): PgSql => topology().gate.projectId;

/**
 * The id of a project as a value in a statement. Once the project is deleted the value is null, so a column that is NOT NULL
 * refuses it and the whole transaction fails (`isOfDeletedProject`). The row stays locked until the transaction ends. A
 * deletion waits for this lock before it removes anything; writers do not wait for each other. Other modules know the table
 * only through this file.
 */
export const existingProject = (projectId: number): PgSql =>
  pgSql`(SELECT ${id()} FROM ${rowOf(projectId)} AND p.deleted_at IS NULL FOR KEY SHARE)`;

/**
 * Like `existingProject`, for events that are not compared with a quota: null also once the project has a quota of events.
 * Setting a quota waits for this lock, so it takes into account every transaction that did not see the quota.
 */
export const projectWithoutEventQuota = (projectId: number): PgSql =>
  pgSql`(SELECT ${id()} FROM ${rowOf(projectId)}
    AND p.deleted_at IS NULL AND p.quota_events_per_day IS NULL FOR KEY SHARE)`;

/**
 * Returns the quota of events of a project, which cannot change until the transaction ends; null when the project has none or
 * is deleted. Writers do not wait for each other here.
 */
export const readEventQuota = async (client: ClientBase, projectId: number): Promise<number | null> => {
  const { rows } = await client.query<{ quota: number | null }>(
    pgSql`SELECT p.quota_events_per_day AS quota FROM ${rowOf(projectId)} AND p.deleted_at IS NULL FOR KEY SHARE`.named(
      'event-quota',
    ),
  );
  return rows[0]?.quota ?? null;
};

/** Makes transactions that call it for the same project wait for each other, from here until they end. */
export const lockProject = async (client: ClientBase, projectId: number): Promise<void> => {
  const { rowCount } = await client.query(
    pgSql`SELECT 1 FROM ${rowOf(projectId)} AND p.deleted_at IS NULL FOR NO KEY UPDATE`,
  );
  if (rowCount === 0) throw notFound();
};

/**
 * Waits until all transactions that write events or persons of the project have ended, and makes later ones wait for this
 * transaction.
 */
export const waitForWritersOf = async (client: ClientBase, projectId: number): Promise<void> => {
  await client.query(pgSql`SELECT 1 FROM ${rowOf(projectId)} FOR UPDATE`);
};

/** Call it in every transaction that makes a project, deletes it, or changes its quota of events. */
export const upsertGate = (client: ClientBase, projectId: number): Promise<void> =>
  topology().upsertGate(client, projectId);

/** The quotas of the row `p` of `projects`, as one object. */
export const quotasColumn: PgSql = pgSql`json_build_object('events_per_day', p.quota_events_per_day,
  'cohorts', p.quota_cohorts, 'members', p.quota_members)`;

/** Call it after `lockProject` where the quotas must not change before the transaction ends. */
export const quotasOf = async (client: Queryable, projectId: number): Promise<Quotas> => {
  const { rows } = await client.query<{ quotas: Quotas }>(
    pgSql`SELECT ${quotasColumn} AS quotas FROM projects p WHERE p.id = ${bound(projectId)} AND p.deleted_at IS NULL`,
  );
  return rows[0]?.quotas ?? noQuotas;
};

/** `what` is in the plural and says which ones count, such as `cohorts that are not deleted`. */
export const quotaReached = (name: QuotaName, limit: number, what: string, remedy: string): Problem =>
  conflict(
    `The quota ${name} allows the project ${limit} ${what}: ${remedy}, or let an owner of the installation raise the quota`,
  );
