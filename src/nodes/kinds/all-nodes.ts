import { type InsightType } from '../../analytics/kinds/insight-kinds.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { isFields, requireObject } from '../../platform/fields/values.js';
import { nearestName } from '../../platform/errors/nearest-name.js';
import { maxRows } from '../../sql/ask/query-input.js';
import { entityNodes } from '../reading/entities.js';
import { readNodeFields, works, type NodeShape } from '../reading/node-fields.js';
import { breakdown, breakdownFilter, compareFilter, dateRange, nodeBasics } from '../reading/shared-fields.js';
import { readSource } from '../reading/sources.js';
import { Translation } from '../reading/translation.js';
import { correlationNode, correlationTable } from './correlation.node.js';
import { eventsNodeList, eventsQuery } from './events.node.js';
import { funnelsTable } from './funnels.node.js';
import { groupsQuery } from './groups.node.js';
import { assertHeatmap, heatmapNode, heatmapTable } from './heatmap.js';
import { type InsightNode } from './insight-node.js';
import { lifecycleTable } from './lifecycle.node.js';
import { pathsTable } from './paths.node.js';
import { actorsQueryOf, personsNode } from './persons.node.js';
import { retentionTable } from './retention.node.js';
import { actorsNodes, correlationActors, insightNodes, readInsightNode } from './selections.js';
import { stickinessTable } from './stickiness.node.js';
import { trendsTable } from './trends.node.js';
import { innermost, savedInsightNode, sqlNodes, wrapperNodes } from './wrappers.js';

const allInsights: Readonly<Record<string, InsightNode>> = {
  ...insightNodes,
  CalendarHeatmapQuery: heatmapNode,
  FunnelCorrelationQuery: correlationNode,
};

export const nodeOfInsight = (insight: InsightType): { readonly kind: string; readonly node: InsightNode } => {
  const [found] = Object.entries(allInsights).filter(([, { insight: own }]) => own === insight);
  if (!found) throw new RangeError(`there is no node of ${insight}`);
  return { kind: found[0], node: found[1] };
};

const selectors: Readonly<Record<string, NodeShape>> = {
  ...actorsNodes,
  FunnelCorrelationActorsQuery: correlationActors(correlationNode),
};

const actorsQuery = actorsQueryOf(
  works(
    (value, attr, into) => {
      if (isFields(value) && value.kind === 'HogQLQuery') {
        into.inSql = { node: value, attr };
        return;
      }
      into.source = new Translation();
      readSource(value, attr, into.source, selectors, ['HogQLQuery']);
    },
    `${Object.keys(selectors).join(', ')}, or a HogQLQuery that yields \`person_id\`, \`actor_id\` or \`distinct_id\`, or \`id\` of \`persons\`, of at most ${maxRows.toLocaleString('en')} persons; absent: all persons`,
  ),
);

/** Asks by what the persons behind an insight can be selected. */
const optionsQuery: NodeShape = {
  ...nodeBasics,
  source: works((value, attr, into) => {
    into.source = new Translation();
    readSource(value, attr, into.source, selectors);
  }, Object.keys(selectors).join(', ')),
};

/** Lists of events, persons and groups. */
const lists: Readonly<Record<string, NodeShape>> = {
  EventsQuery: eventsQuery,
  EventsNode: eventsNodeList,
  ActorsQuery: actorsQuery,
  InsightActorsQueryOptions: optionsQuery,
  PersonsNode: personsNode,
  GroupsQuery: groupsQuery,
};

/** Every kind of node that has an answer here, without those in SQL. */
const answered = [...Object.keys(allInsights), ...Object.keys(lists)];

