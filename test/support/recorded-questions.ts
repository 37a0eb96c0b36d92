/** A question whose statements stand in docs/sql, so that a review shows how a change alters them. */
export interface RecordedQuestion {
  readonly name: string;
  /** Below /api/projects/{project_id}/. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Sent as a POST. */
  readonly body?: object;
}

const events = JSON.stringify([{ id: '$pageview' }, { id: 'signed up' }, { id: 'bought' }]);
const event = JSON.stringify([{ id: '$pageview' }]);
const february = { date_from: '2026-02-01', date_to: '2026-02-28' };
const proPersons = JSON.stringify([{ key: 'plan', value: 'pro', type: 'person' }]);
const cheapEvents = JSON.stringify([{ key: 'price', value: 10, operator: 'lt', type: 'event' }]);

export const recordedQuestions: readonly RecordedQuestion[] = [
  { name: 'trends', path: 'persons/trends', query: { events: event, ...february } },
  {
    name: 'trends-breakdown-and-filters',
    path: 'persons/trends',
    query: { events: event, breakdown: 'plan', breakdown_type: 'person', properties: cheapEvents, ...february },
  },
  {
    name: 'trends-weekly-active',
    path: 'persons/trends',
    query: { events: JSON.stringify([{ id: '$pageview', math: 'weekly_active' }]), ...february },
  },
  {
    name: 'trends-average-of-a-property',
    path: 'persons/trends',
    query: { events: JSON.stringify([{ id: 'bought', math: 'avg', math_property: 'price' }]), ...february },
  },
  { name: 'funnel', path: 'persons/funnel', query: { events, ...february } },
  {
    name: 'funnel-strict',
    path: 'persons/funnel',
    query: { events, funnel_order_type: 'strict', ...february },
  },
  {
    name: 'funnel-unordered',
    path: 'persons/funnel',
    query: { events, funnel_order_type: 'unordered', ...february },
  },
  {
    name: 'funnel-exclusion',
    path: 'persons/funnel',
    query: {
      events,
      exclusions: JSON.stringify([{ id: 'cancelled', funnel_from_step: 0, funnel_to_step: 1 }]),
      ...february,
    },
  },
  {
    name: 'funnel-time-to-convert',
    path: 'persons/funnel',
    query: { events, funnel_viz_type: 'time_to_convert', ...february },
  },
  {
    name: 'funnel-time-to-convert-bin',
    path: 'persons/funnel',
    query: {
      events,
      funnel_viz_type: 'time_to_convert',
      conversion_time_from: '3600',
      conversion_time_to: '7200',
      include: 'persons',
      ...february,
    },
  },
  { name: 'funnel-trends', path: 'persons/funnel', query: { events, funnel_viz_type: 'trends', ...february } },
  { name: 'correlation-of-events', path: 'persons/funnel/correlation', query: { events, ...february } },
  {
    name: 'correlation-of-properties',
    path: 'persons/funnel/correlation',
    query: {
      events,
      funnel_correlation_type: 'properties',
      funnel_correlation_names: JSON.stringify(['plan']),
      ...february,
    },
  },
  { name: 'retention', path: 'persons/retention', query: { period: 'Day', date_to: '2026-02-28' } },
  {
    name: 'retention-first-time',
    path: 'persons/retention',
    query: { period: 'Week', retention_type: 'retention_first_time', date_to: '2026-02-28' },
  },
  {
    name: 'retention-by-a-property',
    path: 'persons/retention',
    query: { period: 'Day', date_to: '2026-02-28', breakdown: 'plan', breakdown_value: 'pro' },
  },
  { name: 'stickiness', path: 'persons/stickiness', query: { events: event, stickiness_days: '1', ...february } },
  { name: 'lifecycle', path: 'persons/lifecycle', query: { events: event, ...february } },
  { name: 'paths', path: 'persons/path', query: { ...february } },
  {
    name: 'paths-from-a-start',
    path: 'persons/path',
    query: { start_point: '/start', properties: proPersons, ...february },
  },
  {
    name: 'cohort-of-behaviour',
    path: 'cohorts/preview',
    query: {},
    body: {
      filters: {
        properties: {
          type: 'AND',
          values: [
            {
              type: 'behavioral',
              value: 'performed_event_multiple',
              key: '$pageview',
              event_type: 'events',
              operator: 'gte',
              operator_value: 2,
              time_value: 30,
              time_interval: 'day',
            },
            { type: 'person', key: 'plan', value: 'pro' },
          ],
        },
      },
    },
  },
  { name: 'property-values', path: 'persons/values', query: { key: 'plan' } },
  { name: 'persons-by-search', path: 'persons', query: { search: 'lovelace' } },
  { name: 'persons-by-filter', path: 'persons', query: { properties: proPersons } },
];
