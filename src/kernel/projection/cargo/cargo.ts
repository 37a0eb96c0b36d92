import { type TableDefinition } from '../../../platform/clickhouse/schema/table.js';
import { type Sql } from '../../../platform/clickhouse/sql.js';
import { type WrittenProperties } from '../../../platform/clickhouse/request.js';
import { type OutboxKind } from '../outbox/outbox.js';
import { earliestStorable, latestStorable } from '../../../platform/time/dates.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { type PgSql, bound, pgSql } from '../../../platform/postgres/sql.js';

export type Reader = Queryable;

export interface ProjectedRow extends Record<string, unknown> {
  readonly project_id: number;
  /** Absent when the table has no properties. */
  readonly properties?: Record<string, unknown> | WrittenProperties;
}

interface Reading {
  readonly rows: readonly ProjectedRow[];
  /** Keys whose row in ClickHouse, if there is one, must be removed. */
  readonly gone: readonly string[];
}

/** One kind of shipped rows: how their newest state is read by key, and into which table they go. */
export interface Cargo {
  readonly kind: OutboxKind;
  readonly table: TableDefinition;
  /** How many bytes each key stands for, in the order of the keys; null when only the key itself is shipped. */
  readonly sizes: ((reader: Reader, projectId: number, keys: readonly string[]) => Promise<readonly number[]>) | null;
  /**
   * True if only rows of earlier shipments are removed. Rows that the shipment itself has inserted stay, even when it is
   * repeated.
   */
  readonly removesOnlyOlder?: boolean;
  readonly read: (
    reader: Reader,
    projectId: number,
    keys: readonly string[],
    /** The shipment's number, which decides between two rows of one key. */
    version: string,
  ) => Promise<Reading>;
  /** A condition for the rows of a project that belong to removed keys, when the keys are not uuids of events. */
  readonly isGone?: (keys: readonly string[]) => Sql;
}

/** Reads a thousand rows at a time, because requests need this thread too. */
export const readCargo = async (
  cargo: Cargo,
  reader: Reader,
  projectId: number,
  keys: readonly string[],
  version: string,
): Promise<Reading> => {
  const rows: ProjectedRow[] = [];
  const gone: string[] = [];
  for (let from = 0; from < keys.length; from += sliceKeys) {
    const slice = await cargo.read(reader, projectId, keys.slice(from, from + sliceKeys), version);
    rows.push(...slice.rows);
    gone.push(...slice.gone);
  }
  return { rows, gone };
};

const sliceKeys = 1000;

/**
 * Hides the id of the project from the planner. With statistics from before a project had events, the planner expects no rows
 * for it, takes any index that begins with the project for as good as the primary key, and reads the whole project for each
 * key.
 */
export const thisProject = (projectId: number): PgSql => pgSql`(SELECT ${bound(projectId)}::integer)`;

/** The size of the properties when they are read. The stored size is exact unless the value is compressed. */
export const propertiesBytes = pgSql`
  CASE WHEN pg_column_compression(properties) IS NULL THEN pg_column_size(properties)
       ELSE octet_length(properties::text) END`;

/** The size of an event's properties when they are read; they may be in a block. */
export const loggedBytes = pgSql`coalesce(properties_bytes, ${propertiesBytes})`;

/**
 * Renders a time as text that ClickHouse reads under any session setting. Parsing the time in the driver and writing it again
 * would cost this thread more than the rest of the row. Clamps it, because a time the engine cannot store must not stop a
 * shipment.
 */
export const storableInstant = (column: PgSql): PgSql => pgSql`
  to_char(
    greatest(least(${column}, ${bound(latestStorable)}::timestamptz), ${bound(earliestStorable)}::timestamptz) AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Reads key by key, because the planner would otherwise join with the whole project. */
const selectByDistinctId = (projectId: number, distinctIds: readonly string[]): PgSql =>
  pgSql`
  SELECT requested.distinct_id, d.person_id FROM unnest(${bound(distinctIds)}::text[]) AS requested (distinct_id)
  CROSS JOIN LATERAL (
    SELECT person_id FROM person_distinct_ids
    WHERE project_id = ${thisProject(projectId)} AND distinct_id = requested.distinct_id LIMIT 1
  ) d`.named('projection-owners');

/** Maps each distinct id to the person it belongs to at this moment. */
export const ownersOf = async (
  reader: Reader,
  projectId: number,
  distinctIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await reader.query<{ distinct_id: string; person_id: string }>(
    selectByDistinctId(projectId, distinctIds),
  );
  return new Map(rows.map(({ distinct_id, person_id }) => [distinct_id, person_id]));
};
