import { type Sql, integer, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { wasMember } from '../../kernel/memberships/membership-history.sql.js';
import { type CohortFilter, type Filter, type PropertyFilter } from '../reading/filter.js';
import {
  type Operand,
  columnOperand,
  comparisonSql,
  holdsAlways,
  holdsForAbsent,
  propertyOperand,
  timeOperand,
} from './operators.sql.js';

/** The cohorts that a filter names, each with the current version of its members; null before the first version. */
export type CohortMemberships = ReadonlyMap<number, number | null>;

export const noCohorts: CohortMemberships = new Map();

/**
 * The actors in a cohort, as a sub-select. A member that was merged into another person since the calculation counts as that
 * person; its own id stays in the set, but no actor has the id any more. Redirects are never chained.
 */
export const membersOf = (memberships: CohortMemberships, cohortId: number, projectId: number): Sql => {
  const version = memberships.get(cohortId);
  if (version === undefined) throw new Error(`Cohort ${cohortId} was not resolved`);
  if (version === null) return sql`(SELECT ${integer(0)} AS actor WHERE false)`;
  const project = unsigned(projectId);
  const members = sql`
    SELECT actor FROM cohort_members
    WHERE project_id = ${project} AND cohort_id = ${unsigned(cohortId)} AND version = ${unsigned(version)}`;
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
  } | null;
  /** The row of `persons`; null: person filters look up the actor by a sub-select. */
  readonly person: { readonly properties: Sql } | null;
  readonly cohorts: CohortMemberships;
}

/** Compiles a filter to 1 where it holds and 0 elsewhere. */
export const filterSql = (filter: Filter, scope: FilterScope): Sql => {
  if (holdsEverywhere(filter)) return sql`true`;
  if (isAboutPersons(filter) && !scope.person) return personSql(filter, scope);
  switch (filter.kind) {
    case 'property':
      return propertySql(filter, scope);
    case 'cohort':
      return cohortSql(filter, scope);
    case 'group': {
      const parts = scope.person ? filter.parts : gathered(filter.combine, filter.parts);
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
  if (filter.kind === 'cohort') return false;
  if (filter.kind === 'property') return holdsAlways(filter) && !filter.negated;
  if (filter.parts.length === 0) return true;
  return filter.combine === 'AND' ? filter.parts.every(holdsEverywhere) : filter.parts.some(holdsEverywhere);
};

const propertySql = (filter: PropertyFilter, scope: FilterScope): Sql => {
  const condition = comparisonSql(operandOf(filter, scope), filter, scope.now);
  return filter.negated ? sql`NOT (${condition})` : condition;
};

const operandOf = ({ source, key }: PropertyFilter, { event, person }: FilterScope): Operand => {
  if (source === 'person' && person) return propertyOperand(person.properties, key);
  if (!event) throw new Error(`A filter of type ${source} needs an event`);
  if (source === 'event') return propertyOperand(event.properties, key);
  if (key === 'timestamp') return timeOperand(event.timestamp);
  return columnOperand(key === 'event' ? event.event : event.distinctId);
};

const cohortSql = (filter: CohortFilter, { actor, cohorts, projectId, event }: FilterScope): Sql => {
  const { cohortId, negated } = filter;
  if (filter.atEvent) {
    if (!event) throw new Error('A filter on the membership at the time of an event needs an event');
    const wasIn = wasMember(cohortId, event.timestamp);
    return negated ? sql`NOT (${wasIn})` : wasIn;
  }
  return sql`${actor} ${negated ? sql`GLOBAL NOT IN` : sql`GLOBAL IN`} ${membersOf(cohorts, cohortId, projectId)}`;
};

const isAboutPersons = (filter: Filter): boolean =>
  filter.kind === 'group'
    ? filter.parts.length > 0 && filter.parts.every(isAboutPersons)
    : filter.kind === 'property' && filter.source === 'person';

/** Joins the filters about persons into one group, so that a single look-up answers all of them. */
const gathered = (combine: 'AND' | 'OR', parts: readonly Filter[]): readonly Filter[] => {
  const aboutPersons = parts.filter(isAboutPersons);
  if (aboutPersons.length < 2) return parts;
  return [...parts.filter((part) => !isAboutPersons(part)), { kind: 'group', combine, parts: aboutPersons }];
};

/**
 * Looks up persons by a sub-select. Profile-less actors have no row of properties, so a filter that accepts an absent property
 * is written as NOT IN the persons that fail it.
 */
const personSql = (filter: Filter, scope: FilterScope): Sql => {
  const condition = filterSql(filter, { ...scope, event: null, person: { properties: sql`p.properties` } });
  const persons = sql`SELECT p.id FROM persons AS p FINAL WHERE p.project_id = ${unsigned(scope.projectId)}`;
  return holdsWithoutPerson(filter)
    ? sql`${scope.actor} GLOBAL NOT IN (${persons} AND NOT (${condition}))`
    : sql`${scope.actor} GLOBAL IN (${persons} AND ${condition})`;
};

const holdsWithoutPerson = (filter: Filter): boolean => {
  if (filter.kind === 'group') {
    if (filter.parts.length === 0) return true;
    return filter.combine === 'AND' ? filter.parts.every(holdsWithoutPerson) : filter.parts.some(holdsWithoutPerson);
  }
  return filter.kind === 'property' && holdsForAbsent(filter) !== (filter.negated ?? false);
};

const columns = {
  event: sql`e.event`,
  timestamp: sql`e.timestamp`,
  distinctId: sql`e.distinct_id`,
  properties: sql`e.properties`,
} as const;

/** The filter scope of a statement that reads events as `e`. */
export const eventScope = ({
  projectId,
  now,
  timezone,
  actor,
  cohorts,
}: Pick<FilterScope, 'projectId' | 'now' | 'timezone' | 'actor' | 'cohorts'>): FilterScope => ({
  projectId,
  now,
  timezone,
  actor,
  event: columns,
  person: null,
  cohorts,
});
