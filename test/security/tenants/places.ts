import { shortIdOf } from '../../../src/platform/values/short-id.js';
import { type Tenant } from '../../support/tenant.js';

export interface Probe {
  readonly value: unknown;
  /** What must stand beside the value to give it its meaning. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Every way in which a place can name a record; an empty list where no record can be named there. */
export type Place = (tenant: Tenant) => readonly Probe[];

const none: Place = () => [];

const values =
  (...of: readonly ((tenant: Tenant) => unknown)[]): Place =>
  (tenant) =>
    of.map((value) => ({ value: value(tenant) }));

const cohortLeaf = ({ cohortId }: Tenant) => ({ type: 'cohort', key: 'id', value: cohortId });

const filters = values(
  (tenant) => [cohortLeaf(tenant)],
  ({ email }) => [{ type: 'person', key: 'email', value: email }],
  ({ distinctId }) => [{ type: 'event_metadata', key: 'distinct_id', value: distinctId }],
  ({ cohortId }) => [{ type: 'hogql', key: `person_id IN COHORT ${cohortId}` }],
);

const entity = (tenant: Tenant) => ({ id: null, properties: [cohortLeaf(tenant)] });
const named = ({ eventName }: Tenant) => ({ id: eventName });
const entities = values(
  (tenant) => [entity(tenant), { id: null }],
  (tenant) => [named(tenant), { id: null }],
);

const anyNode = { kind: 'EventsNode', event: null };

const action = ({ actionId }: Tenant) => ({ id: actionId, type: 'actions' });

const breakdown: Place = ({ cohortId }) => [{ value: [cohortId], beside: { breakdown_type: 'cohort' } }];
const breakdownValue: Place = ({ cohortId }) => [
  { value: [String(cohortId)], beside: { breakdown: ['all', cohortId], breakdown_type: 'cohort' } },
];

const namedEntity: Place = ({ eventName, actionId }) => [
  { value: eventName },
  { value: String(actionId), beside: { entity_type: 'actions' } },
];

const didAction = (actionId: number) => ({
  ...{ type: 'behavioral', value: 'performed_event', key: actionId, event_type: 'actions' },
  ...{ time_value: 30, time_interval: 'day' },
});

const definition = (leaf: object) => ({ properties: { type: 'AND', values: [leaf] } });

const expression =
  (beside: Probe['beside']): Place =>
  ({ cohortId, actionId }) =>
    [`person_id IN COHORT ${cohortId}`, `matchesAction(${actionId})`].map((condition) => ({
      value: `if(${condition}, 'in', 'out')`,
      beside,
    }));

const insight: Readonly<Record<string, Place>> = {
  events: entities,
  actions: values((tenant) => [action(tenant)]),
  properties: filters,
  exclusions: values(
    (tenant) => [{ ...named(tenant), funnel_from_step: 0, funnel_to_step: 1 }],
    (tenant) => [{ ...action(tenant), funnel_from_step: 0, funnel_to_step: 1 }],
  ),
  breakdown,
  breakdown_value: breakdownValue,
  breakdowns: values(({ cohortId }) => [{ property: cohortId, type: 'cohort' }]),
  search: values(
    ({ email }) => email,
    ({ distinctId }) => distinctId,
  ),
  target_entity: values(entity, named, action),
  returning_entity: values(entity, named, action),
  funnel_filter: values((tenant) => ({ events: [entity(tenant), { id: null }] })),
  funnel_correlation_person_entity: values(entity, named),
  funnel_correlation_event_names: values(({ eventName }) => [eventName]),
  funnel_correlation_exclude_event_names: values(({ eventName }) => [eventName]),
  custom_events: values(({ eventName }) => [eventName]),
  paths_hogql_expression: expression({ include_event_types: ['hogql'] }),
  funnel_aggregate_by_hogql: expression({}),
  exclude_events: values(({ eventName }) => [eventName]),
  include_event_types: values(({ eventName }) => [eventName]),
  start_point: values(({ eventName }) => eventName),
  end_point: values(({ eventName }) => eventName),
  path_start_key: values(({ eventName }) => `1_${eventName}`),
  path_end_key: values(({ eventName }) => `2_${eventName}`),
  path_dropoff_key: values(({ eventName }) => `1_${eventName}`),
  entity_id: namedEntity,
  entityId: namedEntity,
};

/** Those insights are asked by GET only. */
const byGetOnly = new Set(['target_entity', 'returning_entity', 'entity_id', 'entityId']);

const inInsights = (where: 'query' | 'body') =>
  Object.fromEntries(
    Object.entries(insight).flatMap(([name, place]) =>
      where === 'body' && byGetOnly.has(name) ? [] : [[`${where} ${name}`, place]],
    ),
  );

const nobody = { person_ids: undefined, distinct_ids: undefined, filters: undefined, query: undefined };
const staticGroups = { ...nobody, actor: 'group', group_type_index: 0, is_static: true };

const idLists: Readonly<Record<string, Place>> = {
  'body person_ids': values(
    ({ personId }) => [personId],
    ({ personUuid }) => [personUuid],
  ),
  'body distinct_ids': values(({ distinctId }) => [distinctId]),
  'body group_ids': ({ groupId }) => [{ value: [groupId] }, { value: [groupId], beside: staticGroups }],
  'body group_keys': ({ groupKey }) => [{ value: [groupKey] }, { value: [groupKey], beside: staticGroups }],
  'body group_id': values(({ groupId }) => groupId),
  'query group_id': values(({ groupId }) => groupId),
  'query filters_override': values(({ cohortId }) =>
    JSON.stringify({ properties: [{ type: 'cohort', value: cohortId }] }),
  ),
  'body dashboards': values(({ dashboardId }) => [dashboardId]),
  'body after': none,
  'body before': none,
  'body scrub': none,
  'body confirm': none,
  'body uuids': values(
    ({ personUuid }) => [personUuid],
    ({ eventUuid }) => [eventUuid],
  ),
  'body dashboard_id': values(({ dashboardId }) => dashboardId),
  'query item_id': ({ flagId, alertId }) => [
    { value: String(flagId), beside: { scope: 'FeatureFlag' } },
    { value: String(alertId), beside: { scope: 'Alert' } },
  ],
  'query insight_id': values(({ insightId }) => insightId),
  'body insight': values(({ insightId }) => insightId),
  'body dashboard_item': values(({ insightId }) => insightId),
  'body persons': ({ personId, personUuid }) =>
    [personId, personUuid].map((id) => ({ value: [id], beside: { distinct_ids: undefined } })),
  'body ids': values(
    ({ personId }) => [personId],
    ({ personUuid }) => [personUuid],
  ),
};

const neverNames = (names: string): Readonly<Record<string, Place>> =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s*\n\s*/)
      .flatMap((line) => {
        const [where = '', ...rest] = line.split(' ');
        return rest.map((name) => [`${where} ${name}`, none]);
      }),
  );

