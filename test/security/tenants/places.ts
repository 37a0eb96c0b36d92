/** Records of one project, or ids that belong to no record at all. */
export interface Tenant {
  readonly personId: number;
  readonly personUuid: string;
  readonly distinctId: string;
  readonly email: string;
  readonly eventName: string;
  readonly eventUuid: string;
  readonly cohortId: number;
  readonly actionId: number;
  readonly insightId: number;
  readonly dashboardId: number;
  readonly mergeId: number;
  readonly webhookId: number;
  readonly deletionId: string;
  readonly keyId: string;
  readonly projectId: number;
  /** Of a page of persons, and of a page of events. */
  readonly cursors: readonly string[];
}

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
);

const entity = (tenant: Tenant) => ({ id: null, properties: [cohortLeaf(tenant)] });
const named = ({ eventName }: Tenant) => ({ id: eventName });
const entities = values(
  (tenant) => [entity(tenant), { id: null }],
  (tenant) => [named(tenant), { id: null }],
);

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

const idLists: Readonly<Record<string, Place>> = {
  'body person_ids': values(
    ({ personId }) => [personId],
    ({ personUuid }) => [personUuid],
  ),
  'body distinct_ids': values(({ distinctId }) => [distinctId]),
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
 * Every parameter and top-level body field of the OpenAPI document, and how it can name a record. One that is missing here
 * fails the test, so that a new route cannot be added without saying where a foreign id could stand.
 */
export const places: Readonly<Record<string, Place>> = {
  ...neverNames(`
    query limit offset format type wait change as_of days page beacon compression _ data event after before created_after created_before
    query apply_person_properties create_persons delete_events $unset key value state is_identified
    query date_from date_to interval filter_test_accounts include include_internal entity_type
    query funnel_order_type funnel_window_interval funnel_window_interval_unit funnel_window_days breakdown_type
    query breakdown_limit breakdown_attribution_type breakdown_attribution_value funnel_viz_type funnel_from_step
    query funnel_to_step bin_count funnel_step funnel_custom_steps funnel_step_breakdown entrance_period_start drop_off
    query conversion_time_from conversion_time_to return_interval
    query funnel_correlation_type funnel_correlation_names funnel_correlation_exclude_names
    query funnel_correlation_event_exclude_property_names funnel_correlation_property_values
    query funnel_correlation_person_converted lifecycle_type target_date path_type include_custom_events path_groupings
    query path_replacements local_path_cleaning_filters step_limit edge_limit min_edge_weight max_edge_weight funnel_paths
    query preview events_ttl_days events_ttl_days_by_name
    query status order
    query user operation
    query scope children refresh favourite hidden kind include_hidden max_seconds
    query period total_intervals retention_type minimum_occurrences cumulative selected_interval stickiness_criteria
    query interval_count compare_to mean_retention_calculation breakdown_normalize_url breakdown_histogram_bin_count
    body breakdown_normalize_url breakdown_histogram_bin_count
    query return_to compare stickiness_days compare_label series formula display smoothing_intervals entity_math entity_order day
    body date_from date_to interval filter_test_accounts include limit offset format
    body funnel_order_type funnel_window_interval funnel_window_interval_unit funnel_window_days breakdown_type
    body breakdown_limit breakdown_attribution_type breakdown_attribution_value funnel_viz_type funnel_from_step
    body funnel_to_step bin_count funnel_step funnel_custom_steps funnel_step_breakdown entrance_period_start drop_off
    body conversion_time_from conversion_time_to
    body funnel_correlation_type funnel_correlation_names funnel_correlation_exclude_names
    body funnel_correlation_event_exclude_property_names funnel_correlation_property_values
    body funnel_correlation_person_converted path_type include_custom_events path_groupings
    body path_replacements local_path_cleaning_filters step_limit edge_limit min_edge_weight max_edge_weight funnel_paths
    body email password link_token token first_name last_name is_owner current_password role
    body name timezone week_start_day person_display_name_properties path_cleaning_filters
    body events_ttl_days events_ttl_days_by_name quotas audit_reads
    body favourite owner hidden kind
    body url kinds batch_size paused
    body overlap_seconds grace_seconds
    body label scopes expires_at $unset key value description values is_static deleted delete_events
  `),
  ...inInsights('query'),
  ...inInsights('body'),
  ...idLists,
  'query person_id': values(
    ({ personId }) => personId,
    ({ personUuid }) => personUuid,
  ),
  'query distinct_id': values(({ distinctId }) => distinctId),
  'query uuid': values(({ personUuid }) => personUuid),
  'query email': values(({ email }) => email),
  'query key_identifier': values(
    ({ email }) => email,
    ({ distinctId }) => distinctId,
  ),
  'query cohort': values(({ cohortId }) => cohortId),
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
  // The query of a cohort and a question in SQL.
  'body query': values(
    ({ personId }) => `select ${personId} as person_id`,
    ({ personUuid }) => `select '${personUuid}' as person_id`,
    ({ distinctId }) => `select '${distinctId}' as distinct_id`,
    ({ cohortId }) => `select id from persons where id in cohort ${cohortId}`,
    ({ cohortId }) => `select count() from persons where id in cohort ${cohortId}`,
    ({ actionId }) => `select countIf(matchesAction(${actionId})) from events`,
  ),
  'body test_account_filters': values((tenant) => [cohortLeaf(tenant)]),
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
  'path project_id': none,
  // The name of the project of the address itself.
  'query confirm_name': none,
  // Compared over all routes in test/e2e/access.spec.ts too; here with every kind of id.
  'path id': none,
  'path merge_id': values(({ mergeId }) => mergeId),
  // A delivery is found below its own webhook only: test/e2e/webhooks.slow.spec.ts.
  'path delivery_id': none,
  'path uuid': values(({ eventUuid }) => eventUuid),
  'body scoped_projects': none,
  // Users belong to the installation, not to a project; that a member of another project is not found is tested in access.spec.ts.
  'path user_id': none,
  'body user_id': none,
  // One of the types of messages.
  'path type': none,
};
