import { type FilterScope, cohortNamed, filterSql, membersOf } from '../../filters/compile/compile.sql.js';
import { type CohortFilter, type PropertyFilter } from '../../filters/reading/filter.js';
import { type Sql, empty, identifier, integer, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import {
  belongsTo,
  columnOf,
  doerOf,
  sequenceSql,
  aggregateOf,
  aggregatesSql,
  type CalculationScope,
  type EventAggregate,
} from './criteria.sql.js';
import {
  behavioursOf,
  criteriaOf,
  type Behaviour,
  type CriteriaGroup,
  type Definition,
  type DefinitionNode,
} from './definition.js';

type EventAggregates = readonly (readonly [number, Behaviour, EventAggregate])[];

/** The rows among which members are found: the persons `p`, or the groups `g` of a type. */
interface Subjects {
  readonly from: Sql;
  readonly where: Sql;
  /** The id by which members are recorded. */
  readonly id: Sql;
  /** The number by which events name the subject. */
  readonly actor: Sql;
  readonly row: Pick<FilterScope, 'person' | 'group'>;
}

const persons: Omit<Subjects, 'where'> = {
  from: sql`persons AS p FINAL`,
  id: sql`p.id`,
  actor: sql`p.id`,
  row: { person: { properties: sql`p.properties` } },
};

const groups: Omit<Subjects, 'where'> = {
  from: sql`groups AS g FINAL`,
  id: sql`g.id`,
  actor: sql`g.actor`,
  row: { person: null, group: { key: sql`g.key`, properties: sql`g.properties` } },
};

const subjectsOf = ({ project, groupType }: CalculationScope): Subjects =>
  groupType === null
    ? { ...persons, where: sql`p.project_id = ${unsigned(project.id)}` }
    : {
        ...groups,
        where: sql`g.project_id = ${unsigned(project.id)} AND g.group_type_index = ${unsigned(groupType)}`,
      };

const scopeOf = (
  { actor, row }: Omit<Subjects, 'where'>,
  { project, now, cohorts }: CalculationScope,
): FilterScope => ({
  projectId: project.id,
  now,
  timezone: project.timezone,
  actor,
  event: null,
  ...row,
  cohorts,
});

/** Returns the criteria that aggregates over the events of a subject decide, each with its index among the behaviours. */
export const eventAggregatesOf = (definition: Definition, scope: CalculationScope): EventAggregates =>
  behavioursOf(definition).flatMap((b, at) =>
    b.did === 'performed_event_sequence' || b.groupType !== scope.groupType
      ? []
      : [[at, b, aggregateOf(b, scope)] as const],
  );

/** The condition that the subject, whose event aggregates are the row `b`, is a member. */
const holds = (
  node: DefinitionNode,
  definition: Definition,
  aggregates: EventAggregates,
  scope: CalculationScope,
): Sql => {
  if (node.kind === 'group') return groupHolds(node, definition, aggregates, scope);
  if (node.kind !== 'behaviour') return filterHolds(node, scope);
  const condition = behaviourHolds(node, definition, aggregates, scope);
  return node.negated ? sql`NOT (${condition})` : condition;
};

const groupHolds = (
  group: CriteriaGroup,
  definition: Definition,
  aggregates: EventAggregates,
  scope: CalculationScope,
): Sql => {
  // An empty group matches no person, at any depth.
  if (group.parts.length === 0) return sql`false`;
  const parts = group.parts.map((part) => holds(part, definition, aggregates, scope));
  return sql`(${join(parts, group.combine === 'AND' ? sql` AND ` : sql` OR `)})`;
};

/** In a cohort of persons, a filter on groups holds for a person who belongs to a group that passes it. */
const filterHolds = (filter: PropertyFilter | CohortFilter, scope: CalculationScope): Sql => {
  if (scope.groupType === null && filter.kind === 'property' && filter.groupType !== undefined)
    return inGroup(filter, filter.groupType, groupsLike(filter, filter.groupType, scope), scope);
  if (scope.groupType === null && filter.kind === 'cohort') {
    const { groupType } = cohortNamed(scope.cohorts, filter.cohortId);
    const members = membersOf(scope.cohorts, filter.cohortId, scope.project.id);
    if (groupType !== null) return inGroup(filter, groupType, sql`SELECT actor FROM ${members}`, scope);
  }
  return filterSql(filter, scopeOf(subjectsOf(scope), scope));
};

/** True for the person `p` if it belongs to one of the groups; for a negated filter: if it belongs to none. */
const inGroup = (
  { negated = false }: { readonly negated?: boolean },
  groupType: number,
  among: Sql,
  scope: CalculationScope,
): Sql => {
  const belongs = belongsTo(groupType, among, scope);
  return negated ? sql`NOT (${belongs})` : belongs;
};

/** The groups that pass a filter, which is taken as if it were not negated. */
const groupsLike = (filter: PropertyFilter, groupType: number, scope: CalculationScope): Sql => {
  const positive = { ...filter, negated: false };
  const { from, where } = subjectsOf({ ...scope, groupType });
  return sql`
    SELECT g.actor FROM ${from}
    WHERE ${where} AND ${filterSql(positive, scopeOf(groups, scope))}`;
};

const groupsThatDid = (behaviour: Behaviour, scope: CalculationScope): Sql => {
  if (behaviour.did === 'performed_event_sequence') return sequenceSql(behaviour, scope);
  const aggregate = aggregateOf(behaviour, scope);
  const counted = aggregatesSql([[0, behaviour, aggregate]], scope, empty, behaviour.groupType);
  return sql`SELECT b.actor FROM (${counted}) AS b WHERE ${aggregate.holds((name) => sql`b.${columnOf(0, name)}`)}`;
};

export const behaviourHolds = (
  behaviour: Behaviour,
  definition: Definition,
  aggregates: EventAggregates,
  scope: CalculationScope,
): Sql => {
  if (behaviour.groupType !== null && scope.groupType === null)
    return belongsTo(behaviour.groupType, groupsThatDid(behaviour, scope), scope);
  if (behaviour.did === 'performed_event_sequence')
    return sql`${subjectsOf(scope).actor} GLOBAL IN (${sequenceSql(behaviour, scope)})`;
  const at = behavioursOf(definition).indexOf(behaviour);
  const aggregate = aggregates.find(([place]) => place === at)?.[2];
  if (!aggregate) throw new Error('A criterion about events was not looked at');
  return aggregate.holds((name) => sql`b.${columnOf(at, name)}`);
};

/** A person or a group that is explained, by the numbers that `Subjects` has. */
export interface Subject {
  readonly id: string;
  readonly actor: string;
}

/** Joins the subjects with the aggregates of their events, as `b`. */
const aggregatesJoin = (aggregates: EventAggregates, scope: CalculationScope, only: Sql = empty): Sql =>
  aggregates.length === 0
    ? empty
    : sql` GLOBAL ANY LEFT JOIN (${aggregatesSql(aggregates, scope, only, scope.groupType)}) AS b ON b.actor = ${subjectsOf(scope).actor}`;

/** Explains one subject: does the definition match and, for each criterion in order, does it hold, and what was counted? */
export const explanationSql = (definition: CriteriaGroup, subject: Subject, scope: CalculationScope): Sql => {
  const { from, where, id } = subjectsOf(scope);
  const aggregates = eventAggregatesOf(definition, scope);
  const only = sql` AND ${doerOf(scope, scope).actor} = ${integer(BigInt(subject.actor))}`;
  const verdicts = criteriaOf(definition).map((criterion, at) => {
    return sql`toUInt8(${holds(criterion, definition, aggregates, scope)}) AS ${identifier(`holds_${at}`)}`;
  });
  const values = aggregates.flatMap(([at, , { values }]) =>
    values.map(([name]) => sql`b.${columnOf(at, name)} AS ${identifier(`seen_${at}_${name}`)}`),
  );
  return sql`
    SELECT toUInt8(${holds(definition, definition, aggregates, scope)}) AS holds, ${join([...verdicts, ...values])}
    FROM ${from}${aggregatesJoin(aggregates, scope, only)}
    WHERE ${where} AND ${id} = ${integer(BigInt(subject.id))}`;
};

/**
 * Selects the persons or groups that a definition describes, their ids as `actor`. Each is checked once, together with the
 * aggregates of its events, so negation needs no subtraction of sets: a negated root simply selects all others.
 */
export const membersSql = (definition: Definition, scope: CalculationScope): Sql => {
  if (definition === null) return sql`SELECT toInt64(0) AS actor WHERE false`;
  const { from, where, id } = subjectsOf(scope);
  const aggregates = eventAggregatesOf(definition, scope);
  return sql`
    SELECT ${id} AS actor FROM ${from}${aggregatesJoin(aggregates, scope)}
    WHERE ${where} AND ${holds(definition, definition, aggregates, scope)}`;
};

/** Reads no data, but fails if the engine cannot accept the statement. */
export const analysisSql = (definition: Definition, scope: CalculationScope): Sql =>
  sql`DESCRIBE TABLE (${membersSql(definition, scope)})`;
