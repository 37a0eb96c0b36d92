import { type SchemaForm } from './table.js';
import { type Sql, identifier, shardTable, sql } from '../sql.js';

type Form = Pick<SchemaForm, 'cluster'>;

export const onServers = ({ cluster }: Form, table: Sql): Sql =>
  cluster === null ? table : sql`clusterAllReplicas(${identifier(cluster)}, ${table})`;

/** The servers that answer now. */
export const knownServers = (form: Form): Sql =>
  sql`(SELECT 1 AS server FROM ${onServers(form, sql`system.one`)} SETTINGS skip_unavailable_shards = 1)`;

/**
 * The tables of this database on every server of the cluster, because a server does not know which tables another one lacks.
 * With `all`, it fails if a server does not answer.
 */
export const knownTables = (form: Form, { all = false } = {}): Sql => sql`(
  SELECT name, comment, toString(uuid) AS uuid FROM ${onServers(form, sql`system.tables`)}
  WHERE database = currentDatabase() SETTINGS skip_unavailable_shards = ${all ? sql`0` : sql`1`})`;

/**
 * The rows of a table on all replicas of all shards, so that a row may come several times. Fails if a replica does not answer,
 * because it may have rows that the others have removed.
 */
export const onEveryReplica = ({ cluster }: Form, name: string): Sql =>
  cluster === null
    ? identifier(name)
    : sql`clusterAllReplicas(${identifier(cluster)}, currentDatabase(), ${identifier(shardTable(name, true))})`;

/** The number of different keys in the rows of `onEveryReplica`. Without a cluster rows are counted, which needs less memory. */
export const numberOnEveryReplica = ({ cluster }: Form, key: Sql): Sql =>
  cluster === null ? sql`count()` : sql`count(DISTINCT ${key})`;
