import { type FilterScope, filterSql } from '../../filters/compile/compile.sql.js';
import { type PropertyFilter } from '../../filters/reading/filter.js';
import { resolvedActor } from '../../kernel/projection/actors.sql.js';
import { type Sql, empty, identifier, integer, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import {
  belongsTo,
  columnOf,
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

const personScope = ({ project, now, cohorts }: CalculationScope): FilterScope => ({
  projectId: project.id,
  now,
  timezone: project.timezone,
  actor: sql`p.id`,
  event: null,
  person: { properties: sql`p.properties` },
  cohorts,
});

/** Returns the criteria that aggregates over a person's events decide, each with its index among the behaviours. */
export const eventAggregatesOf = (definition: Definition, scope: CalculationScope): EventAggregates =>
  behavioursOf(definition).flatMap((b, at) =>
    b.did === 'performed_event_sequence' || b.groupType !== null ? [] : [[at, b, aggregateOf(b, scope)] as const],
  );

/** The condition that the person `p`, whose event aggregates are the row `b`, is a member. */
const holds = (
  node: DefinitionNode,
  definition: Definition,
  aggregates: EventAggregates,
  scope: CalculationScope,
): Sql => {
  if (node.kind === 'group') return groupHolds(node, definition, aggregates, scope);
  if (node.kind === 'property' && node.groupType !== undefined) return inGroupLike(node, node.groupType, scope);
  if (node.kind !== 'behaviour') return filterSql(node, personScope(scope));
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

/** True for the person `p` if it belongs to a group that passes the filter; a negated filter: if it belongs to none. */
const inGroupLike = (filter: PropertyFilter, groupType: number, scope: CalculationScope): Sql => {
  const { negated = false, ...positive } = filter;
  const group = { key: sql`g.key`, properties: sql`g.properties` };
  const groups = sql`
    SELECT g.actor FROM groups AS g FINAL
    WHERE g.project_id = ${unsigned(scope.project.id)} AND g.group_type_index = ${unsigned(groupType)}
      AND ${filterSql(positive, { ...personScope(scope), group })}`;
  const belongs = belongsTo(groupType, groups, scope);
  return negated ? sql`NOT (${belongs})` : belongs;
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
  if (behaviour.groupType !== null) return belongsTo(behaviour.groupType, groupsThatDid(behaviour, scope), scope);
  if (behaviour.did === 'performed_event_sequence') return sql`p.id GLOBAL IN (${sequenceSql(behaviour, scope)})`;
  const at = behavioursOf(definition).indexOf(behaviour);
  const aggregate = aggregates.find(([place]) => place === at)?.[2];
  if (!aggregate) throw new Error('A criterion about events was not looked at');
  return aggregate.holds((name) => sql`b.${columnOf(at, name)}`);
};

/** Explains one person: does the definition match and, for each criterion in order, does it hold, and what was counted? */
export const explanationSql = (definition: CriteriaGroup, personId: string, scope: CalculationScope): Sql => {
  const id = integer(BigInt(personId));
  const aggregates = eventAggregatesOf(definition, scope);
  const only = sql` AND ${resolvedActor(scope)} = ${id}`;
  const seen =
    aggregates.length === 0
      ? empty
      : sql` GLOBAL ANY LEFT JOIN (${aggregatesSql(aggregates, scope, only)}) AS b ON b.actor = p.id`;
  const verdicts = criteriaOf(definition).map((criterion, at) => {
    return sql`toUInt8(${holds(criterion, definition, aggregates, scope)}) AS ${identifier(`holds_${at}`)}`;
  });
  const values = aggregates.flatMap(([at, , { values }]) =>
    values.map(([name]) => sql`b.${columnOf(at, name)} AS ${identifier(`seen_${at}_${name}`)}`),
  );
  return sql`
    SELECT toUInt8(${holds(definition, definition, aggregates, scope)}) AS holds, ${join([...verdicts, ...values])}
    FROM persons AS p FINAL${seen}
    WHERE p.project_id = ${unsigned(scope.project.id)} AND p.id = ${id}`;
};

/**
 * Selects the persons that a definition describes. Each person is checked once, together with the aggregates of its events, so
 * negation needs no subtraction of sets: a negated root simply selects all other persons.
 */
export const membersSql = (definition: Definition, scope: CalculationScope): Sql => {
  const project = unsigned(scope.project.id);
  if (definition === null) return sql`SELECT toInt64(0) AS actor WHERE false`;
  const aggregates = eventAggregatesOf(definition, scope);
  const seen =
    aggregates.length === 0
      ? empty
      : sql` GLOBAL ANY LEFT JOIN (${aggregatesSql(aggregates, scope)}) AS b ON b.actor = p.id`;
  return sql`
    SELECT p.id AS actor FROM persons AS p FINAL${seen}
    WHERE p.project_id = ${project} AND ${holds(definition, definition, aggregates, scope)}`;
};

/** Reads no data, but fails if the engine cannot accept the statement. */
export const analysisSql = (definition: Definition, scope: CalculationScope): Sql =>
  sql`DESCRIBE TABLE (${membersSql(definition, scope)})`;
