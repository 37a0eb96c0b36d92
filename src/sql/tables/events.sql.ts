import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import { type Sql, empty, join, sql } from '../../platform/clickhouse/sql.js';
import { groupOfType } from '../../filters/compile/compile.sql.js';
import { type SqlStatement } from '../statement.js';
import { personColumn, personColumns, personsOfProject } from './persons.sql.js';
import { propertyOf } from './properties.sql.js';
import { groupColumns, groupOfEvent, groupsOfProject } from './groups.sql.js';
import { type Inner, type Needs, type QueryTable, groupRowsOf } from './table.js';

export const actorOf = ({ scope }: SqlStatement): Sql => resolvedActor({ overridden: scope.overridden });

/** A value of the person of an event; NULL if the event has no person. */
const personOf = (statement: SqlStatement, path: readonly string[]): Inner | null => {
  const inner = personColumn(statement, sql`p`, path);
  return inner && { ...inner, ofPerson: true };
};

/** Joins events `e` with the values of their persons and groups. */
export const joinsOfEvents = (
  statement: SqlStatement,
  { ofPerson, ofGroups }: Pick<Needs, 'ofPerson' | 'ofGroups'>,
): Sql => {
  const persons = sql` GLOBAL ANY LEFT JOIN (
      SELECT p.id AS id, ${join(ofPerson)} FROM persons AS p FINAL WHERE ${personsOfProject(statement)}
    ) AS q ON q.id = ${actorOf(statement)}`;
  const groups = [...ofGroups].map(
    ([type, values]) => sql` GLOBAL ANY LEFT JOIN (
      SELECT g.actor AS actor, ${join(values)} FROM groups AS g FINAL WHERE ${groupsOfProject(statement)}
    ) AS ${groupRowsOf(type)} ON ${groupRowsOf(type)}.actor = ${groupOfType(sql`e.groups`, type)}`,
  );
  return join([ofPerson.length > 0 ? persons : empty, ...groups], empty);
};

export const queriedEvents: QueryTable = {
  name: 'events',
  description: 'Everything that happened, each event with the person to whom it belongs now',
  columns: [
    { name: 'uuid', type: 'UUID', description: 'The uuid of the event' },
    { name: 'event', type: 'String', description: 'The name of the event' },
    { name: 'distinct_id', type: 'String', description: 'The distinct id with which it was sent' },
    { name: 'person_id', type: 'Int64', description: 'The id of the person; negative if the event has no person' },
    { name: 'timestamp', type: 'DateTime64(3)', description: 'When it happened, in the time zone of the project' },
    { name: 'received_at', type: 'DateTime64(3)', description: 'When it arrived' },
    { name: 'properties', type: 'String', description: 'All properties as JSON; properties.key is one of them' },
  ],
  nested: [
    ...personColumns.map((column) => ({ ...column, name: `person.${column.name}` })),
    { name: '$group_0', type: 'String', description: 'The key of its group of the type 0; so for the other types' },
    ...groupColumns.map((column) => ({ ...column, name: `group_0.${column.name}` })),
  ],
  find: (statement, path) => {
    const [column, ...rest] = path;
    if (column === 'properties') return propertyOf(statement, 'event', sql`e.properties`, rest);
    if (column === 'person') return personOf(statement, rest);
    const ofGroup = groupOfEvent(statement, path);
    if (ofGroup !== null) return ofGroup;
    if (rest.length > 0) return null;
    switch (column) {
      case 'uuid':
        return { sql: sql`e.uuid`, flavor: 'other' };
      case 'event':
        return { sql: sql`e.event`, flavor: 'text' };
      case 'distinct_id':
        return { sql: sql`e.distinct_id`, flavor: 'text' };
      case 'person_id':
        return { sql: actorOf(statement), flavor: 'number', ofActor: true };
      case 'timestamp':
        return { sql: sql`e.timestamp`, flavor: 'time' };
      case 'received_at':
        return { sql: sql`e.received_at`, flavor: 'time' };
      default:
        return null;
    }
  },
  rows: (statement, { ofActor, ...joined }) => {
    const { projectId, overridden } = statement.scope;
    // Overrides are read only if the question asks whose events they are.
    const events = eventsFrom(projectId, { overridden: overridden && ofActor });
    return { from: sql`${events}${joinsOfEvents(statement, joined)}`, where: eventsOfProject(projectId) };
  },
};