/**
 * Every parameter and top-level body field of a project's routes whose values could be an id, a name or text, and how it can
 * name a record. One that is missing here fails the test, so that none is added without saying where a foreign id could stand.
 */
export const places: Readonly<Record<string, Place>> = {
  ...neverNames(`
    query limit as_of page event after before created_after created_before $unset key value date_from date_to
    query funnel_step funnel_custom_steps funnel_step_breakdown entrance_period_start conversion_time_to
    query funnel_correlation_names funnel_correlation_exclude_names funnel_correlation_event_exclude_property_names
    query funnel_correlation_property_values target_date include_custom_events path_groupings
    query local_path_cleaning_filters events_ttl_days events_ttl_days_by_name user operation stickiness_criteria
    query compare_to formula day event_names excluded_properties
    body date_from date_to compare_to funnel_step funnel_step_breakdown entrance_period_start conversion_time_to
    body funnel_correlation_names funnel_correlation_exclude_names funnel_correlation_event_exclude_property_names
    body funnel_correlation_property_values include_custom_events path_groupings local_path_cleaning_filters email addresses
    body name owner url $unset key value description values content tags date_marker
    body label group_key group_type group_properties properties identifier amplitude credentials
    body condition threshold config snoozed_until subscribed_users destination
    body ensure_experience_continuity archived evaluation_tags evaluation_contexts is_remote_configuration
    body has_encrypted_payloads rollback_conditions performed_rollback creation_context analytics_dashboards
    body has_enriched_analytics last_called_at _create_in_folder _should_create_usage_dashboard
    query send_cohorts token
    header If-None-Match
  `),
  ...inInsights('query'),
  ...inInsights('body'),
  ...idLists,
  'query person_id': values(
    ({ personId }) => personId,
    ({ personUuid }) => personUuid,
  ),
  'query id': (tenant) => [
    { value: tenant.personId },
    { value: tenant.personUuid },
    { value: tenant.groupKey, beside: { group_type_index: 0 } },
  ],
  'query group_key': values(({ groupKey }) => groupKey),
  'query distinct_id': values(({ distinctId }) => distinctId),
  'query short_id': values(({ insightId }) => shortIdOf(insightId)),
  'query uuid': values(({ personUuid }) => personUuid),
  'query email': values(({ email }) => email),
  'query key_identifier': values(
    ({ email }) => email,
    ({ distinctId }) => distinctId,
  ),
  'query cohort': values(({ cohortId }) => cohortId),
  'body action': ({ actionId }) => [{ value: actionId, beside: { events: ['action.matched'] } }],
  'body cohort': values(({ cohortId }) => cohortId),
  'body cohort_id': ({ cohortId }) => [{ value: cohortId, beside: { model: 'cohort' } }],
  'body cohorts': values(({ cohortId }) => [cohortId]),
  'body person_id': values(
    ({ personId }) => personId,
    ({ personUuid }) => personUuid,
  ),
  'body main_distinct_id': values(({ distinctId }) => distinctId),
  'body distinct_ids_to_split': values(({ distinctId }) => [distinctId]),
  'body filters': values(
    (tenant) => definition(cohortLeaf(tenant)),
    ({ cohortId }) => definition({ type: 'cohort', key: 'id', value: cohortId, negation: true }),
    ({ actionId }) => definition(didAction(actionId)),
  ),
  // The query of a cohort, a question in SQL, and a query node.
  'body query': values(
    ({ personId }) => `select ${personId} as person_id`,
    ({ personUuid }) => `select '${personUuid}' as person_id`,
    ({ distinctId }) => `select '${distinctId}' as distinct_id`,
    ({ cohortId }) => `select id from persons where id in cohort ${cohortId}`,
    ({ cohortId }) => `select count() from persons where id in cohort ${cohortId}`,
    ({ actionId }) => `select countIf(matchesAction(${actionId})) from events`,
    (tenant) => ({ kind: 'TrendsQuery', series: [anyNode], properties: [cohortLeaf(tenant)] }),
    ({ actionId }) => ({ kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: actionId }] }),
    ({ cohortId }) => ({
      kind: 'TrendsQuery',
      series: [anyNode],
      breakdownFilter: { breakdown: [cohortId], breakdown_type: 'cohort' },
    }),
    ({ actionId }) => ({ kind: 'EventsQuery', select: ['*'], after: 'all', actionId }),
    ({ personUuid }) => ({ kind: 'EventsQuery', select: ['*', 'person'], after: 'all', personId: personUuid }),
    ({ cohortId }) => ({ kind: 'PersonsNode', cohort: cohortId }),
    ({ distinctId }) => ({ kind: 'PersonsNode', distinctId }),
    ({ email }) => ({ kind: 'ActorsQuery', search: email }),
    ({ cohortId }) => ({
      kind: 'ActorsQuery',
      source: { kind: 'HogQLQuery', query: `select id from persons where id in cohort ${cohortId}` },
    }),
    ({ cohortId }) => ({ kind: 'ActorsQuery', properties: [{ type: 'cohort', key: 'id', value: cohortId }] }),
  ),
  'body groups': values(
    (tenant) => [{ properties: [cohortLeaf(tenant)] }],
    ({ actionId }) => [{ action_id: actionId }],
  ),
  'body question': values(
    (tenant) => ({ type: 'trends', params: { properties: [cohortLeaf(tenant)] } }),
    (tenant) => ({ type: 'funnel', params: { actions: [action(tenant)] } }),
    ({ cohortId }) => ({ type: 'trends', params: { breakdown: [cohortId], breakdown_type: 'cohort' } }),
    ({ cohortId }) => ({
      type: 'sql',
      params: { query: `select count() from persons where id in cohort ${cohortId}` },
    }),
  ),
  'body tiles': values(({ insightId }) => [{ insight_id: insightId }]),
  'body steps': values((tenant) => [{ properties: [cohortLeaf(tenant)] }]),
  // Walked by tests of their own below: an answer to a foreign cursor or key cannot be compared with one to an unknown one.
  'query cursor': none,
  'header Idempotency-Key': none,
  'header Last-Event-ID': none,
  'body csv': none,
  'body limit_context': none,
  // These name no record.
  'query retention_custom_brackets': none,
  'query refresh': none,
  'body derived_name': none,
  // Users belong to the installation, not to a project.
  'body user_id': none,
};
