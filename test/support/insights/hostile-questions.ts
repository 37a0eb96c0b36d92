/** Parameters of a question as JSON values. */
export type Requested = Readonly<Record<string, unknown>>;

/** An insight, requested with a text in every place that takes one. */
export interface HostileInsight {
  readonly name: string;
  readonly path: string;
  /**
   * About the persons who did what is called `text` as the second of three things, with that text as property of the event and of themselves:
   * one person only.
   */
  readonly exactly: (text: string) => Requested;
  /** How many of the texts stand for all in every run; the dearer a question, the fewer. */
  readonly sample: number;
  /** A text where something else is expected, or where it may be anything; by the parameter that a complaint has to name. */
  readonly anywhere: readonly (readonly [attr: string, of: (text: string) => Requested])[];
}

export const hostileDay = '2024-03-10';
export const [began, ended] = ['began', 'ended'];

const days = { date_from: hostileDay, date_to: hostileDay };
const ofEvent = (text: string) => ({ type: 'event', key: text, value: text });
const ofPerson = (text: string) => ({ type: 'person', key: text, value: [text, `${text}?`] });
const did = (text: string) => ({ id: text, name: text, properties: [ofEvent(text), ofPerson(text)] });
/** The same in other words. */
const didAny = (text: string) => ({
  name: text,
  any_of: [{ id: text, properties: [{ ...ofEvent(text), operator: 'icontains' }] }, { id: `${text}?` }],
});
const itself = (text: string) => [ofPerson(text), { type: 'event_metadata', key: 'event', value: text }];
const common = (text: string) => ({ ...days, properties: itself(text), search: text });

const ways = (text: string) => [
  { id: began },
  { id: text, name: text, properties: [ofEvent(text)] },
  { id: ended, custom_name: text },
];
const way = (text: string) => ({
  ...days,
  properties: [ofPerson(text)],
  events: ways(text),
  exclusions: [{ id: `${text}?`, properties: [ofEvent(text)] }],
});

const everywhere: HostileInsight['anywhere'] = [
  ['date_to', (text) => ({ date_to: text })],
  ['filter_test_accounts', (text) => ({ filter_test_accounts: text })],
  ['properties', (text) => ({ properties: text })],
  ['properties', (text) => ({ properties: [{ key: 'k', value: 'v', operator: text }] })],
  ['properties', (text) => ({ properties: [{ key: 'k', value: 'v', type: text }] })],
  ['properties', (text) => ({ properties: [{ key: 'k', value: 'v', [`x${text}`]: text }] })],
  ['properties', (text) => ({ properties: { type: text, values: [{ key: text, operator: 'is_not', value: text }] } })],
  ['properties', (text) => ({ properties: [{ type: 'cohort', key: text, value: text }] })],
  ['properties', (text) => ({ properties: [{ key: text, operator: 'regex', value: text }] })],
  ['properties', (text) => ({ properties: [{ type: 'person', key: text, operator: 'gt', value: text }] })],
  ['properties', (text) => ({ properties: [{ key: text, operator: 'is_date_before', value: text }] })],
  ['include', (text) => ({ include: text })],
  ['format', (text) => ({ format: text })],
  ['limit', (text) => ({ limit: text })],
  ['offset', (text) => ({ offset: text })],
  ['search', (text) => ({ search: text })],
];

const ofEvents: HostileInsight['anywhere'] = [
  ['date_from', (text) => ({ date_from: text })],
  ['interval', (text) => ({ interval: text })],
  ['events', (text) => ({ events: text })],
  ['events', (text) => ({ events: [text] })],
  ['events', (text) => ({ events: [{ id: 'a', [`x${text}`]: text }] })],
  ['events', (text) => ({ events: [{ id: 'a', order: text }] })],
  ['events', (text) => ({ events: [{ id: 'a', custom_name: text, type: text, uuid: text }] })],
  ['events', (text) => ({ events: [{ name: text, any_of: [{ id: text }, text] }] })],
  ['events', (text) => ({ events: [{ id: 'a', properties: [{ key: 'k', operator: text, value: text }] }] })],
  ['events', (text) => ({ events: [{ id: 'a', math: text, math_property: text }] })],
];

const everyWay = (text: string) =>
  (['event', 'person'] as const).flatMap((type) => [
    { property: text, type, normalize_url: true },
    { property: text, type, histogram_bin_count: 2 },
  ]);

