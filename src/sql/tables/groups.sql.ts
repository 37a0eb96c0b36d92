import { type Sql, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { maxGroupTypes } from '../../kernel/projection/named-groups.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type SqlStatement } from '../statement.js';
import { propertyOf } from './properties.sql.js';
import { type ColumnDoc, type Inner, type QueryTable } from './table.js';

export const groupColumns: readonly ColumnDoc[] = [
  { name: 'id', type: 'Int64', description: 'The integer id' },
  { name: 'index', type: 'UInt8', description: 'The index of the type' },
  { name: 'key', type: 'String', description: 'The key with which events name the group' },
  { name: 'name', type: 'String', description: 'The property name, else the key' },
  { name: 'properties', type: 'String', description: 'All properties as JSON; properties.key is one of them' },
  { name: 'created_at', type: 'DateTime64(3)', description: 'When the group was first named' },
];

/** A column of the table `groups`, which the statement reads under the name `row`. */
const groupColumn = (statement: SqlStatement, row: Sql, [column, ...rest]: readonly string[]): Inner | null => {
  if (column === 'properties') return propertyOf(statement, 'group', sql`${row}.properties`, rest);
  if (rest.length > 0) return null;
  switch (column) {
    case 'id':
      return { sql: sql`${row}.id`, flavor: 'number' };
    case 'index':
      return { sql: sql`${row}.group_type_index`, flavor: 'number' };
    case 'key':
      return { sql: sql`${row}.key`, flavor: 'text' };
    case 'name':
      return {
        sql: sql`coalesce(nullIf(${propertyText(sql`${row}.properties`, 'name')}, ''), ${row}.key)`,
        flavor: 'text',
      };
    case 'created_at':
      return { sql: sql`${row}.created_at`, flavor: 'time' };
    default:
      return null;
  }
};

const groupName = /^\$?group_(\d{1,2})$/;

/** A value of the group of an event: `group_0.properties.plan`, or `$group_0`, which is the key. NULL without a group. */
export const groupOfEvent = (statement: SqlStatement, [first = '', ...rest]: readonly string[]): Inner | null => {
  const type = Number(groupName.exec(first)?.[1] ?? maxGroupTypes);
  if (type >= maxGroupTypes) return null;
  const path = first.startsWith('$') ? ['key', ...rest] : rest;
  const inner = groupColumn(statement, sql`g`, path);
  return inner && { ...inner, ofGroup: type };
};

export const groupsOfProject = ({ scope }: SqlStatement): Sql => sql`g.project_id = ${unsigned(scope.projectId)}`;

export const queriedGroups: QueryTable = {
  name: 'groups',
  description: 'Groups, such as companies, as they are now',
  columns: groupColumns,
  nested: [],
  find: (statement, path) => groupColumn(statement, sql`g`, path),
  rows: (statement) => ({ from: sql`groups AS g FINAL`, where: groupsOfProject(statement) }),
};
