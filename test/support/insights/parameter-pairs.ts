import { personLine } from '../import.js';

type Given = Readonly<Record<string, unknown>>;

/** A request without the parameter and with this value of it have different answers. */
export interface Pair {
  readonly value: unknown;
  /** What both requests have in addition to those of the insight, or in place of them. */
  readonly beside?: Given;
}

export interface InsightPairs {
  /** What all requests of the insight have. */
  readonly base: Given;
  readonly pairs: Readonly<Record<string, Pair>>;
}

const person = (id: string, properties: object = {}): object =>
  personLine(id, { email: `${id}@x.test`, ...properties });

const event = (distinct_id: string, at: string, name: string, properties: object = {}): object => ({
  type: 'event',
  event: name,
  distinct_id,
  timestamp: `2024-${at}:00Z`,
  properties,
});

/** The time of all requests. */
export const requestedAt = '2024-03-05T12:00:00Z';

export const pairsSettings = {
  test_account_filters: [{ type: 'person', key: 'plan', value: 'free', operator: 'is_not' }],
  path_cleaning_filters: [{ regex: '\\d+', alias: 'N' }],
};

/**
 * `ada` goes from a to b more than once, the first time by way of x. `bob` needs two days and is a test account. `cyd` does b before a,
 * and has been there before the range. `eve` never does b. `gus` and `hal` are there on the last day. The last three go by way of x and y.
 */
export const pairsLines: readonly object[] = [
  person('ada', { plan: 'pro' }),
  person('bob', { plan: 'free' }),
  person('cyd', { plan: 'pro' }),
  ...['eve', 'gus', 'hal', 'ida', 'jon', 'kim'].map((id) => person(id)),
  event('cyd', '02-20T10:00', 'a', { n: 7 }),
  event('cyd', '02-27T10:00', 'a', { n: 7 }),
  event('ada', '03-01T08:05', 'a', { browser: 'Chrome', n: 1, url: '/a/', $groups: { company: 'acme', project: 'p' } }),
  event('ada', '03-01T08:10', 'x'),
  event('ada', '03-01T08:15', 'b', { browser: 'Firefox', n: 5, url: '/a' }),
  event('ada', '03-01T08:16', 'c'),
  event('ada', '03-02T09:00', 'a', { browser: 'Safari', n: 2, url: '/b' }),
  event('ada', '03-02T09:10', 'a', { n: 2 }),
  event('ada', '03-04T10:00', 'b', { n: 9 }),
  event('bob', '03-01T09:00', 'a', { browser: 'Safari', n: 3, url: '/b' }),
  event('bob', '03-03T09:00', 'b', { browser: 'Safari' }),
  event('cyd', '03-02T10:00', 'b', { browser: 'Chrome', n: 4 }),
  event('cyd', '03-02T10:30', 'a', { browser: 'Chrome', n: 4 }),
  event('eve', '03-02T11:00', 'a', { browser: 'Safari' }),
  event('gus', '03-04T13:00', 'a'),
  event('gus', '03-04T14:00', 'b'),
  event('hal', '03-04T08:00', 'a'),
  ...['ida', 'jon', 'kim'].flatMap((id, n) => [
    event(id, '03-01T10:00', 'a', { browser: 'Chrome' }),
    event(id, '03-01T10:02', '$pageview', { $current_url: `/p/${n % 2}` }),
    event(id, '03-01T10:03', '$pageview', { $current_url: '/q' }),
    event(id, '03-01T10:05', 'x', { color: 'red' }),
    event(id, '03-01T10:06', 'y', { color: 'blue' }),
    event(id, '03-01T10:10', 'b'),
  ]),
];

/** Stands for the id of the action that the tests save, as a number and as text. */
export const savedAction = 'the id of the saved action';
export const savedActionText = 'the id of the saved action, as text';

export const savedSteps = [{ event: 'x' }];

const dates = { date_from: '2024-03-01', date_to: '2024-03-04' };
const steps = [{ id: 'a' }, { id: 'b' }];

/** Parameters of every insight. */
const every: Readonly<Record<string, Pair>> = {
  properties: { value: [{ key: 'browser', value: 'Chrome', type: 'event' }] },
  filter_test_accounts: { value: true },
  aggregation_group_type_index: { value: 0 },
  search: { value: 'ada' },
  include: { value: 'persons' },
  limit: { value: 1 },
  offset: { value: 1 },
  format: { value: 'csv' },
};