const ofBreakdown: HostileInsight['anywhere'] = [
  ['breakdown_type', (text) => ({ breakdown: [text], breakdown_type: text })],
  ['breakdown', (text) => ({ breakdown: [text], breakdown_type: 'cohort' })],
  ['breakdown_limit', (text) => ({ breakdown: [text], breakdown_limit: text })],
  ['breakdown_normalize_url', (text) => ({ breakdown: [text], breakdown_normalize_url: text })],
  ['breakdown_histogram_bin_count', (text) => ({ breakdown: [text], breakdown_histogram_bin_count: text })],
  ['breakdowns', (text) => ({ breakdowns: [{ property: text, type: text }] })],
  ['breakdowns', (text) => ({ breakdowns: [{ property: text, type: 'cohort' }] })],
  ['breakdowns', (text) => ({ breakdowns: [{ property: 'a', [`x${text}`]: text }] })],
  ['breakdowns', (text) => ({ events: [did(text)], breakdowns: everyWay(text), ...days })],
];

const ofFunnel: HostileInsight['anywhere'] = [
  ['funnel_order_type', (text) => ({ events: ways(text), funnel_order_type: text })],
  ['funnel_window_interval', (text) => ({ events: ways(text), funnel_window_interval: text })],
  ['funnel_window_interval_unit', (text) => ({ events: ways(text), funnel_window_interval_unit: text })],
  ['funnel_window_days', (text) => ({ events: ways(text), funnel_window_days: text })],
  ['exclusions', (text) => ({ events: ways(text), exclusions: [{ id: text, funnel_from_step: text }] })],
  ['exclusions', (text) => ({ events: ways(text), exclusions: text })],
];

