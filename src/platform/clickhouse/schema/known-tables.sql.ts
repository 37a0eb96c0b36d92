import { type SchemaForm } from './table.js';
import { type Sql, identifier, shardTable, sql } from '../sql.js';

type Form = Pick<SchemaForm, 'cluster'>;

export const onServers = ({ cluster }: Form, table: Sql): Sql =>
  cluster === null ? table : sql`clusterAllReplicas(${identifier(cluster)}, ${table})`;

/** The servers that answer now. */
export const knownServers = (form: Form): Sql =>
  sql`(SELECT 1 AS server FROM ${onServers(form, sql`system.one`)} SETTINGS skip_unavailable_shards = 1)`;

/**
 * The tables of this database on every server of the cluster: one server does not know what another one has missed. Fails when
 * `all` of them must answer and one does not.
 */
export const knownTables = (form: Form, { all = false } = {}): Sql => sql`(
  SELECT name, comment, toString(uuid) AS uuid FROM ${onServers(form, sql`system.tables`)}
  WHERE database = currentDatabase() SETTINGS skip_unavailable_shards = ${all ? sql`0` : sql`1`})`;

/**
 * The rows of a table that any replica of any shard has: those of each replica are among them. Fails when a replica does not answer,
 * because it may have rows that the others have removed.
 */
export const onEveryReplica = ({ cluster }: Form, name: string): Sql =>
  cluster === null
    ? identifier(name)
    : sql`clusterAllReplicas(${identifier(cluster)}, currentDatabase(), ${identifier(shardTable(name, true))})`;

/** The number of rows of `onEveryReplica` with different keys: each replica has a row of its own. One server counts without holding the keys. */
export const numberOnEveryReplica = ({ cluster }: Form, key: Sql): Sql =>
  cluster === null ? sql`count()` : sql`count(DISTINCT ${key})`;
