import { type Cursor } from '../../platform/http/page.dto.js';
import { type FilterScope, eventScope, filterSql, groupOfType } from '../../filters/compile/compile.sql.js';
import { type GroupInQuestion } from '../../groups/reading/groups.repository.js';
import { type Filter } from '../../filters/reading/filter.js';
import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import {
  type Sql,
  empty,
  instant,
  integer,
  join,
  list,
  sql,
  text,
  unsigned,
  uuid,
} from '../../platform/clickhouse/sql.js';

export interface EventsFilter {
  readonly personId: bigint | null;
  readonly distinctId: string | null;
  readonly event: string | null;
  readonly group: GroupInQuestion | null;
  readonly after: Date | null;
  readonly before: Date | null;
}

/** The filter of the parameter `properties`, with everything needed to compile it. */
export interface PropertiesQuestion extends Pick<FilterScope, 'projectId' | 'now' | 'timezone' | 'cohorts'> {
  readonly filter: Filter;
}

const scopeOf = (question: PropertiesQuestion): FilterScope => eventScope({ ...question, actor: resolvedActor() });

/** True for an event `e` that belongs to the group. */
export const isOfGroup = ({ typeIndex, actor }: GroupInQuestion): Sql =>
  sql`${groupOfType(sql`e.groups`, typeIndex)} = ${integer(BigInt(actor))}`;

const matching = (filter: EventsFilter, properties: PropertiesQuestion): Sql => {
  const conditions = [
    eventsOfProject(properties.projectId),
    filter.personId === null ? null : sql`${resolvedActor()} = ${integer(filter.personId)}`,
    filter.distinctId === null ? null : sql`e.distinct_id = ${text(filter.distinctId)}`,
    filter.event === null ? null : sql`e.event = ${text(filter.event)}`,
    filter.group === null ? null : isOfGroup(filter.group),
    filter.after === null ? null : sql`e.timestamp > ${instant(filter.after)}`,
    filter.before === null ? null : sql`e.timestamp < ${instant(filter.before)}`,
    filterSql(properties.filter, scopeOf(properties)),
  ].filter((condition) => condition !== null);
  return join(conditions, sql` AND `);
};

/** Milliseconds as text, which JSON does not round. */
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
  filter: EventsFilter,
  properties: PropertiesQuestion,
  cursor: Cursor | null,
  limit: number,
  offset: number,
): Sql => {
  const backwards = cursor?.direction === 'before';
  const beyond = cursor === null ? empty : sql` AND ${beyondSql(cursor)}`;
  const order = backwards ? sql`timestamp ASC, uuid ASC` : sql`timestamp DESC, uuid DESC`;
  return sql`
    SELECT toString(uuid) AS id, ${millis} AS at
    FROM (SELECT e.uuid AS uuid, e.timestamp AS timestamp FROM ${eventsFrom(properties.projectId)}
          WHERE ${matching(filter, properties)}${beyond}
          ORDER BY ${order} LIMIT ${unsigned(limit)} OFFSET ${unsigned(offset)})
    ORDER BY ${order}`;
};

export const eventCountSql = (filter: EventsFilter, properties: PropertiesQuestion): Sql =>
  sql`SELECT count() AS count FROM ${eventsFrom(properties.projectId)} WHERE ${matching(filter, properties)}`;

const named = (projectId: number, hidden: readonly string[]): Sql => {
  const others = hidden.length === 0 ? empty : sql` AND NOT has(${list(text, hidden)}, event)`;
  return sql`project_id = ${unsigned(projectId)}${others}`;
};

export const eventNamesSql = (
  projectId: number,
  hidden: readonly string[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Sql => sql`
  SELECT toString(event) AS name, count() AS count
  FROM events WHERE ${named(projectId, hidden)}
  GROUP BY event ORDER BY count DESC, name LIMIT ${unsigned(limit)} OFFSET ${unsigned(offset)}`;

export const eventNameCountSql = (projectId: number, hidden: readonly string[]): Sql =>
  sql`SELECT uniqExact(event) AS count FROM events WHERE ${named(projectId, hidden)}`;
