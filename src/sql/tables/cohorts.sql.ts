import { type Membership, memberRowsSql } from '../../kernel/memberships/members.sql.js';
import {
  type Kind,
  type Sql,
  boolean,
  instant,
  join,
  list,
  sql,
  text,
  unsigned,
} from '../../platform/clickhouse/sql.js';
import { type LiveCohort } from '../../kernel/memberships/live-cohorts.js';
import { type Inner, type QueryTable } from './table.js';

/** The cohorts in one bound list, because a server accepts at most 131,072 characters in a bound value. */
const cohortsInList = 200;

const listed = <T>(kind: Kind<T>, cohorts: readonly LiveCohort[], value: (cohort: LiveCohort) => T): Sql =>
  sql`${list(kind, cohorts.map(value))}`;

/** Writes the cohorts into the statement, because ClickHouse does not have them and there are few. */
const cohortRows = (cohorts: readonly LiveCohort[]): Sql => {
  const slices = Array.from({ length: Math.max(1, Math.ceil(cohorts.length / cohortsInList)) }, (_, at) =>
    cohorts.slice(at * cohortsInList, (at + 1) * cohortsInList),
  );
  const selects = slices.map(
    (slice) => sql`SELECT arrayJoin(arrayZip(
      ${listed(unsigned, slice, ({ id }) => id)}, ${listed(text, slice, ({ name }) => name)},
      ${listed(boolean, slice, ({ isStatic }) => isStatic)}, ${listed(instant, slice, ({ createdAt }) => createdAt)})) AS c`,
  );
  return sql`(${join(selects, sql` UNION ALL `)})`;
};

export const cohortsTable: QueryTable = {
  name: 'cohorts',
  description: 'Cohorts that are not deleted',
  columns: [
    { name: 'id', type: 'UInt64', description: 'The id' },
    { name: 'name', type: 'String', description: 'The name' },
    { name: 'is_static', type: 'Bool', description: 'Whether its members were listed one by one' },
    { name: 'created_at', type: 'DateTime64(3)', description: 'When it was created' },
  ],
  nested: [],
  find: (_, [column, ...rest]): Inner | null => {
    if (rest.length > 0) return null;
    switch (column) {
      case 'id':
        return { sql: sql`k.c.1`, flavor: 'number' };
      case 'name':
        return { sql: sql`k.c.2`, flavor: 'text' };
      case 'is_static':
        return { sql: sql`k.c.3`, flavor: 'other' };
      case 'created_at':
        return { sql: sql`k.c.4`, flavor: 'time' };
      default:
        return null;
    }
  },
  rows: ({ scope }) => ({ from: sql`${cohortRows(scope.cohorts)} AS k`, where: null }),
};

export const cohortPeopleTable: QueryTable = {
  name: 'cohort_people',
  description: 'The persons in each cohort of persons now',
  columns: [
    { name: 'cohort_id', type: 'UInt32', description: 'The id of the cohort' },
    { name: 'person_id', type: 'Int64', description: 'The id of the person' },
  ],
  nested: [],
  find: (_, [column, ...rest]): Inner | null => {
    if (rest.length > 0) return null;
    if (column === 'cohort_id') return { sql: sql`m.cohort_id`, flavor: 'number' };
    return column === 'person_id' ? { sql: sql`m.actor`, flavor: 'number' } : null;
  },
  rows: ({ scope }) => {
    const memberships = membershipsIn(scope.cohorts).filter(({ groupType }) => groupType === null);
    return { from: sql`(${memberRowsSql(scope.projectId, memberships)}) AS m`, where: null };
  },
};

const membershipsIn = (cohorts: readonly LiveCohort[]): Membership[] =>
  cohorts.flatMap(({ id, version, groupType }) => (version === null ? [] : [{ id, version, groupType }]));

export const cohortGroupsTable: QueryTable = {
  name: 'cohort_groups',
  description: 'The groups in each cohort of groups now',
  columns: [
    { name: 'cohort_id', type: 'UInt32', description: 'The id of the cohort' },
    { name: 'group_id', type: 'Int64', description: 'The id of the group' },
    { name: 'index', type: 'UInt8', description: 'The index of the type' },
    { name: 'key', type: 'String', description: 'The key with which events name the group' },
  ],
  nested: [],
  find: (_, [column, ...rest]): Inner | null => {
    if (rest.length > 0) return null;
    switch (column) {
      case 'cohort_id':
        return { sql: sql`m.cohort_id`, flavor: 'number' };
      case 'group_id':
        return { sql: sql`m.actor`, flavor: 'number' };
      case 'index':
        return { sql: sql`g.group_type_index`, flavor: 'number' };
      case 'key':
        return { sql: sql`g.key`, flavor: 'text' };
      default:
        return null;
    }
  },
  rows: ({ scope }) => {
    const memberships = membershipsIn(scope.cohorts).filter(({ groupType }) => groupType !== null);
    return {
      from: sql`(${memberRowsSql(scope.projectId, memberships)}) AS m GLOBAL INNER JOIN (
        SELECT id, group_type_index, key FROM groups FINAL WHERE project_id = ${unsigned(scope.projectId)}
      ) AS g ON g.id = m.actor`,
      where: null,
    };
  },
};
