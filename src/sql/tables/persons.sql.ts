import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type SqlStatement } from '../statement.js';
import { propertyOf } from './properties.sql.js';
import { type ColumnDoc, type Inner, type QueryTable } from './table.js';

export const personColumns: readonly ColumnDoc[] = [
  { name: 'id', type: 'Int64', description: 'The integer id' },
  { name: 'uuid', type: 'UUID', description: 'The uuid' },
  { name: 'name', type: 'String', description: 'The name that lists show' },
  { name: 'properties', type: 'String', description: 'All properties as JSON; properties.key is one of them' },
  { name: 'is_identified', type: 'Bool', description: 'Whether the person was identified' },
  { name: 'created_at', type: 'DateTime64(3)', description: 'When the person was first seen' },
];

/** The shape of ids that SDKs generate; lists of persons use the same shape for names. */
const generated = '^[a-z0-9]+(-[a-z0-9]+){4}$';

/**
 * Writes the name that lists of persons show: the first display property that is not empty, else the first id that a human may
 * have chosen.
 */
const nameOf = ({ scope, literals }: SqlStatement, row: Sql): Sql => {
  const ids = sql`${row}.distinct_ids`;
  const shown = scope.project.personDisplayNameProperties.map(
    (key) => sql`nullIf(trimBoth(${propertyText(sql`${row}.properties`, key)}), '')`,
  );
  const human = sql`arrayFirst(one -> NOT match(one, ${literals.text(generated)}), ${ids})`;
  return sql`coalesce(${join([...shown, sql`nullIf(${human}, '')`, sql`nullIf(${ids}[1], '')`, sql`toString(${row}.id)`])})`;
};

/** A column of the table `persons`, which the statement reads under the name `row`. */
export const personColumn = (statement: SqlStatement, row: Sql, path: readonly string[]): Inner | null => {
  const [column, ...rest] = path;
  if (column === 'properties') return propertyOf(statement, 'person', sql`${row}.properties`, rest);
  if (rest.length > 0) return null;
  switch (column) {
    case 'id':
      return { sql: sql`${row}.id`, flavor: 'number' };
    case 'uuid':
      return { sql: sql`${row}.uuid`, flavor: 'other' };
    case 'name':
      return { sql: nameOf(statement, row), flavor: 'text' };
    case 'is_identified':
      return { sql: sql`${row}.is_identified`, flavor: 'other' };
    case 'created_at':
      return { sql: sql`${row}.created_at`, flavor: 'time' };
    default:
      return null;
  }
};

export const personsOfProject = ({ scope }: SqlStatement): Sql => sql`p.project_id = ${unsigned(scope.projectId)}`;

export const queriedPersons: QueryTable = {
  name: 'persons',
  description: 'Persons as they are now, without those that were merged or deleted',
  columns: personColumns,
  nested: [],
  find: (statement, path) => personColumn(statement, sql`p`, path),
  rows: (statement) => ({ from: sql`persons AS p FINAL`, where: personsOfProject(statement) }),
};

export const personDistinctIdsTable: QueryTable = {
  name: 'person_distinct_ids',
  description: 'The distinct ids of persons; of one person at most 10,000',
  columns: [
    { name: 'distinct_id', type: 'String', description: 'The distinct id' },
    { name: 'person_id', type: 'Int64', description: 'The person to whom it belongs now' },
  ],
  nested: [],
  find: (_, [column, ...rest]) => {
    if (rest.length > 0) return null;
    if (column === 'distinct_id') return { sql: sql`d`, flavor: 'text' };
    return column === 'person_id' ? { sql: sql`p.id`, flavor: 'number' } : null;
  },
  rows: (statement) => ({
    from: sql`persons AS p FINAL ARRAY JOIN p.distinct_ids AS d`,
    where: personsOfProject(statement),
  }),
};
