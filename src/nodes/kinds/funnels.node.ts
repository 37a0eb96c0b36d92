import {
  type FunnelBreakdownDto,
  type FunnelForm,
  type FunnelStepDto,
  type FunnelTrendDto,
} from '../../analytics/funnel/funnel.dto.js';
import { requireList, type Fields } from '../../platform/fields/values.js';
import { entityNodes, readEntityNode, seriesOf, writeEntityNode } from '../reading/entities.js';
import {
  becomes,
  objectOf,
  presentation,
  refused,
  withoutEffect,
  works,
  writeList,
  type NodeShape,
} from '../reading/node-fields.js';
import { breakdownFilter, compareFilter, insightBasics, legend } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { pointTexts, shownBreakdownValue, type InsightNode } from './insight-node.js';

const ofExclusion: NodeShape = {
  funnelFromStep: becomes('funnel_from_step'),
  funnelToStep: becomes('funnel_to_step'),
  optionalInFunnel: withoutEffect('an exclusion is no step'),
};

const maxExclusionNodes = 50;

const readExclusionNodes = (value: unknown, attr: string, into: Translation): void => {
  const list = requireList(value, attr, maxExclusionNodes).map((node, at) =>
    readEntityNode(node, `${attr}.${at}`, into.inside(`exclusions.${at}`), 'persons', ofExclusion),
  );
  into.set('exclusions', list, attr);
};

export const funnelsFilter: NodeShape = {
  ...legend,
  exclusions: works(readExclusionNodes, '', (from) =>
    writeList(from.takeList('exclusions'), (entity) => writeEntityNode(entity, 'persons', ofExclusion)),
  ),
  layout: presentation,
  binCount: works(
    (value, attr, into) => {
      if (value !== 'auto') into.set('bin_count', value, attr);
    },
    '',
    (from) => from.take('bin_count'),
  ),
  breakdownAttributionType: becomes('breakdown_attribution_type'),
  breakdownAttributionValue: becomes('breakdown_attribution_value'),
  funnelAggregateByHogQL: becomes(
    'funnel_aggregate_by_hogql',
    'a funnel counts the values of the expression, and then has no list of persons',
  ),
  customAggregationTarget: refused('a funnel counts persons'),
  funnelFromStep: becomes('funnel_from_step'),
  funnelToStep: becomes('funnel_to_step'),
  funnelOrderType: becomes('funnel_order_type'),
  funnelVizType: becomes('funnel_viz_type', '`steps`, `time_to_convert` or `trends`'),
  funnelWindowInterval: becomes('funnel_window_interval'),
  funnelWindowIntervalUnit: becomes('funnel_window_interval_unit'),
  funnelWindowDays: becomes('funnel_window_days', 'an old spelling'),
  funnelStepReference: presentation,
  hiddenLegendBreakdowns: presentation,
  useUdf: withoutEffect('it chooses between two ways to the same answer'),
  goalLines: presentation,
  showTrendLines: presentation,
  breakdownSorting: presentation,
  showAnnotations: presentation,
  hideIncompleteConversionWindowPeriods: becomes('hide_incomplete_conversion_window_periods', 'of `trends`'),
};

const fields: NodeShape = {
  ...insightBasics,
  interval: becomes('interval'),
  series: seriesOf('steps'),
  funnelsFilter: objectOf(funnelsFilter),
  breakdownFilter: objectOf(breakdownFilter),
  breakdown: objectOf(breakdownFilter),
  compareFilter: objectOf(compareFilter),
};

const shownStep = (step: FunnelStepDto, { params }: Translation): Fields => {
  const entity = ((params.events ?? []) as readonly Fields[])[step.order];
  const isUnordered = params.funnel_order_type === 'unordered';
  const isAction = entity?.type === 'actions';
  return {
    action_id: isUnordered ? null : (entity?.id ?? null),
    name: isUnordered || isAction || entity?.id === null || entity?.any_of !== undefined ? step.name : entity?.id,
    custom_name: isUnordered ? null : (entity?.custom_name ?? null),
    order: step.order,
    type: isAction ? 'actions' : 'events',
    count: step.count,
    people: [],
    average_conversion_time: step.average_conversion_time,
    median_conversion_time: step.median_conversion_time,
  };
};

/** The value of a breakdown by properties is a list in a funnel. */
const shownValue = (value: string | string[], translation: Translation): unknown => {
  const shown = shownBreakdownValue(value, translation);
  return translation.params.breakdown_type === 'cohort' || Array.isArray(shown) ? shown : [shown];
};

const shownSteps = (steps: readonly FunnelStepDto[], translation: Translation): Fields[] =>
  steps.map((step) => shownStep(step, translation));

const shownLines = (series: readonly FunnelTrendDto[], translation: Translation): Fields[] =>
  series.map(({ breakdown_value: value, days, ...numbers }) => ({
    ...numbers,
    days,
    labels: pointTexts(days),
    ...(value !== undefined && { breakdown_value: shownValue(value, translation) }),
  }));

const shownValues = (values: readonly FunnelBreakdownDto[], translation: Translation): Fields[][] =>
  values.map(({ value, steps }) => {
    const shown = shownValue(value, translation);
    return shownSteps(steps, translation).map((step) => ({ ...step, breakdown: shown, breakdown_value: shown }));
  });

const labelled = (entries: readonly Fields[], compare_label: string): Fields[] =>
  entries.map((entry) => ({ ...entry, compare_label }));

/** Both ranges of a comparison are in one list. */
const resultsOf = (insight: FunnelForm, translation: Translation): unknown => {
  if ('bins' in insight) {
    const { bins, average_conversion_time } = insight;
    return { bins: bins.map(({ from, count }) => [from, count]), average_conversion_time };
  }
  if ('breakdown' in insight) {
    const [current, previous] = [insight.breakdown, insight.compared].map(
      (values) => values && shownValues(values, translation),
    );
    if (!current || !previous) return current;
    return [
      ...current.map((steps) => labelled(steps, 'current')),
      ...previous.map((steps) => labelled(steps, 'previous')),
    ];
  }
  const [current, previous] =
    'steps' in insight
      ? [insight.steps, insight.compared].map((steps) => steps && shownSteps(steps, translation))
      : [insight.series, insight.compared].map((series) => series && shownLines(series, translation));
  if (!current || !previous) return current;
  return [...labelled(current, 'current'), ...labelled(previous, 'previous')];
};

export const funnelsNode: InsightNode = {
  insight: 'funnel',
  fields,
  defaults: {},
  present: (insight, translation) => ({ results: resultsOf(insight as FunnelForm, translation) }),
};

export const funnelsTable = {
  FunnelsQuery: fields,
  FunnelsFilter: funnelsFilter,
  FunnelExclusionEventsNode: { ...entityNodes.EventsNode, ...ofExclusion },
  FunnelExclusionActionsNode: { ...entityNodes.ActionsNode, ...ofExclusion },
} satisfies Record<string, NodeShape>;
