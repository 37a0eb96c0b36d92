import { type Sql, integer, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { wasMember } from '../../kernel/memberships/membership-history.sql.js';
import {
  type CohortFilter,
  type ExpressionFilter,
  type Filter,
  type PropertyFilter,
  groupKey,
} from '../reading/filter.js';
import { type Operand, columnOperand, comparisonSql, propertyOperand, timeOperand } from './operators.sql.js';
import { holdsAlways, holdsForAbsent } from '../reading/comparison.js';

/** A cohort that a filter names. */
export interface NamedCohort {
  /** The current version of its members; null before the first version. */
  readonly version: number | null;
  /** The index of the type of the groups that are its members; null: its members are persons. */
  readonly groupType: number | null;
}

/** The cohorts that a filter names, by id. */
export type CohortMemberships = ReadonlyMap<number, NamedCohort>;

export const noCohorts: CohortMemberships = new Map();

export const cohortNamed = (memberships: CohortMemberships, cohortId: number): NamedCohort => {
  const cohort = memberships.get(cohortId);
  if (cohort === undefined) throw new Error(`Cohort ${cohortId} was not resolved`);
  return cohort;
};

/**
 * The actors in a cohort, as a sub-select. A member that was merged into another person since the calculation counts as that
 * person; its own id stays in the set, but no actor has the id any more. Redirects are never chained. Of a cohort of groups, it
 * is the groups that exist: a deleted group that an event names again has the same actor, but another id.
 */
export const membersOf = (memberships: CohortMemberships, cohortId: number, projectId: number): Sql => {
  const { version, groupType } = cohortNamed(memberships, cohortId);
  if (version === null) return sql`(SELECT ${integer(0)} AS actor WHERE false)`;
  const project = unsigned(projectId);
  const members = sql`
    SELECT actor FROM cohort_members
    WHERE project_id = ${project} AND cohort_id = ${unsigned(cohortId)} AND version = ${unsigned(version)}`;
  if (groupType !== null)
    return sql`(
    SELECT actor FROM groups FINAL
    WHERE project_id = ${project} AND group_type_index = ${unsigned(groupType)} AND id GLOBAL IN (${members}))`;
  return sql`(${members}
    UNION ALL
    SELECT target AS actor FROM person_redirects FINAL
    WHERE project_id = ${project} AND source GLOBAL IN (${members}))`;
};

/** The columns and values that a compiled filter may read. */
export interface FilterScope {
  readonly projectId: number;
  readonly now: Date;
  readonly timezone: string;
  readonly actor: Sql;
  /** The columns of the event; null without an event. */
  readonly event: {
    readonly event: Sql;
    readonly timestamp: Sql;
    readonly distinctId: Sql;
    readonly properties: Sql;
    /** The actors of its groups by the indexes of their types. */
    readonly groups: Sql;
  } | null;
  /** The row of `persons`; null: person filters look up the actor by a sub-select. */
  readonly person: { readonly properties: Sql } | null;
  /** The row of `groups`, whose actor is then `actor`; without it, filters on groups look up the group by a sub-select. */
  readonly group?: { readonly key: Sql; readonly properties: Sql };
  readonly cohorts: CohortMemberships;
  /** The conditions that the texts of expressions stand for; missing where no expression is possible. */
  readonly expressions?: ReadonlyMap<string, Sql>;
}

/** Compiles a filter to 1 where it holds and 0 elsewhere. */
export const filterSql = (filter: Filter, scope: FilterScope): Sql => {
  if (holdsEverywhere(filter)) return sql`true`;
  const table = tableOf(filter);
  if (table !== null && !isRead(table, scope)) return lookedUp(filter, table, scope);
  switch (filter.kind) {
    case 'property':
      return propertySql(filter, scope);
    case 'cohort':
      return cohortSql(filter, scope);
    case 'expression':
      return conditionSql(filter, scope);
    case 'group': {
      const parts = gathered(filter.combine, filter.parts, scope);
      return combined(
        filter.combine,
        parts.map((part) => filterSql(part, scope)),
      );
    }
  }
};

const combined = (combine: 'AND' | 'OR', parts: readonly Sql[]): Sql =>
  sql`(${join(parts, combine === 'AND' ? sql` AND ` : sql` OR `)})`;

const holdsEverywhere = (filter: Filter): boolean => {
  if (filter.kind === 'cohort' || filter.kind === 'expression') return false;
  if (filter.kind === 'property') return holdsAlways(filter) && !filter.negated;
  if (filter.parts.length === 0) return true;
  return filter.combine === 'AND' ? filter.parts.every(holdsEverywhere) : filter.parts.some(holdsEverywhere);
};

const propertySql = (filter: PropertyFilter, scope: FilterScope): Sql => {
  const condition = comparisonSql(operandOf(filter, scope), filter, scope.now);
  return filter.negated ? sql`NOT (${condition})` : condition;
};

const operandOf = ({ source, key }: PropertyFilter, { event, person, group }: FilterScope): Operand => {
  if (source === 'person' && person) return propertyOperand(person.properties, key);
  if (source === 'group' && group)
    return key === groupKey ? columnOperand(group.key) : propertyOperand(group.properties, key);
  if (!event) throw new Error(`A filter of type ${source} needs an event`);
  if (source === 'event') return propertyOperand(event.properties, key);
  if (key === 'timestamp') return timeOperand(event.timestamp);
  return columnOperand(key === 'event' ? event.event : event.distinctId);
};

const cohortSql = (filter: CohortFilter, scope: FilterScope): Sql => {
  const { cohortId, negated } = filter;
  const { cohorts, projectId, event } = scope;
  if (filter.atEvent) {
    if (!event) throw new Error('A filter on the membership at the time of an event needs an event');
    const wasIn = wasMember(cohortId, event.timestamp);
    return negated ? sql`NOT (${wasIn})` : wasIn;
  }
  return sql`${memberIn(cohortId, scope)} ${negated ? sql`GLOBAL NOT IN` : sql`GLOBAL IN`} ${membersOf(cohorts, cohortId, projectId)}`;
};

const conditionSql = ({ text, negated }: ExpressionFilter, { expressions }: FilterScope): Sql => {
  const holds = expressions?.get(text);
  if (!holds) throw new Error('The expression of a filter was not compiled');
  return negated ? sql`NOT ${holds}` : holds;
};

/** The person or the group whose membership decides. `FilterChecks` refuses cohorts of groups where there is no group. */
const memberIn = (cohortId: number, { actor, cohorts, event, group }: FilterScope): Sql => {
  const { groupType } = cohortNamed(cohorts, cohortId);
  if (groupType === null || group) return actor;
  if (!event) throw new Error('A filter by a cohort of groups needs an event or a group');
  return groupOfType(event.groups, groupType);
};

/** The table whose rows decide a filter alone: `persons`, or the groups of the type with this index. */
type RowTable = 'persons' | number;

const isRead = (table: RowTable, { person, group }: FilterScope): boolean =>
  table === 'persons' ? person !== null : group !== undefined;

/** The table that all parts of a filter are about; null if there are several, or none. */
const tableOf = (filter: Filter): RowTable | null => {
  if (filter.kind === 'cohort' || filter.kind === 'expression') return null;
  if (filter.kind === 'property')
    return filter.source === 'person' ? 'persons' : filter.source === 'group' ? (filter.groupType ?? null) : null;
  const [first = null, ...others] = new Set(filter.parts.map(tableOf));
  return others.length === 0 ? first : null;
};

/** Joins the filters about one table into one group, so that a single look-up answers all of them. */
const gathered = (combine: 'AND' | 'OR', parts: readonly Filter[], scope: FilterScope): readonly Filter[] => {
  const byTable = new Map<RowTable, Filter[]>();
  const others: Filter[] = [];
  for (const part of parts) {
    const table = tableOf(part);
    if (table === null || isRead(table, scope)) others.push(part);
    else byTable.set(table, [...(byTable.get(table) ?? []), part]);
  }
  const together = [...byTable.values()].map((about): Filter =>
    about.length === 1 && about[0] ? about[0] : { kind: 'group', combine, parts: about },
  );
  return together.length === 0 ? parts : [...others, ...together];
};

/**
 * Looks up persons or groups by a sub-select. Profile-less actors and events without a group have no row of properties, so a
 * filter that accepts an absent property is written as NOT IN the rows that fail it.
 */
const lookedUp = (filter: Filter, table: RowTable, scope: FilterScope): Sql => {
  const { actor, rows, row } = table === 'persons' ? personsOf(scope) : groupsOf(table, scope);
  const condition = filterSql(filter, { ...scope, event: null, ...row });
  return holdsWithoutRow(filter)
    ? sql`${actor} GLOBAL NOT IN (${rows} AND NOT (${condition}))`
    : sql`${actor} GLOBAL IN (${rows} AND ${condition})`;
};

const personsOf = ({ actor, projectId }: FilterScope) => ({
  actor,
  rows: sql`SELECT p.id FROM persons AS p FINAL WHERE p.project_id = ${unsigned(projectId)}`,
  row: { person: { properties: sql`p.properties` } },
});

const groupsOf = (type: number, { event, projectId }: FilterScope) => {
  if (!event) throw new Error('A filter on groups needs an event');
  return {
    actor: groupOfType(event.groups, type),
    rows: sql`SELECT g.actor FROM groups AS g FINAL
      WHERE g.project_id = ${unsigned(projectId)} AND g.group_type_index = ${unsigned(type)}`,
    row: { group: { key: sql`g.key`, properties: sql`g.properties` } },
  };
};

/** The actor of an event's group of a type; 0 if it has none. */
export const groupOfType = (groups: Sql, type: number): Sql => sql`${groups}[${unsigned(type)}]`;

const holdsWithoutRow = (filter: Filter): boolean => {
  if (filter.kind === 'group') {
    if (filter.parts.length === 0) return true;
    return filter.combine === 'AND' ? filter.parts.every(holdsWithoutRow) : filter.parts.some(holdsWithoutRow);
  }
  return filter.kind === 'property' && holdsForAbsent(filter) !== (filter.negated ?? false);
};

const columns = {
  event: sql`e.event`,
  timestamp: sql`e.timestamp`,
  distinctId: sql`e.distinct_id`,
  properties: sql`e.properties`,
  groups: sql`e.groups`,
} as const;

/** The filter scope of a statement that reads events as `e`. */
export const eventScope = ({
  projectId,
  now,
  timezone,
  actor,
  cohorts,
  expressions,
}: Pick<FilterScope, 'projectId' | 'now' | 'timezone' | 'actor' | 'cohorts' | 'expressions'>): FilterScope => ({
  projectId,
  now,
  timezone,
  actor,
  event: columns,
  person: null,
  cohorts,
  ...(expressions && { expressions }),
});