export const hostileInsights: readonly HostileInsight[] = [
  {
    name: 'stickiness',
    sample: 64,
    path: 'stickiness',
    exactly: (text) => ({
      ...common(text),
      events: [did('no'), did(text), didAny(text)],
      series: 1,
      stickiness_days: 1,
    }),
    anywhere: [
      ...everywhere,
      ...ofEvents,
      ['stickiness_criteria', (text) => ({ stickiness_criteria: text })],
      ['stickiness_criteria', (text) => ({ stickiness_criteria: { operator: text, value: 1 } })],
      ['stickiness_criteria', (text) => ({ stickiness_criteria: { operator: 'gte', value: text } })],
      ['stickiness_criteria', (text) => ({ stickiness_criteria: { [`x${text}`]: text } })],
      ['compare', (text) => ({ compare: text })],
      ['compare_label', (text) => ({ compare: true, compare_label: text })],
      ['compare_to', (text) => ({ compare_to: text })],
      ['interval_count', (text) => ({ interval_count: text })],
      ['stickiness_days', (text) => ({ stickiness_days: text })],
      ['selected_interval', (text) => ({ selected_interval: text })],
      ['series', (text) => ({ series: text })],
    ],
  },
  {
    name: 'lifecycle',
    sample: 64,
    path: 'lifecycle',
    exactly: (text) => ({ ...common(text), events: [didAny(text)], lifecycle_type: 'new', target_date: hostileDay }),
    anywhere: [
      ...everywhere,
      ...ofEvents,
      ['lifecycle_type', (text) => ({ lifecycle_type: text })],
      ['target_date', (text) => ({ target_date: text })],
    ],
  },
  {
    name: 'retention',
    sample: 48,
    path: 'retention',
    exactly: (text) => ({
      ...common(text),
      date_from: undefined,
      target_entity: did(text),
      returning_entity: didAny(text),
      total_intervals: 1,
    }),
    anywhere: [
      ...everywhere,
      ['target_entity', (text) => ({ target_entity: text })],
      ['target_entity', (text) => ({ target_entity: { id: 'a', [`x${text}`]: 1 } })],
      ['returning_entity', (text) => ({ returning_entity: { id: text, order: text } })],
      ['period', (text) => ({ period: text })],
      ['total_intervals', (text) => ({ total_intervals: text })],
      ['retention_type', (text) => ({ retention_type: text })],
      ['minimum_occurrences', (text) => ({ minimum_occurrences: text })],
      ['cumulative', (text) => ({ cumulative: text })],
      ['selected_interval', (text) => ({ selected_interval: text })],
      ['return_interval', (text) => ({ return_interval: text })],
    ],
  },
  {
    name: 'trends',
    sample: 48,
    path: 'trends',
    exactly: (text) => ({
      ...common(text),
      events: [{ ...did(text), math: 'dau' }],
      entity_id: text,
      breakdowns: [{ property: text }, { property: text, type: 'person' }],
      breakdown_value: [text, text],
    }),
    anywhere: [
      ...everywhere,
      ...ofEvents,
      ...ofBreakdown,
      ['formula', (text) => ({ events: [did(text)], formula: text })],
      ['display', (text) => ({ display: text })],
      ['compare', (text) => ({ compare: text })],
      ['smoothing_intervals', (text) => ({ smoothing_intervals: text })],
      ['series', (text) => ({ series: text })],
      ['entity_id', (text) => ({ events: [{ id: 'a' }], entity_id: `${text}?` })],
      ['entity_math', (text) => ({ entity_id: text, entity_math: text })],
      ['entity_order', (text) => ({ entity_order: text })],
      ['day', (text) => ({ day: text })],
    ],
  },
  {
    name: 'funnel',
    sample: 24,
    path: 'funnel',
    exactly: (text) => ({
      ...way(text),
      funnel_step: 3,
      breakdown: [text],
      breakdown_type: 'person',
      breakdown_value: [text],
    }),
    anywhere: [
      ...everywhere,
      ...ofEvents,
      ...ofBreakdown,
      ...ofFunnel,
      ['funnel_viz_type', (text) => ({ events: ways(text), funnel_viz_type: text })],
      ['breakdown_attribution_type', (text) => ({ events: ways(text), breakdown_attribution_type: text })],
      ['funnel_step', (text) => ({ events: ways(text), funnel_step: text })],
      ['funnel_custom_steps', (text) => ({ events: ways(text), funnel_custom_steps: [text] })],
      ['entrance_period_start', (text) => ({ events: ways(text), entrance_period_start: text })],
      ['bin_count', (text) => ({ events: ways(text), bin_count: text })],
      ['conversion_time_from', (text) => ({ events: ways(text), conversion_time_from: text })],
      ['conversion_time_to', (text) => ({ events: ways(text), conversion_time_to: text })],
    ],
  },
  {
    name: 'correlation',
    sample: 24,
    path: 'funnel/correlation',
    exactly: (text) => ({
      ...way(text),
      events: [{ id: began }, { id: ended }],
      funnel_correlation_exclude_event_names: [text],
      funnel_correlation_person_entity: did(text),
      funnel_correlation_property_values: [{ type: 'person', key: text, value: text }],
      funnel_correlation_person_converted: true,
    }),
    anywhere: [
      ...everywhere,
      ...ofEvents,
      ...ofFunnel,
      ['funnel_correlation_type', (text) => ({ funnel_correlation_type: text })],
      ['funnel_correlation_names', (text) => named(text, 'properties', 'funnel_correlation_names')],
      ['funnel_correlation_exclude_names', (text) => named(text, 'properties', 'funnel_correlation_exclude_names')],
      [
        'funnel_correlation_event_names',
        (text) => named(text, 'event_with_properties', 'funnel_correlation_event_names'),
      ],
      ['funnel_correlation_person_entity', (text) => ({ funnel_correlation_person_entity: { id: text, order: text } })],
      ['funnel_correlation_property_values', (text) => ({ funnel_correlation_property_values: text })],
      ['funnel_correlation_person_converted', (text) => ({ funnel_correlation_person_converted: text })],
    ],
  },
  {
    name: 'paths',
    sample: 40,
    path: 'path',
    exactly: (text) => ({
      ...days,
      search: text,
      properties: [ofPerson(text)],
      events: [did(text), { id: ended }],
      include_custom_events: [text, ended],
      exclude_events: [`${text}?`],
      local_path_cleaning_filters: [{ regex: '^never$', alias: text }],
      start_point: text,
      // An address may end in a slash; the same without it is the same page.
      path_start_key: `1_${text.replace(/\/$/, '')}`,
      path_end_key: `2_${ended}`,
    }),
    anywhere: [
      ...everywhere,
      ...ofEvents,
      ['include_event_types', (text) => ({ include_event_types: [text] })],
      ['path_type', (text) => ({ path_type: text })],
      ['exclude_events', (text) => ({ exclude_events: [text, { text }] })],
      ['path_groupings', (text) => ({ path_groupings: [text, `*${text}*`] })],
      ['path_replacements', (text) => ({ path_replacements: text })],
      ['local_path_cleaning_filters', (text) => ({ local_path_cleaning_filters: [{ regex: text, alias: text }] })],
      ['end_point', (text) => ({ end_point: text })],
      ['step_limit', (text) => ({ step_limit: text })],
      ['edge_limit', (text) => ({ edge_limit: text })],
      ['path_end_key', (text) => ({ path_end_key: text })],
      ['path_dropoff_key', (text) => ({ path_dropoff_key: `7_${text}` })],
      ['funnel_paths', (text) => ({ funnel_paths: text })],
      ['funnel_filter', (text) => ({ funnel_paths: 'after_step', funnel_filter: text })],
      [
        'funnel_filter',
        (text) => ({ funnel_paths: 'after_step', funnel_filter: { events: ways(text), exclusions: text } }),
      ],
    ],
  },
];

const named = (text: string, type: string, parameter: string): Requested => ({
  ...days,
  events: [{ id: began }, { id: ended }],
  funnel_correlation_type: type,
  funnel_correlation_names: [text],
  funnel_correlation_event_names: [text],
  [parameter]: [text],
});