/** Why the kinds that clients may send have no answer here. */
const absentKinds: readonly (readonly [RegExp, string])[] = [
  [/Recording|SessionsTimeline/, 'there are no session recordings here'],
  [/^Experiment/, 'there are no experiments here'],
  [/ErrorTracking/, 'there is no error tracking here'],
  [/^Web|Marketing|Conversions|^RevenueA|^RevenueE/, 'ask with a TrendsQuery or in SQL'],
  [/^SavedInsightNode$/, 'save the question itself'],
  [/DataWarehouse|DatabaseSchema/, 'GET query/schema lists the tables'],
  [/^Log|^Trac|^MCP|^Endpoints|Attribution|^Hog|Taxonomy|^Sessions/, 'ask in SQL, with a HogQLQuery'],
  [/^InsightActorsQuery$|ActorsQuery$/, 'put it into the source of an ActorsQuery'],
];

const unknownKind = (kind: unknown, attr: string): Error => {
  if (typeof kind !== 'string') return invalidInput(`${attr} must be the kind of a node, such as TrendsQuery`, attr);
  const known = [...answered, 'HogQLQuery', ...Object.keys(wrapperNodes)];
  const nearest = nearestName(kind, known, 3);
  const reason = absentKinds.find(([pattern]) => pattern.test(kind))?.[1];
  const hint = nearest !== null ? `did you mean ${nearest}?` : (reason ?? `known are ${known.join(', ')}`);
  return invalidInput(`${attr} ${kind.slice(0, 100)} has no answer here: ${hint}`, attr);
};

/** A node that is read: an insight, the persons behind one, or a list. */
export type ReadNode = {
  readonly attr: string;
  readonly translation: Translation;
} & (
  | { readonly kind: 'insight'; readonly node: InsightNode }
  | { readonly kind: 'events' | 'old events' | 'actors' | 'options' | 'persons' | 'groups' }
);

const listKinds = {
  EventsQuery: 'events',
  EventsNode: 'old events',
  ActorsQuery: 'actors',
  InsightActorsQueryOptions: 'options',
  PersonsNode: 'persons',
  GroupsQuery: 'groups',
} as const;

export const readNode = (sent: unknown, root: string): ReadNode => {
  readWrappers(sent, root);
  const { node, attr } = innermost(sent, root);
  const { kind } = requireObject(node, attr);
  const translation = new Translation();
  if (typeof kind === 'string' && Object.hasOwn(allInsights, kind)) {
    readInsightNode(node, attr, translation, allInsights);
    const insight = allInsights[kind];
    assertHeatmap(translation, attr);
    if (insight) return { kind: 'insight', node: insight, attr, translation };
  }
  const list = Object.entries(listKinds).find(([name]) => name === kind);
  const fields = list && lists[list[0]];
  if (!list || !fields) throw unknownKind(kind, `${attr}.kind`);
  readNodeFields(fields, node, attr, translation);
  return { kind: list[1], attr, translation };
};

const readWrappers = (node: unknown, attr: string): void => {
  if (!isFields(node) || typeof node.kind !== 'string') return;
  const fields = Object.hasOwn(wrapperNodes, node.kind) ? wrapperNodes[node.kind] : undefined;
  if (!fields) return;
  readNodeFields(fields, node, attr, new Translation());
  readWrappers(node.source, `${attr}.source`);
};

/** Every type of the schema that is read here, with what becomes of its fields. */
export const nodeTable: Readonly<Record<string, NodeShape>> = {
  ...trendsTable,
  ...heatmapTable,
  ...funnelsTable,
  ...retentionTable,
  ...pathsTable,
  ...stickinessTable,
  ...lifecycleTable,
  ...correlationTable,
  EventsQuery: eventsQuery,
  ActorsQuery: actorsQuery,
  InsightActorsQueryOptions: optionsQuery,
  ...selectors,
  PersonsNode: personsNode,
  GroupsQuery: groupsQuery,
  ...entityNodes,
  EventsNodeAsList: eventsNodeList,
  DateRange: dateRange,
  BreakdownFilter: breakdownFilter,
  Breakdown: breakdown,
  CompareFilter: compareFilter,
  ...sqlNodes,
  ...wrapperNodes,
  SavedInsightNode: savedInsightNode,
};
