import { type PgSql, bound, joinedSql, pgSql } from '../../platform/postgres/sql.js';
import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { topology } from '../../platform/postgres/topology.js';

interface TenantTable {
  readonly table: PgSql;
  /** The second column of the primary key, after the project: rows are removed in its order. */
  readonly key: PgSql;
  /** The type of `key`. */
  readonly type: PgSql;
}

const [uuid, integer, bigint, text] = [pgSql`uuid`, pgSql`integer`, pgSql`bigint`, pgSql`text`];
const [date, timestamptz] = [pgSql`date`, pgSql`timestamptz`];

/**
 * Every table of PostgreSQL that has rows of a project, by its name. First come the tables of what sends or calculates, so that
 * it ends soon; referring rows come before the rows that they refer to. Two tables are missing: `forgetOutbox` removes the
 * changes that wait for ClickHouse, and `closeToKeys` removes the keys. A test compares the list with the schema.
 */
const tenantTables: Readonly<Record<string, TenantTable>> = {
  webhook_deliveries: { table: pgSql`webhook_deliveries`, key: pgSql`webhook_id`, type: integer },
  webhook_members: { table: pgSql`webhook_members`, key: pgSql`webhook_id`, type: integer },
  webhook_positions: { table: pgSql`webhook_positions`, key: pgSql`webhook_id`, type: integer },
  webhooks: { table: pgSql`webhooks`, key: pgSql`id`, type: integer },
  action_watches: { table: pgSql`action_watches`, key: pgSql`action_id`, type: integer },
  batch_export_runs: { table: pgSql`batch_export_runs`, key: pgSql`batch_export_id`, type: integer },
  batch_exports: { table: pgSql`batch_exports`, key: pgSql`id`, type: integer },
  notices: { table: pgSql`notices`, key: pgSql`id`, type: bigint },
  alert_mails: { table: pgSql`alert_mails`, key: pgSql`id`, type: uuid },
  alert_checks: { table: pgSql`alert_checks`, key: pgSql`alert_id`, type: integer },
  alerts: { table: pgSql`alerts`, key: pgSql`id`, type: integer },
  import_pieces: { table: pgSql`import_pieces`, key: pgSql`job_id`, type: uuid },
  import_jobs: { table: pgSql`import_jobs`, key: pgSql`id`, type: uuid },
  cohort_candidates: { table: pgSql`cohort_candidates`, key: pgSql`cohort_id`, type: integer },
  cohort_uploads: { table: pgSql`cohort_uploads`, key: pgSql`cohort_id`, type: integer },
  cohort_member_chunks: { table: pgSql`cohort_member_chunks`, key: pgSql`cohort_id`, type: integer },
  cohort_changes: { table: pgSql`cohort_changes`, key: pgSql`cohort_id`, type: integer },
  static_cohort_members: { table: pgSql`static_cohort_members`, key: pgSql`cohort_id`, type: integer },
  static_cohort_groups: { table: pgSql`static_cohort_groups`, key: pgSql`cohort_id`, type: integer },
  cohorts: { table: pgSql`cohorts`, key: pgSql`id`, type: integer },
  person_departures: { table: pgSql`person_departures`, key: pgSql`person_id`, type: bigint },
  group_departures: { table: pgSql`group_departures`, key: pgSql`group_id`, type: bigint },
  deletion_request_ids: { table: pgSql`deletion_request_ids`, key: pgSql`request_id`, type: uuid },
  deletion_request_events: { table: pgSql`deletion_request_events`, key: pgSql`request_id`, type: uuid },
  deletion_requests: { table: pgSql`deletion_requests`, key: pgSql`id`, type: uuid },
  expiry_run_events: { table: pgSql`expiry_run_events`, key: pgSql`expiry_run_id`, type: uuid },
  expiry_runs: { table: pgSql`expiry_runs`, key: pgSql`id`, type: uuid },
  dashboard_schedules: { table: pgSql`dashboard_schedules`, key: pgSql`id`, type: uuid },
  dashboard_links: { table: pgSql`dashboard_links`, key: pgSql`dashboard_id`, type: integer },
  dashboard_tiles: { table: pgSql`dashboard_tiles`, key: pgSql`dashboard_id`, type: integer },
  dashboard_favourites: { table: pgSql`dashboard_favourites`, key: pgSql`dashboard_id`, type: integer },
  dashboards: { table: pgSql`dashboards`, key: pgSql`id`, type: integer },
  insight_favourites: { table: pgSql`insight_favourites`, key: pgSql`insight_id`, type: integer },
  insights: { table: pgSql`insights`, key: pgSql`id`, type: integer },
  feature_flags: { table: pgSql`feature_flags`, key: pgSql`id`, type: integer },
  actions: { table: pgSql`actions`, key: pgSql`id`, type: integer },
  annotations: { table: pgSql`annotations`, key: pgSql`id`, type: integer },
  definitions: { table: pgSql`definitions`, key: pgSql`kind`, type: text },
  project_gates: { table: pgSql`project_gates`, key: pgSql`project_id`, type: integer },
  node_outbox: { table: pgSql`node_outbox`, key: pgSql`id`, type: bigint },
  arrivals: { table: pgSql`arrivals`, key: pgSql`xid`, type: bigint },
  unsealed_events: { table: pgSql`unsealed_events`, key: pgSql`id`, type: bigint },
  sealing_walks: { table: pgSql`sealing_walks`, key: pgSql`project_id`, type: integer },
  event_days: { table: pgSql`event_days`, key: pgSql`day`, type: date },
  events: { table: pgSql`events`, key: pgSql`uuid`, type: uuid },
  event_blocks: { table: pgSql`event_blocks`, key: pgSql`id`, type: uuid },
  event_archives: { table: pgSql`event_archives`, key: pgSql`id`, type: uuid },
  ingestion_warnings: { table: pgSql`ingestion_warnings`, key: pgSql`id`, type: uuid },
  ingestion_counts: { table: pgSql`ingestion_counts`, key: pgSql`outcome`, type: text },
  ingestion_libraries: { table: pgSql`ingestion_libraries`, key: pgSql`name`, type: text },
  project_costs: { table: pgSql`project_costs`, key: pgSql`hour`, type: timestamptz },
  person_merge_ids: { table: pgSql`person_merge_ids`, key: pgSql`merge_id`, type: bigint },
  person_merges: { table: pgSql`person_merges`, key: pgSql`id`, type: bigint },
  person_split_ids: { table: pgSql`person_split_ids`, key: pgSql`split_id`, type: bigint },
  person_splits: { table: pgSql`person_splits`, key: pgSql`id`, type: bigint },
  person_redirects: { table: pgSql`person_redirects`, key: pgSql`source`, type: bigint },
  distinct_id_counts: { table: pgSql`distinct_id_counts`, key: pgSql`person_id`, type: bigint },
  person_distinct_ids: { table: pgSql`person_distinct_ids`, key: pgSql`distinct_id`, type: text },
  persons: { table: pgSql`persons`, key: pgSql`id`, type: bigint },
  groups: { table: pgSql`groups`, key: pgSql`actor`, type: bigint },
  group_types: { table: pgSql`group_types`, key: pgSql`group_type_index`, type: integer },
  person_counts: { table: pgSql`person_counts`, key: pgSql`slot`, type: integer },
  idempotency_keys: { table: pgSql`idempotency_keys`, key: pgSql`user_id`, type: integer },
  invitations: { table: pgSql`invitations`, key: pgSql`id`, type: uuid },
  project_members: { table: pgSql`project_members`, key: pgSql`user_id`, type: integer },
  audit_trail: { table: pgSql`audit_trail`, key: pgSql`id`, type: uuid },
  activity_log: { table: pgSql`activity_log`, key: pgSql`id`, type: uuid },
};

