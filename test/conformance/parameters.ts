import { type Case } from './case.js';
import { NotExpressible } from './not-expressible.js';
import { listOf, mapTree, objectsOf, type JsonObject } from './json.js';

export interface Row {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly parameters: readonly string[];
}

const words = (...texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split(' '));

const common = words(
  'events actions date_from date_to interval properties breakdown breakdowns breakdown_type breakdown_value breakdown_limit',
  'breakdown_normalize_url breakdown_histogram_bin_count breakdown_group_type_index aggregation_group_type_index',
  'filter_test_accounts search limit offset include format explicit_date',
);
const funnel = words(
  'funnel_step funnel_step_breakdown funnel_custom_steps funnel_window_interval funnel_window_interval_unit',
  'funnel_window_days funnel_order_type funnel_viz_type funnel_from_step funnel_to_step exclusions bin_count',
  'entrance_period_start drop_off breakdown_attribution_type breakdown_attribution_value',
);
const correlation = words(
  'funnel_correlation_type funnel_correlation_person_entity funnel_correlation_person_converted',
  'funnel_correlation_property_values funnel_correlation_names funnel_correlation_exclude_names',
  'funnel_correlation_event_names funnel_correlation_event_exclude_property_names',
  'funnel_correlation_exclude_event_names',
);
const path = words(
  'path_type include_event_types include_custom_events custom_events exclude_events start_point end_point step_limit',
  'edge_limit min_edge_weight max_edge_weight path_groupings path_replacements local_path_cleaning_filters',
  'path_start_key path_end_key path_dropoff_key funnel_paths funnel_filter',
);

/** Contract section 7 with what posthog-facts section 5 adds to the same question. */
const rows: Readonly<Record<string, Row>> = {
  funnel: { path: 'persons/funnel', method: 'POST', parameters: [...common, ...funnel] },
  funnel_correlation: {
    path: 'persons/funnel/correlation',
    method: 'POST',
    parameters: [...common, ...funnel, ...correlation],
  },
  lifecycle: { path: 'persons/lifecycle', method: 'GET', parameters: [...common, 'lifecycle_type', 'target_date'] },
  paths: { path: 'persons/path', method: 'POST', parameters: [...common, ...funnel, ...path] },
  retention: {
    path: 'persons/retention',
    method: 'GET',
    parameters: [
      ...common,
      ...words('target_entity returning_entity period total_intervals retention_type minimum_occurrences cumulative'),
      ...words('selected_interval mean_retention_calculation'),
    ],
  },
  stickiness: {
    path: 'persons/stickiness',
    method: 'GET',
    parameters: [
      ...common,
      ...words('stickiness_criteria stickiness_days selected_interval interval_count compare compare_to'),
      ...words('entity_id entity_type'),
    ],
  },
  trends: {
    path: 'persons/trends',
    method: 'GET',
    parameters: [
      ...common,
      ...words('formula display compare compare_to smoothing_intervals entity_id entity_type entity_math entity_order'),
      ...words('series day'),
    ],
  },
};

const families: Readonly<Record<string, string>> = { funnel_strict: 'funnel', funnel_unordered: 'funnel' };

export const rowOf = (insight: string): Row => {
  const row = rows[families[insight] ?? insight];
  if (!row) throw new NotExpressible(`the insight "${insight}" has no row`);
  return row;
};

/** Parameters that repeat the path, or say how a chart is drawn: they change no number. */
const saysNothingHere = new Set(['insight', 'shown_as', 'layout', 'refresh', 'include_recordings']);

/** The parameters of the case, with the ids of its scene. One that our contract does not know fails the case by its name. */
export const ourParameters = (given: Case, row: Row, ids: SceneIds): JsonObject => {
  const { params } = given.request;
  const known = new Set(row.parameters);
  const ours = Object.keys(params).flatMap((name): JsonObject[] => {
    if (saysNothingHere.has(name) || (name === 'display' && !known.has(name))) return [];
    if (!known.has(name)) throw new NotExpressible(`the parameter ${name} is not in the contract`);
    return [{ [name]: params[name] }];
  });
  return withIds(Object.assign({}, ...ours) as JsonObject, ids);
};

/** The ids of what a scene has created, by the names that the case gives them. */
export interface SceneIds {
  readonly cohorts: ReadonlyMap<string, number>;
  readonly actions: ReadonlyMap<string, number>;
}

export const withIds = (value: JsonObject, { cohorts, actions }: SceneIds): JsonObject =>
  withActionIds(withCohortIds(value, cohorts), actions);

const withActionIds = (value: JsonObject, actionIds: ReadonlyMap<string, number>): JsonObject => {
  const idOf = (ref: unknown): unknown => (typeof ref === 'string' ? (actionIds.get(ref) ?? ref) : ref);
  const named = (object: JsonObject, key: string): JsonObject => (key in object ? { [key]: idOf(object[key]) } : {});
  return mapTree(value, (object) => ({
    ...object,
    ...(object.type === 'actions' ? named(object, 'id') : {}),
    ...(object.event_type === 'actions' ? named(object, 'key') : {}),
    ...(object.seq_event_type === 'actions' ? named(object, 'seq_event') : {}),
    ...(object.entity_type === 'actions' ? named(object, 'entity_id') : {}),
    ...named(object, 'action_id'),
    ...('actions' in object
      ? { actions: objectsOf(object.actions).map((entity) => ({ ...entity, ...named(entity, 'id') })) }
      : {}),
  })) as JsonObject;
};

const withCohortIds = (value: JsonObject, cohortIds: ReadonlyMap<string, number>): JsonObject => {
  const idOf = (ref: unknown): unknown => (typeof ref === 'string' ? (cohortIds.get(ref) ?? ref) : ref);
  const idsOf = (refs: unknown): unknown => (Array.isArray(refs) ? listOf(refs).map(idOf) : idOf(refs));
  return mapTree(value, (object) => {
    if (typeof object.type === 'string' && object.type.endsWith('cohort') && 'value' in object)
      return { ...object, value: idsOf(object.value) };
    if (object.type === 'cohort' && 'property' in object) return { ...object, property: idsOf(object.property) };
    if (object.breakdown_type !== 'cohort') return object;
    return { ...object, breakdown: idsOf(object.breakdown) };
  }) as JsonObject;
};