const common: Readonly<Record<string, Pair>> = {
  ...every,
  events: { value: [{ id: 'b' }] },
  actions: { value: [{ id: savedAction, order: 9 }] },
  date_from: { value: '2024-03-02' },
  date_to: { value: '2024-03-02' },
  explicit_date: { value: true },
  exclude_incomplete_periods: { value: true, beside: { date_to: '2024-03-04T20:00:00Z' } },
  interval: { value: 'week' },
};

const reversed: Pair = { value: [...steps].reverse() };

/** Without points an interval still says where a range that counts back by days begins: `hal` is there before noon. */
const rangeByHours: Pair = { value: 'hour', beside: { date_from: '-1d', date_to: 'now' } };

const breakdown: Readonly<Record<string, Pair>> = {
  breakdown: { value: 'browser' },
  breakdown_type: { value: 'person', beside: { breakdown: 'plan' } },
  breakdown_group_type_index: {
    value: 1,
    beside: { breakdown: '$group_key', breakdown_type: 'group', breakdown_group_type_index: 0 },
  },
  breakdowns: { value: [{ property: 'browser' }, { property: 'plan', type: 'person' }] },
  breakdown_value: { value: 'Chrome', beside: { breakdown: 'browser' } },
  breakdown_limit: { value: 1, beside: { breakdown: 'browser' } },
  breakdown_normalize_url: { value: true, beside: { breakdown: 'url' } },
  breakdown_histogram_bin_count: { value: 2, beside: { breakdown: 'n' } },
};

const shape = (beside: Given = {}): Readonly<Record<string, Pair>> => ({
  funnel_order_type: { value: 'strict', beside },
  funnel_window_interval: { value: 1, beside },
  funnel_window_interval_unit: { value: 'week', beside: { ...beside, funnel_window_interval: 1 } },
  funnel_window_days: { value: 1, beside },
  exclusions: { value: [{ id: 'x', funnel_from_step: 0, funnel_to_step: 1 }], beside },
});

const compared: Readonly<Record<string, Pair>> = {
  compare: { value: true },
  compare_to: { value: '-1w', beside: { compare: true } },
  compare_label: { value: 'previous', beside: { compare: true } },
};

const trends = { funnel_viz_type: 'trends' };
const threeSteps = { ...trends, events: [...steps, { id: 'c' }] };

const funnel: InsightPairs = {
  base: { ...dates, events: steps },
  pairs: {
    ...common,
    ...breakdown,
    ...shape(),
    events: reversed,
    interval: { value: 'week', beside: trends },
    breakdown_attribution_type: { value: 'last_touch', beside: { breakdown: 'browser' } },
    breakdown_attribution_value: { value: 1, beside: { breakdown: 'browser', breakdown_attribution_type: 'step' } },
    ...compared,
    funnel_viz_type: { value: 'trends' },
    funnel_from_step: { value: 1, beside: threeSteps },
    funnel_to_step: { value: 1, beside: threeSteps },
    bin_count: { value: 5, beside: { funnel_viz_type: 'time_to_convert' } },
    hide_incomplete_conversion_window_periods: { value: true, beside: trends },
    funnel_aggregate_by_hogql: { value: 'properties.browser', beside: { include: 'insight' } },
    funnel_step: { value: 2 },
    funnel_custom_steps: { value: [1] },
    funnel_step_breakdown: { value: 'Chrome', beside: { breakdown: 'browser' } },
    entrance_period_start: { value: '2024-03-02', beside: trends },
    conversion_time_from: { value: 3600, beside: { funnel_viz_type: 'time_to_convert' } },
    conversion_time_to: { value: 3600, beside: { funnel_viz_type: 'time_to_convert' } },
    drop_off: { value: true, beside: { ...trends, entrance_period_start: '2024-03-02' } },
  },
};

const byProperties = { funnel_correlation_type: 'properties' };
const byEventProperties = { funnel_correlation_type: 'event_with_properties', funnel_correlation_event_names: ['x'] };

const correlation: InsightPairs = {
  base: { ...dates, events: steps },
  pairs: {
    ...common,
    ...shape(),
    events: reversed,
    interval: rangeByHours,
    funnel_correlation_type: { value: 'properties', beside: { funnel_correlation_names: ['plan'] } },
    funnel_correlation_names: { value: ['email'], beside: { ...byProperties, funnel_correlation_names: ['plan'] } },
    funnel_correlation_exclude_names: {
      value: ['plan'],
      beside: { ...byProperties, funnel_correlation_names: ['$all'] },
    },
    funnel_correlation_event_names: { value: ['y'], beside: byEventProperties },
    funnel_correlation_event_exclude_property_names: { value: ['color'], beside: byEventProperties },
    funnel_correlation_exclude_event_names: { value: ['x'] },
    funnel_correlation_person_entity: { value: { id: 'x' } },
    funnel_correlation_property_values: { value: [{ key: 'plan', value: 'pro', type: 'person' }] },
    funnel_correlation_person_converted: { value: true },
  },
};