interface RemovedPiece {
  readonly removed: number;
  /** The key of the last removed row, as text. The next piece starts there. */
  readonly last: string | null;
}

/**
 * Removes rows from a key on. Without that key, PostgreSQL would read the rows removed so far again for each piece, until the
 * table is vacuumed. The key itself is included, because it may have more rows than one piece.
 */
const removeSome = (
  { table: tenantTable, key, type }: TenantTable,
  projectId: number,
  from: string | null,
  limit: number,
): PgSql => {
  const project = bound(projectId);
  return pgSql`
    WITH chosen AS (
      SELECT ctid AS place, ${key} AS key FROM ${tenantTable}
      WHERE project_id = ${project} ${from === null ? pgSql`` : pgSql`AND ${key} >= ${bound(from)}::${type}`}
      ORDER BY project_id, ${key} LIMIT ${bound(limit)}
    ), removed AS (
      DELETE FROM ${tenantTable} WHERE project_id = ${project} AND ctid = ANY (ARRAY(SELECT place FROM chosen)) RETURNING 1
    )
    SELECT (SELECT count(*) FROM removed)::integer AS removed,
      (SELECT key::text FROM chosen ORDER BY key DESC LIMIT 1) AS last`;
};

const removeByKeys = async (
  client: ClientBase,
  { table: tenantTable, key, type }: TenantTable,
  projectId: number,
  limit: number,
): Promise<RemovedPiece> => {
  const project = bound(projectId);
  const { rows } = await client.query<{ key: string }>(
    pgSql`SELECT DISTINCT ${key}::text AS key FROM ${tenantTable} WHERE project_id = ${project} LIMIT ${bound(limit)}`,
  );
  const keys = bound(rows.map((row) => row.key));
  const { rowCount } = await client.query(
    pgSql`DELETE FROM ${tenantTable} WHERE project_id = ${project} AND ${key} = ANY (${keys}::text[]::${type}[])`,
  );
  return { removed: rowCount ?? 0, last: null };
};

/** Removes up to `limit` rows of a deleted project from a table, in the order of their keys. */
export const removeRows = async (
  client: ClientBase,
  name: string,
  projectId: number,
  from: string | null,
  limit: number,
): Promise<RemovedPiece> => {
  const table = tenantTables[name];
  if (!table) throw new Error(`${name} is no table of projects`);
  if (!topology().removesByPosition(name)) return removeByKeys(client, table, projectId, limit);
  const { rows } = await client.query<RemovedPiece>(removeSome(table, projectId, from, limit));
  return rows[0] as RemovedPiece;
};

/** Returns the tables that have rows of the project. */
export const tablesWithRows = async (postgres: Queryable, projectId: number): Promise<string[]> => {
  const project = bound(projectId);
  const looks = Object.entries(tenantTables).map(
    ([name, { table }]) =>
      pgSql`SELECT ${bound(name)}::text AS name WHERE EXISTS (SELECT 1 FROM ${table} WHERE project_id = ${project})`,
  );
  const { rows } = await postgres.query<{ name: string }>(joinedSql(looks, pgSql` UNION ALL `));
  return rows.map(({ name }) => name);
};
