import { randomUUID } from 'node:crypto';
import { type SchemaForm } from '../engine.js';
import { type Sql, empty, identifier, shardTable, sql } from '../sql.js';
import { spelled } from './spelled.js';

export type { SchemaForm } from '../engine.js';

/** The names of table engines on a single node and when replicated. */
const families = {
  MergeTree: [sql`MergeTree`, sql`ReplicatedMergeTree`],
  ReplacingMergeTree: [sql`ReplacingMergeTree`, sql`ReplicatedReplacingMergeTree`],
  SummingMergeTree: [sql`SummingMergeTree`, sql`ReplicatedSummingMergeTree`],
  AggregatingMergeTree: [sql`AggregatingMergeTree`, sql`ReplicatedAggregatingMergeTree`],
} as const;

export interface TableDefinition {
  name: string;
  /** The list of columns, indexes and projections, without the brackets around it. */
  columns: Sql;
  /** An index that only engines with text indexes have. */
  textIndex?: Sql;
  engine: keyof typeof families;
  /** The arguments of the engine, such as the version column of a ReplacingMergeTree. */
  engineArguments?: Sql;
  orderBy: Sql;
  partitionBy?: Sql;
  /** An unsigned integer; rows with equal values are stored on the same shard. */
  shardBy: Sql;
  settings?: Sql;
}

/**
 * The CREATE statements of a table: one, or on a cluster the replicated table of each shard and the one across shards.
 */
export const table = (form: SchemaForm, definition: TableDefinition): Sql[] =>
  form.cluster === null ? [singleTable(form, definition)] : clusterTables(form.cluster, form, definition);

/** The statements that add a column at the end of a table that may have it already. */
export const addColumn = (form: SchemaForm, { name }: TableDefinition, column: Sql): Sql[] => {
  const tables = form.cluster === null ? [identifier(name)] : [storedTable(form, name), identifier(name)];
  return tables.map((each) => sql`ALTER TABLE ${each}${onCluster(form)} ADD COLUMN IF NOT EXISTS ${column}`);
};

/** The table that stores the rows, which ALTER, DELETE, OPTIMIZE and TRUNCATE must name, followed by `onCluster`. */
export const storedTable = (form: SchemaForm, name: string): Sql => identifier(shardTable(name, form.cluster !== null));

/** ` ON CLUSTER …`, or nothing. Every DDL statement has it after the name of its table. */
export const onCluster = (form: Pick<SchemaForm, 'cluster'>): Sql =>
  form.cluster === null ? empty : sql` ON CLUSTER ${identifier(form.cluster)}`;

/** Inserts wait for the disk: without replicas, only the disk keeps an acknowledged insert through a power failure. */
const durable = sql`fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000`;
const replicated = sql`replicated_deduplication_window = 10000`;

const singleTable = (form: SchemaForm, definition: TableDefinition): Sql => {
  const [family] = families[definition.engine];
  return sql`CREATE TABLE IF NOT EXISTS ${identifier(definition.name)} (${stored(form, definition)})
ENGINE = ${family}(${definition.engineArguments ?? empty})
${layout(definition, durable)}`;
};

/**
 * Replicas of a shard find each other by the path. It has the UUID of the table, because a rebuild gives the name to another
 * table.
 */
const clusterTables = (cluster: string, form: SchemaForm, definition: TableDefinition): Sql[] => {
  const [, family] = families[definition.engine];
  const local = storedTable(form, definition.name);
  const more = definition.engineArguments ? sql`, ${definition.engineArguments}` : empty;
  const uuid = spelled(form.uuids?.get(shardTable(definition.name, true)) ?? randomUUID());
  return [
    sql`CREATE TABLE IF NOT EXISTS ${local} UUID '${uuid}'${onCluster(form)} (${stored(form, definition)})
ENGINE = ${family}('/clickhouse/tables/${uuid}/{shard}', '{replica}'${more})
${layout(definition, replicated)}`,
    sql`CREATE TABLE IF NOT EXISTS ${identifier(definition.name)}${onCluster(form)} (${definition.columns})
ENGINE = Distributed(${identifier(cluster)}, currentDatabase(), ${local}, ${definition.shardBy})`,
  ];
};

const stored = ({ textIndexes }: SchemaForm, { columns, textIndex }: TableDefinition): Sql =>
  textIndexes && textIndex ? sql`${columns},\n  INDEX ${textIndex}` : columns;

const layout = ({ orderBy, partitionBy, settings }: TableDefinition, always: Sql): Sql =>
  sql`${partitionBy ? sql`PARTITION BY ${partitionBy}\n` : empty}ORDER BY (${orderBy})
SETTINGS ${always}${settings ? sql`, ${settings}` : empty}`;