const lifecycle: InsightPairs = {
  base: { ...dates, events: [{ id: 'a' }] },
  pairs: {
    ...common,
    actions: { value: [{ id: savedAction }], beside: { events: [] } },
    explicit_date: { value: true, beside: { interval: 'hour' } },
    lifecycle_type: { value: 'new' },
    target_date: { value: '2024-03-02' },
  },
};

const afterStep = { events: steps, funnel_paths: 'after_step' };

const path: InsightPairs = {
  base: dates,
  pairs: {
    ...common,
    ...shape({ events: steps, funnel_paths: 'between_steps', funnel_step: 2 }),
    interval: rangeByHours,
    include_event_types: { value: ['$pageview'] },
    path_type: { value: '$pageview' },
    paths_hogql_expression: {
      value: "concat(event, '!')",
      beside: { include_event_types: ['hogql'], paths_hogql_expression: 'event' },
    },
    include_custom_events: { value: ['a', 'b'] },
    custom_events: { value: ['a', 'b'] },
    exclude_events: { value: ['x'] },
    path_groupings: { value: ['/p/*'] },
    path_replacements: { value: true },
    local_path_cleaning_filters: { value: [{ regex: '\\d+', alias: 'K' }] },
    start_point: { value: 'x' },
    end_point: { value: 'x' },
    step_limit: { value: 2 },
    edge_limit: { value: 1 },
    min_edge_weight: { value: 2 },
    max_edge_weight: { value: 1 },
    path_start_key: { value: '2_b' },
    path_end_key: { value: '2_x' },
    path_dropoff_key: { value: '1_a' },
    funnel_paths: { value: 'after_step', beside: { events: steps } },
    funnel_filter: { value: { events: [...steps].reverse() }, beside: afterStep },
    funnel_step: { value: 2, beside: afterStep },
    funnel_custom_steps: { value: [1], beside: afterStep },
  },
};

const retention: InsightPairs = {
  base: { target_entity: { id: 'a' }, returning_entity: { id: 'b' }, total_intervals: 4, date_to: '2024-03-04' },
  pairs: {
    ...every,
    target_entity: { value: { id: 'b' } },
    returning_entity: { value: { id: 'a' } },
    period: { value: 'Week' },
    total_intervals: { value: 3 },
    retention_custom_brackets: { value: [2] },
    retention_type: { value: 'retention_first_time' },
    minimum_occurrences: { value: 2 },
    cumulative: { value: true },
    mean_retention_calculation: { value: 'weighted' },
    time_window_mode: { value: '24_hour_windows' },
    ...breakdown,
    selected_interval: { value: 1 },
    return_interval: { value: 1 },
    date_to: { value: '2024-03-03' },
  },
};

/** An event has the id of the action as its name. */
const ofAction: Pair = {
  value: 'actions',
  beside: { events: [{ id: savedActionText }], actions: [{ id: savedAction }], entity_id: savedActionText },
};

const selectedSeries: Readonly<Record<string, Pair>> = {
  series: { value: 1, beside: { events: steps } },
  entity_id: { value: 'b', beside: { events: steps } },
  entityId: { value: 'b', beside: { events: steps } },
  entity_order: { value: 1, beside: { events: steps } },
  entity_type: ofAction,
  type: ofAction,
};

const stickiness: InsightPairs = {
  base: { ...dates, events: [{ id: 'a' }] },
  pairs: {
    ...common,
    ...compared,
    ...selectedSeries,
    stickiness_criteria: { value: { operator: 'gte', value: 2 } },
    interval_count: { value: 2 },
    stickiness_days: { value: 2 },
    stickiness_days_operator: { value: 'gte', beside: { stickiness_days: 1 } },
    selected_interval: { value: 2 },
  },
};

const trendsPairs: InsightPairs = {
  base: { ...dates, events: [{ id: 'a' }] },
  pairs: {
    ...common,
    ...breakdown,
    ...compared,
    ...selectedSeries,
    entity_math: { value: 'dau', beside: { events: [{ id: 'a' }, { id: 'b', math: 'dau' }] } },
    formula: { value: 'A / B', beside: { events: steps } },
    display: { value: 'ActionsPie' },
    smoothing_intervals: { value: 2 },
    day: { value: '2024-03-02' },
  },
};

/** By the last part of the route. */
export const insightPairs: Readonly<Record<string, InsightPairs>> = {
  funnel,
  correlation,
  lifecycle,
  path,
  retention,
  stickiness,
  trends: trendsPairs,
};
