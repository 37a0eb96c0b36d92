import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

const jsonOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? (JSON.parse(value) as unknown) : value;

const listOf = (value: unknown): readonly unknown[] => {
  const list = jsonOf(value) ?? [];
  return Array.isArray(list) ? (list as unknown[]) : [list];
};

/** A question that no node can express, or that is about its persons only. */
class NoNode extends Error {}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const entityNode = (sent: unknown, type: string): Json => {
  if (typeof sent === 'string' || typeof sent === 'number')
    return type === 'actions' ? { kind: 'ActionsNode', id: Number(sent) } : { kind: 'EventsNode', event: String(sent) };
  const { id, any_of: anyOf, type: own = type, ...rest } = sent as Json;
  const more = Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => name !== 'order')
      .map(([name, value]) => [name.startsWith('funnel_') ? camel(name) : name, value]),
  );
  if (own === 'actions') return { kind: 'ActionsNode', id, ...more };
  if (anyOf === undefined) return { kind: 'EventsNode', event: id, ...more };
  const nodes = (anyOf as Json[]).map((part) =>
    entityNode({ ...part, ...(more.math !== undefined && { math: more.math }) }, 'events'),
  );
  return { kind: 'GroupNode', operator: 'OR', nodes, ...more };
};

const orderOf = (entity: unknown, at: number): number => Number((entity as Json | null)?.order ?? at);

/** Events and actions, in the order of the question. */
const seriesOf = (params: Json, hasMath: boolean): readonly Json[] => {
  const events = listOf(params.events).map((sent, at) => ({
    node: entityNode(sent, 'events'),
    order: orderOf(sent, at),
  }));
  const actions = listOf(params.actions).map((sent, at) => ({
    node: entityNode(sent, 'actions'),
    order: orderOf(sent, events.length + at),
  }));
  return [...events, ...actions]
    .sort((a, b) => a.order - b.order)
    .map(({ node: { math, math_property, ...node } }) => (hasMath ? { ...node, math, math_property } : node));
};

const shared = [
  'date_from',
  'date_to',
  'explicit_date',
  'properties',
  'filter_test_accounts',
  'interval',
  'events',
  'actions',
];
const ofPersons = ['include', 'limit', 'offset', 'search', 'format', 'refresh', 'insight', 'client_query_id'];
const breakdowns = [
  ...['breakdown', 'breakdowns', 'breakdown_type', 'breakdown_limit', 'breakdown_normalize_url'],
  'breakdown_histogram_bin_count',
];

const picked = (params: Json, names: readonly string[], spell = (name: string) => name): Json =>
  Object.fromEntries(
    names.flatMap((name) => (params[name] === undefined ? [] : [[spell(name), jsonOf(params[name])]])),
  );

const basics = (params: Json): Json => ({
  dateRange: {
    ...picked(params, ['date_from', 'date_to']),
    ...(params.explicit_date !== undefined && { explicitDate: params.explicit_date }),
  },
  ...picked(params, ['properties']),
  ...picked(params, ['filter_test_accounts'], camel),
});

const integerOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;

const filterOf = (params: Json, names: readonly string[], spell = camel): Json =>
  Object.fromEntries(Object.entries(picked(params, names, spell)).map(([name, value]) => [name, integerOf(value)]));

const funnelShape = [
  ...['funnel_order_type', 'funnel_window_interval', 'funnel_window_interval_unit', 'funnel_window_days'],
  ...['funnel_viz_type', 'funnel_from_step', 'funnel_to_step', 'bin_count'],
  ...['breakdown_attribution_type', 'breakdown_attribution_value'],
];

const funnelNode = (params: Json): Json => ({
  kind: 'FunnelsQuery',
  ...basics(params),
  ...picked(params, ['interval']),
  series: seriesOf(params, false),
  funnelsFilter: {
    ...filterOf(params, funnelShape),
    ...(params.exclusions !== undefined && {
      exclusions: listOf(params.exclusions).map((one) => entityNode(one, 'events')),
    }),
  },
  breakdownFilter: filterOf(params, breakdowns, (name) => name),
});

const paths = [
  ...[
    'include_event_types',
    'start_point',
    'end_point',
    'path_groupings',
    'exclude_events',
    'edge_limit',
    'step_limit',
  ],
  ...['path_replacements', 'local_path_cleaning_filters', 'min_edge_weight', 'max_edge_weight'],
];

const entityOfRetention = (params: Json, name: string): Json =>
  params[name] === undefined ? {} : { [camel(name)]: retentionEntity(jsonOf(params[name])) };

