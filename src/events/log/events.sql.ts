import { type Cursor } from '../../common/pagination/cursor.js';
import { eventsWithActor } from '../../projection/actors.sql.js';
import { empty, join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { instant, integer, text, unsigned, uuid } from '../../stores/clickhouse/values.js';

export interface EventsFilter {
  readonly personId: bigint | null;
  readonly distinctId: string | null;
  readonly event: string | null;
  readonly after: Date | null;
  readonly before: Date | null;
}

const matching = (filter: EventsFilter): Sql => {
  const conditions = [
    filter.personId === null ? null : sql`actor = ${integer(filter.personId)}`,
    filter.distinctId === null ? null : sql`distinct_id = ${text(filter.distinctId)}`,
    filter.event === null ? null : sql`event = ${text(filter.event)}`,
    filter.after === null ? null : sql`timestamp > ${instant(filter.after)}`,
    filter.before === null ? null : sql`timestamp < ${instant(filter.before)}`,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? sql`true` : join(conditions, sql` AND `);
};

/** Times are whole milliseconds, and as text they survive JSON without rounding. */
const millis = sql`toString(toUnixTimestamp64Milli(timestamp))`;

export interface EventKey {
  readonly id: string;
  readonly at: string;
}

const beyondSql = ({ direction, key: [at = '', id = ''] }: Cursor): Sql => {
  const edge = sql`(${instant(new Date(Number(at)))}, ${uuid(id)})`;
  return direction === 'before' ? sql`(timestamp, uuid) > ${edge}` : sql`(timestamp, uuid) < ${edge}`;
};

export const eventPageSql = (
  projectId: number,
  filter: EventsFilter,
  cursor: Cursor | null,
  limit: number,
  offset: number,
): Sql => {
  const backwards = cursor?.direction === 'before';
  const beyond = cursor === null ? empty : sql` AND ${beyondSql(cursor)}`;
  const order = backwards ? sql`timestamp ASC, uuid ASC` : sql`timestamp DESC, uuid DESC`;
  return sql`
    SELECT toString(uuid) AS id, ${millis} AS at
    FROM (SELECT uuid, timestamp FROM ${eventsWithActor(projectId)} WHERE ${matching(filter)}${beyond}
          ORDER BY ${order} LIMIT ${unsigned(limit)} OFFSET ${unsigned(offset)})
    ORDER BY ${order}`;
};

export const eventCountSql = (projectId: number, filter: EventsFilter): Sql =>
  sql`SELECT count() AS count FROM ${eventsWithActor(projectId)} WHERE ${matching(filter)}`;

export const eventNamesSql = (projectId: number, limit: number, offset: number): Sql => sql`
  SELECT toString(event) AS name, count() AS count
  FROM events WHERE project_id = ${unsigned(projectId)}
  GROUP BY event ORDER BY count DESC, name LIMIT ${unsigned(limit)} OFFSET ${unsigned(offset)}`;

export const eventNameCountSql = (projectId: number): Sql =>
  sql`SELECT uniqExact(event) AS count FROM events WHERE project_id = ${unsigned(projectId)}`;
