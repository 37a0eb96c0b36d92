import { zeroUuid } from '../../platform/values/ids.js';
import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import { propertiesAsSent } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, empty, instant, integer, join, sql, text, unsigned, uuid } from '../../platform/clickhouse/sql.js';
import { type Walk } from './chunk.js';

export type TableFormat = 'csv' | 'parquet';

/** A position in the order of events. */
export interface EventPosition {
  readonly at: Date;
  readonly id: string;
}

/** Returns the format of a statement. A CSV that continues another one has no header. */
export const writtenAs = (format: TableFormat, { withHeader }: { readonly withHeader: boolean }): Sql => {
  if (format === 'parquet') return sql`FORMAT Parquet`;
  const nulls = sql`SETTINGS format_csv_null_representation = ''`;
  return withHeader ? sql`${nulls} FORMAT CSVWithNames` : sql`${nulls} FORMAT CSV`;
};

const position = ({ at, id }: EventPosition): Sql => sql`(${instant(at)}, ${uuid(id)})`;

const inRange = (column: Sql, { after, before }: Walk): Sql[] => [
  ...(after === null ? [] : [sql`${column} > ${instant(after)}`]),
  ...(before === null ? [] : [sql`${column} < ${instant(before)}`]),
];

// The comparison of times looks redundant, but lets the engine skip rows; the comparison of pairs does not.
const eventsAfter = (walk: Walk, after: EventPosition | null): Sql[] => [
  eventsOfProject(walk.projectId),
  ...inRange(sql`e.timestamp`, walk),
  ...(walk.condition ? [walk.condition] : []),
  ...(after === null
    ? []
    : [sql`e.timestamp >= ${instant(after.at)}`, sql`(e.timestamp, e.uuid) > ${position(after)}`]),
];

const and = (conditions: readonly Sql[]): Sql => join(conditions, sql` AND `);

/** Selects the number of the next events, at most `rows`, and the position of the last of them. */
export const eventSliceSql = (walk: Walk, after: EventPosition | null, rows: number): Sql => sql`
  SELECT count() AS records, toString(toUnixTimestamp64Milli(max((timestamp, uuid)).1)) AS at,
    toString(max((timestamp, uuid)).2) AS id
  FROM (SELECT e.timestamp AS timestamp, e.uuid AS uuid FROM events AS e WHERE ${and(eventsAfter(walk, after))}
        ORDER BY timestamp, uuid LIMIT ${unsigned(rows)})`;

/** Selects the events up to a position, with the persons to whom they belong now. */
export const eventTableSql = (walk: Walk, after: EventPosition | null, upTo: EventPosition, format: Sql): Sql => sql`
  SELECT toString(e.uuid) AS uuid, toString(e.event) AS event, e.distinct_id AS distinct_id,
    if(${resolvedActor()} > 0, ${resolvedActor()}, NULL) AS person_id, e.timestamp AS timestamp,
    e.received_at AS received_at, ${propertiesAsSent(sql`e.properties`)} AS properties
  FROM ${eventsFrom(walk.projectId)}
  WHERE ${and(eventsAfter(walk, after))} AND e.timestamp <= ${instant(upTo.at)} AND (e.timestamp, e.uuid) <= ${position(upTo)}
  ORDER BY e.timestamp, e.uuid
  ${format}`;

const isoText = (column: Sql): Sql => sql`concat(replaceOne(toString(${column}), ' ', 'T'), 'Z')`;

/** Selects the same events as lines of NDJSON. */
export const eventLinesSql = (walk: Walk, after: EventPosition | null, upTo: EventPosition): Sql => sql`
  SELECT concat('{"uuid":"', t.uuid, '","event":', toJSONString(t.event), ',"distinct_id":', toJSONString(t.distinct_id),
    ',"person_id":', ifNull(toString(t.person_id), 'null'), ',"timestamp":"', ${isoText(sql`t.timestamp`)},
    '","received_at":"', ${isoText(sql`t.received_at`)}, '","properties":', t.properties, '}') AS line
  FROM (${eventTableSql(walk, after, upTo, empty)}) AS t
  ORDER BY t.timestamp, t.uuid
  FORMAT TSVRaw`;

/** Selects no events, for an empty file that has their columns. */
export const noEventsSql = (walk: Walk, format: Sql): Sql =>
  eventTableSql({ ...walk, before: new Date(0), after: new Date(0) }, null, { at: new Date(0), id: zeroUuid }, format);

/** Selects the persons from one id to another. `ids` has their distinct ids as JSON lines of `id` and `distinct_ids`. */
export const personTableSql = (
  walk: Walk,
  [first, last]: readonly [bigint, bigint],
  ids: string,
  format: TableFormat,
  written: Sql,
): Sql => {
  const range = inRange(sql`p.created_at`, walk);
  const listed = format === 'csv' ? sql`toJSONString(d.distinct_ids)` : sql`d.distinct_ids`;
  return sql`
  SELECT p.id AS id, toString(p.uuid) AS uuid, p.created_at AS created_at, p.is_identified AS is_identified,
    ${listed} AS distinct_ids, ${propertiesAsSent(sql`p.properties`)} AS properties
  FROM (
    SELECT id, uuid, created_at, is_identified, properties FROM persons FINAL
    WHERE project_id = ${unsigned(walk.projectId)} AND id >= ${integer(first)} AND id <= ${integer(last)}
  ) AS p
  GLOBAL ANY INNER JOIN (
    SELECT * FROM format(JSONEachRow, 'id Int64, distinct_ids Array(String)', ${text(ids)})
  ) AS d ON d.id = p.id
  ${range.length === 0 ? empty : sql`WHERE ${and(range)}`}
  ORDER BY p.id
  ${written}`;
};

/** Selects the groups from one id to another. */
export const groupTableSql = (walk: Walk, [first, last]: readonly [bigint, bigint], written: Sql): Sql => sql`
  SELECT g.id AS id, g.group_type_index AS group_type_index, g.key AS group_key, g.created_at AS created_at,
    ${propertiesAsSent(sql`g.properties`)} AS properties
  FROM (
    SELECT id, group_type_index, key, created_at, properties FROM groups FINAL
    WHERE project_id = ${unsigned(walk.projectId)} AND id >= ${integer(first)} AND id <= ${integer(last)}
  ) AS g
  WHERE ${and([sql`true`, ...inRange(sql`g.created_at`, walk)])}
  ORDER BY g.id
  ${written}`;