const retentionEntity = (sent: unknown): unknown => {
  if (typeof sent === 'string') return { id: sent, type: 'events' };
  if ((sent as Json).any_of !== undefined) throw new NoNode();
  return sent;
};

interface Expressed {
  readonly known: readonly string[];
  readonly node: (params: Json) => Json;
}

const correlations = [
  ...['funnel_correlation_type', 'funnel_correlation_exclude_event_names', 'funnel_correlation_event_names'],
  ...[
    'funnel_correlation_event_exclude_property_names',
    'funnel_correlation_names',
    'funnel_correlation_exclude_names',
  ],
];

const comparisons = ['compare', 'compare_to'];

const expressed: Readonly<Record<string, Expressed>> = {
  trends: {
    known: [...breakdowns, ...comparisons, 'formula', 'display', 'smoothing_intervals'],
    node: (params) => ({
      kind: 'TrendsQuery',
      ...basics(params),
      ...picked(params, ['interval']),
      series: seriesOf(params, true),
      trendsFilter: filterOf(params, ['formula', 'display', 'smoothing_intervals']),
      breakdownFilter: filterOf(params, breakdowns, (name) => name),
      compareFilter: picked(params, comparisons),
    }),
  },
  funnel: {
    known: [...funnelShape, 'exclusions', ...breakdowns, ...comparisons],
    node: (params) => ({ ...funnelNode(params), compareFilter: picked(params, comparisons) }),
  },
  'funnel/correlation': {
    known: [...funnelShape.slice(0, 4), 'exclusions', ...correlations],
    node: (params) => ({
      kind: 'FunnelCorrelationQuery',
      source: { kind: 'FunnelsActorsQuery', source: funnelNode(params) },
      ...Object.fromEntries(
        Object.entries(picked(params, correlations, camel)).map(([name, value]) => [
          name,
          name.endsWith('Type') ? value : listOf(value),
        ]),
      ),
    }),
  },
  retention: {
    known: [
      ...['target_entity', 'returning_entity', 'period', 'total_intervals', 'retention_type', 'minimum_occurrences'],
      ...['cumulative', 'time_window_mode', 'mean_retention_calculation', 'retention_custom_brackets', ...breakdowns],
    ],
    node: (params) => ({
      kind: 'RetentionQuery',
      ...basics(params),
      retentionFilter: {
        totalIntervals: 11,
        ...filterOf(params, [
          'period',
          'total_intervals',
          'retention_type',
          'minimum_occurrences',
          'cumulative',
          'time_window_mode',
          'mean_retention_calculation',
          'retention_custom_brackets',
        ]),
        ...entityOfRetention(params, 'target_entity'),
        ...entityOfRetention(params, 'returning_entity'),
      },
      breakdownFilter: filterOf(params, breakdowns, (name) => name),
    }),
  },
  path: {
    known: [...paths, 'funnel_paths', 'funnel_step', ...funnelShape.slice(0, 4)],
    node: (params) => {
      if (params.funnel_paths === undefined && params.events !== undefined) throw new NoNode();
      return {
        kind: 'PathsQuery',
        ...basics(params),
        pathsFilter: Object.fromEntries(
          Object.entries(filterOf(params, paths)).map(([name, value]) => [
            name,
            ['includeEventTypes', 'pathGroupings', 'excludeEvents'].includes(name) ? listOf(value) : value,
          ]),
        ),
        ...(params.funnel_paths !== undefined && {
          funnelPathsFilter: {
            funnelPathType: params.funnel_paths,
            funnelSource: funnelNode(params),
            ...filterOf(params, ['funnel_step']),
          },
        }),
      };
    },
  },
  stickiness: {
    known: [...comparisons, 'interval_count', 'stickiness_criteria'],
    node: (params) => ({
      kind: 'StickinessQuery',
      ...basics(params),
      ...picked(params, ['interval']),
      ...filterOf(params, ['interval_count']),
      series: seriesOf(params, false),
      stickinessFilter: picked(params, ['stickiness_criteria'], camel),
      compareFilter: picked(params, comparisons),
    }),
  },
  lifecycle: {
    known: [],
    node: (params) => ({
      kind: 'LifecycleQuery',
      ...basics(params),
      ...picked(params, ['interval']),
      series: seriesOf(params, false),
    }),
  },
};

