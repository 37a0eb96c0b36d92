import { type InsightType } from '../../analytics/kinds/insight-kinds.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { requireObject } from '../../platform/fields/values.js';
import { readEntityNode } from '../reading/entities.js';
import { becomes, withoutEffect, works, type NodeField, type NodeShape } from '../reading/node-fields.js';
import { dataBasics } from '../reading/shared-fields.js';
import { readSource } from '../reading/sources.js';
import { type Translation } from '../reading/translation.js';
import { ownBreakdownValue, type InsightNode } from './insight-node.js';
import { funnelsNode } from './funnels.node.js';
import { lifecycleNode } from './lifecycle.node.js';
import { pathsNode } from './paths.node.js';
import { retentionNode } from './retention.node.js';
import { stickinessNode } from './stickiness.node.js';
import { trendsNode } from './trends.node.js';

/** The insights that are nodes of their own, by kind. */
export const insightNodes: Readonly<Record<string, InsightNode>> = {
  TrendsQuery: trendsNode,
  FunnelsQuery: funnelsNode,
  RetentionQuery: retentionNode,
  PathsQuery: pathsNode,
  StickinessQuery: stickinessNode,
  LifecycleQuery: lifecycleNode,
};

/** Reads an insight node, and notes which insight it is. */
export const readInsightNode = (
  value: unknown,
  attr: string,
  into: Translation,
  nodes: Readonly<Record<string, InsightNode>> = insightNodes,
): void => {
  const kinds = Object.entries(nodes).map(([kind, { fields }]) => [kind, fields] as const);
  const { kind } = requireObject(value, attr);
  const node = typeof kind === 'string' && Object.hasOwn(nodes, kind) ? nodes[kind] : undefined;
  if (node) {
    into.insight = node.insight;
    for (const [name, fallback] of Object.entries(node.defaults)) into.params[name] = fallback;
  }
  readSource(value, attr, into, Object.fromEntries(kinds));
  // The funnel inside of a correlation has set another one.
  if (node) into.insight = node.insight;
};

const sourceOf = (nodes: Readonly<Record<string, InsightNode>>): NodeField =>
  works((value, attr, into) => readInsightNode(value, attr, into, nodes), Object.keys(nodes).join(', '));

/** The parameter of each insight that selects by a field of `InsightActorsQuery`. */
const selecting: Readonly<Record<string, Partial<Record<InsightType, string>>>> = {
  day: { trends: 'day', lifecycle: 'target_date', stickiness: 'stickiness_days' },
  status: { lifecycle: 'lifecycle_type' },
  interval: { retention: 'selected_interval' },
  series: { trends: 'series', stickiness: 'series' },
  breakdown: { trends: 'breakdown_value', funnel: 'breakdown_value', retention: 'breakdown_value' },
  compare: { trends: 'compare_label', stickiness: 'compare_label', funnel: 'compare_label' },
};

const selects = (name: string): NodeField => {
  const parameters = selecting[name] ?? {};
  return works(
    (value, attr, into) => {
      const parameter = into.insight === null ? undefined : parameters[into.insight];
      if (parameter === undefined) throw invalidInput(`${attr} selects nothing in this insight: leave it out`, attr);
      into.set(parameter, name === 'breakdown' ? ownBreakdownValue(value) : value, attr);
    },
    `for ${Object.keys(parameters).join(', ')}`,
  );
};

const actorsBasics = {
  ...dataBasics,
  includeRecordings: withoutEffect('there are no session recordings, so `matched_recordings` is empty'),
} satisfies NodeShape;

const insightActors: NodeShape = {
  ...actorsBasics,
  source: sourceOf(insightNodes),
  ...Object.fromEntries(Object.keys(selecting).map((name) => [name, selects(name)])),
};

const stickinessActors: NodeShape = {
  ...actorsBasics,
  source: sourceOf({ StickinessQuery: stickinessNode }),
  day: selects('day'),
  series: selects('series'),
  compare: selects('compare'),
  operator: becomes('stickiness_days_operator', '`exact`, `gte` or `lte`'),
};

export const funnelsActors: NodeShape = {
  ...actorsBasics,
  source: sourceOf({ FunnelsQuery: funnelsNode }),
  funnelStep: becomes('funnel_step'),
  funnelCustomSteps: becomes('funnel_custom_steps', 'of older versions'),
  funnelStepBreakdown: works((value, attr, into) => into.set('funnel_step_breakdown', ownBreakdownValue(value), attr)),
  funnelTrendsDropOff: becomes('drop_off'),
  funnelTrendsEntrancePeriodStart: becomes('entrance_period_start'),
  compare: selects('compare'),
};

/** The nodes that select the persons behind a number; that of correlations is added where correlations are known. */
export const actorsNodes = {
  InsightActorsQuery: insightActors,
  FunnelsActorsQuery: funnelsActors,
  StickinessActorsQuery: stickinessActors,
} satisfies Record<string, NodeShape>;

export const correlationActors = (correlation: InsightNode): NodeShape => ({
  ...actorsBasics,
  source: sourceOf({ FunnelCorrelationQuery: correlation }),
  funnelCorrelationPersonConverted: becomes('funnel_correlation_person_converted'),
  funnelCorrelationPersonEntity: works((value, attr, into) => {
    const name = 'funnel_correlation_person_entity';
    into.set(name, readEntityNode(value, attr, into.inside(name), 'persons'), attr);
  }),
  funnelCorrelationPropertyValues: becomes('funnel_correlation_property_values'),
});
