import { sql } from '../../../platform/clickhouse/sql.js';
import { type TableDefinition } from '../../../platform/clickhouse/schema/table.js';

/** Allows rows to be deleted and updated without rewriting their part. */
const changeable = sql`enable_block_number_column = 1, enable_block_offset_column = 1`;

/** The columns of events in the first migration. A column that came later is added to `eventsTable`. */
export const eventColumnsOfFirst = sql`
  project_id UInt32,
  uuid UUID,
  event LowCardinality(String),
  distinct_id String,
  actor Int64,
  timestamp DateTime64(3, 'UTC'),
  received_at DateTime64(3, 'UTC'),
  properties JSON,
  version UInt64`;

/**
 * The tables in their state after all migrations, as a rebuild creates them again. `version` is the number of the shipment that
 * inserted the row: of two rows for one key, the one with the larger number was read later.
 */
export const eventsTable: TableDefinition = {
  name: 'events',
  columns: sql`${eventColumnsOfFirst},
  groups Map(UInt8, Int64)`,
  engine: 'MergeTree',
  orderBy: sql`project_id, event, toDate32(timestamp), actor`,
  shardBy: sql`cityHash64(project_id, distinct_id)`,
  settings: changeable,
};

export const personsTable: TableDefinition = {
  name: 'persons',
  columns: sql`
  project_id UInt32,
  id Int64,
  uuid UUID,
  properties JSON,
  is_identified Bool,
  created_at DateTime64(3, 'UTC'),
  is_deleted UInt8,
  version UInt64,
  search String,
  distinct_ids Array(String)`,
  // The index finds parts of three characters, so it does not help a search for fewer.
  textIndex: sql`persons_search search TYPE text(tokenizer = ngrams(3))`,
  engine: 'ReplacingMergeTree',
  engineArguments: sql`version, is_deleted`,
  orderBy: sql`project_id, id`,
  shardBy: sql`cityHash64(project_id, id)`,
  settings: changeable,
};

/** The person that now owns the events of a distinct id, for events that were shipped before, or by, the shipment `version`. */
export const overridesTable: TableDefinition = {
  name: 'distinct_id_overrides',
  columns: sql`
  project_id UInt32,
  distinct_id String,
  actor Int64,
  version UInt64`,
  engine: 'ReplacingMergeTree',
  engineArguments: sql`version`,
  orderBy: sql`project_id, distinct_id`,
  shardBy: sql`cityHash64(project_id, distinct_id)`,
  settings: changeable,
};

/**
 * The members of cohorts. `actor` is the id of a person or, in a cohort of groups, the id of a group: a deleted group that an
 * event names again has the same actor, but another id, and is no member. A calculation writes all members under a new version
 * before that version becomes the current one.
 */
export const cohortMembersTable: TableDefinition = {
  name: 'cohort_members',
  columns: sql`
  project_id UInt32,
  cohort_id UInt32,
  version UInt32,
  actor Int64`,
  engine: 'MergeTree',
  orderBy: sql`project_id, cohort_id, version, actor`,
  shardBy: sql`cityHash64(project_id, actor)`,
  settings: changeable,
};

/** The person into which another one was merged. Everything recorded for `source` applies to `target` from then on. */
export const redirectsTable: TableDefinition = {
  name: 'person_redirects',
  columns: sql`
  project_id UInt32,
  source Int64,
  target Int64,
  version UInt64`,
  engine: 'ReplacingMergeTree',
  engineArguments: sql`version`,
  orderBy: sql`project_id, source`,
  shardBy: sql`cityHash64(project_id, source)`,
  settings: changeable,
};

/** The groups, such as companies. Events name a group by its actor, which follows from its type and key. */
export const groupsTable: TableDefinition = {
  name: 'groups',
  columns: sql`
  project_id UInt32,
  actor Int64,
  id Int64,
  group_type_index UInt8,
  key String,
  properties JSON,
  created_at DateTime64(3, 'UTC'),
  is_deleted UInt8,
  version UInt64,
  search String`,
  engine: 'ReplacingMergeTree',
  engineArguments: sql`version, is_deleted`,
  orderBy: sql`project_id, actor`,
  shardBy: sql`cityHash64(project_id, actor)`,
  settings: changeable,
};

/** Every table that has rows of a project; a test compares the list with the schema. */
export const projectedTables: readonly TableDefinition[] = [
  cohortMembersTable,
  eventsTable,
  overridesTable,
  redirectsTable,
  personsTable,
  groupsTable,
];
