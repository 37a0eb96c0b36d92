import { eventsFrom, eventsOfProject } from '../../kernel/projection/actors.sql.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, empty, join, sql } from '../../platform/clickhouse/sql.js';
import { type SqlStatement } from '../statement.js';
import { actorOf } from './events.sql.js';
import { type Inner, type Needs, type QueryTable } from './table.js';

/** A pause of more than 30 minutes ends a session. */
const pauseMinutes = 30;

const literal = ({ literals }: SqlStatement, number: number): Sql =>
  sql`${literals.number({ kind: 'number', digits: String(number), at: { line: 1, column: 1 } })}`;

/** The page of an event: the path, or the address if the client sends no path. */
const page: Sql = sql`if(e.event = '$pageview', coalesce(${propertyText(sql`e.properties`, '$pathname')}, ${propertyText(sql`e.properties`, '$current_url')}), NULL)`;

/** The events of each actor in their order, cut at each pause. The order of equal times matters for pages only. */
const sessions = (statement: SqlStatement, { ofPages, ofEvents }: Needs): Sql => {
  const { projectId, overridden } = statement.scope;
  const pause = literal(statement, pauseMinutes * 60 * 1000);
  const all = ofPages
    ? sql`arraySort(x -> (x.1, x.3), groupArray((toUnixTimestamp64Milli(at), page, uuid)))`
    : sql`arraySort(x -> x.1, groupArray(tuple(toUnixTimestamp64Milli(at))))`;
  const ofPage = ofPages ? sql`, e.uuid AS uuid, ${page} AS page` : empty;
  return sql`(
    SELECT actor AS person_id,
      arrayJoin(arraySplit((x, begins) -> begins,
        ${all} AS all,
        arrayMap((now, before) -> now - before > ${pause}, arrayMap(x -> x.1, all), arrayPushFront(arrayPopBack(arrayMap(x -> x.1, all)), all[1].1)))) AS s
    FROM (
      SELECT ${actorOf(statement)} AS actor, e.timestamp AS at${ofPage}
      FROM ${eventsFrom(projectId, { overridden })} WHERE ${join([eventsOfProject(projectId), ...ofEvents], sql` AND `)})
    GROUP BY actor)`;
};

const pages = sql`arrayFilter(x -> isNotNull(x), arrayMap(x -> x.2, s.s))`;
const time = (milliseconds: Sql): Sql => sql`fromUnixTimestamp64Milli(${milliseconds}, 'UTC')`;

/** Names of the reference product. */
const otherNames = new Map([
  ['$start_timestamp', 'start'],
  ['$end_timestamp', 'end'],
]);

const ownName = (name: string): string => otherNames.get(name) ?? name;

export const sessionsTable: QueryTable = {
  name: 'sessions',
  description: 'Events of one person without a pause of more than 30 minutes',
  columns: [
    { name: 'person_id', type: 'Int64', description: 'The id of the person; negative without a person' },
    { name: 'start', type: 'DateTime64(3)', description: 'The time of the first event' },
    { name: 'end', type: 'DateTime64(3)', description: 'The time of the last event' },
    { name: 'events', type: 'UInt64', description: 'The number of events' },
    { name: 'entry_page', type: 'Nullable(String)', description: 'The path of the first page' },
    { name: 'exit_page', type: 'Nullable(String)', description: 'The path of the last page' },
  ],
  nested: [
    { name: '$start_timestamp', type: 'DateTime64(3)', description: 'Another name of start' },
    { name: '$end_timestamp', type: 'DateTime64(3)', description: 'Another name of end' },
    { name: '$session_duration', type: 'Int64', description: 'Seconds from the first event to the last' },
  ],
  find: (_, [column = '', ...rest]): Inner | null => {
    if (rest.length > 0) return null;
    switch (ownName(column)) {
      case 'person_id':
        return { sql: sql`s.person_id`, flavor: 'number' };
      case 'start':
        return { sql: time(sql`s.s[1].1`), flavor: 'time' };
      case 'end':
        return { sql: time(sql`s.s[-1].1`), flavor: 'time' };
      case '$session_duration':
        return { sql: sql`intDiv(s.s[-1].1 - s.s[1].1, 1000)`, flavor: 'number' };
      case 'events':
        return { sql: sql`length(s.s)`, flavor: 'number' };
      case 'entry_page':
        return { sql: sql`arrayElementOrNull(${pages}, 1)`, flavor: 'text', ofPages: true };
      case 'exit_page':
        return { sql: sql`arrayElementOrNull(${pages}, -1)`, flavor: 'text', ofPages: true };
      default:
        return null;
    }
  },
  rows: (statement, needs) => ({ from: sql`${sessions(statement, needs)} AS s`, where: null }),
  /**
   * Reads 30 minutes of events beyond a bound, because a session starts at X only if no event is in the 30 minutes before X; its
   * end is alike. A bound on starts before X, or on ends after X, bounds no events, because such a session can be of any length.
   */
  eventsFor: (statement, column, { side, moment }) => {
    const pause = sql`toIntervalMinute(${literal(statement, pauseMinutes)})`;
    const own = ownName(column);
    if (own === 'start' && side === 'from') return sql`e.timestamp >= (${moment} - ${pause})`;
    return own === 'end' && side === 'to' ? sql`e.timestamp <= (${moment} + ${pause})` : null;
  },
};