/** The node of a question that the route of an insight got; null if no node expresses it. */
export const nodeOf = (route: string, params: Json): Json | null => {
  const found = expressed[route];
  if (!found) return null;
  const known = [...shared, ...ofPersons, ...found.known];
  const isGiven = (name: string): boolean => params[name] !== '[]' && JSON.stringify(params[name]) !== '[]';
  if (Object.keys(params).some((name) => isGiven(name) && !known.includes(name))) return null;
  try {
    return found.node(params);
  } catch (error) {
    if (error instanceof NoNode) return null;
    throw error;
  }
};

const rows = (value: unknown): readonly Json[] => (value ?? []) as readonly Json[];
const only =
  (names: readonly string[]) =>
  (row: Json): unknown[] =>
    names.map((name) => row[name] ?? null);
const stepNumbers = only(['order', 'count', 'average_conversion_time', 'median_conversion_time']);

interface Compared {
  readonly ours: (insight: Json) => unknown;
  readonly theirs: (results: unknown) => unknown;
}

const states = ['new', 'returning', 'resurrecting', 'dormant'];
const lineNumbers = only(['label', 'count', 'data', 'days', 'compare_label']);

const compared: Readonly<Record<string, Compared>> = {
  trends: {
    ours: ({ series }) =>
      rows(series).map((line) =>
        line.days === undefined
          ? [...lineNumbers({ ...line, data: [], days: [] }), line.aggregated_value]
          : [...lineNumbers(line), null],
      ),
    theirs: (results) => rows(results).map((line) => [...lineNumbers(line), line.aggregated_value ?? null]),
  },
  funnel: {
    ours: (insight) =>
      insight.steps !== undefined
        ? rows(insight.steps).map(stepNumbers)
        : insight.breakdown !== undefined
          ? rows(insight.breakdown).map(({ steps }) => rows(steps).map(stepNumbers))
          : insight.bins !== undefined
            ? [insight.average_conversion_time, rows(insight.bins).map(({ from, count }) => [from, count])]
            : rows(insight.series).map(only(['days', 'data', 'reached_from', 'reached_to'])),
    theirs: (results) => {
      if (!Array.isArray(results)) return [(results as Json).average_conversion_time, (results as Json).bins];
      const [first] = results as unknown[];
      if (Array.isArray(first)) return (results as Json[][]).map((steps) => steps.map(stepNumbers));
      const isTrend = (first as Json | undefined)?.days !== undefined;
      return rows(results).map(isTrend ? only(['days', 'data', 'reached_from', 'reached_to']) : stepNumbers);
    },
  },
  'funnel/correlation': {
    ours: ({ correlations: found, skewed }) => [
      skewed,
      rows(found).map((row) => [
        [row.event, row.property, row.value].filter((part): part is string => part !== null).join('::'),
        ...only(['success_count', 'failure_count', 'odds_ratio', 'correlation_type'])(row),
      ]),
    ],
    theirs: (results) => [
      (results as Json).skewed,
      rows((results as Json).events).map((row) => [
        (row.event as Json).event,
        ...only(['success_count', 'failure_count', 'odds_ratio', 'correlation_type'])(row),
      ]),
    ],
  },
  retention: {
    ours: ({ matrix, breakdown }) =>
      breakdown === undefined ? matrix : rows(breakdown).flatMap(({ matrix: own }) => own as unknown[]),
    theirs: (results) => rows(results).map(({ values }) => rows(values).map(({ count }) => count)),
  },
  path: { ours: ({ edges }) => edges, theirs: (results) => results },
  stickiness: {
    ours: ({ series }) => rows(series).map(lineNumbers),
    theirs: (results) => rows(results).map(lineNumbers),
  },
  lifecycle: {
    ours: (insight) => states.map((state) => [state, insight.days, insight[state]]),
    theirs: (results) => rows(results).map(only(['status', 'days', 'data'])),
  },
};

/** Null if the node has the numbers of the insight; else both. */
export const differenceOf = (route: string, insight: Json, results: unknown): string | null => {
  const [ours, theirs] = [compared[route]?.ours(insight), compared[route]?.theirs(results)];
  return isDeepStrictEqual(JSON.parse(JSON.stringify(ours)), JSON.parse(JSON.stringify(theirs)))
    ? null
    : `${JSON.stringify(ours)} by its route, ${JSON.stringify(theirs)} as a node`;
};

const routePattern = /^(\/api\/projects\/\d+)\/persons\/(funnel\/correlation|\w+)$/;

/** The route of an insight and the project, if the path is that of one. */
export const routeOf = (path: string): { readonly project: string; readonly route: string } | null => {
  const [, project, route] = routePattern.exec(path) ?? [];
  return project !== undefined && route !== undefined && route in compared ? { project, route } : null;
};
