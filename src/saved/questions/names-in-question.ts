import { insightKinds, type InsightType } from '../../analytics/kinds/insight-kinds.js';
import { Params } from '../../filters/asking/questions.js';
import { type Fields, isFields } from '../../platform/fields/values.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { leavesOf } from '../../filters/reading/filter.js';
import { type NamesInQuery } from '../../sql/ask/names-in-query.js';

/** Parameters that name events, as texts or as entities. */
const ofEvents = [
  'events',
  'actions',
  'exclusions',
  'target_entity',
  'returning_entity',
  'funnel_correlation_person_entity',
  'funnel_correlation_event_names',
  'include_event_types',
  'include_custom_events',
  'custom_events',
];

/** The names of events and properties in a question; names in the steps of its actions do not count. */
export const namesInQuestion = (
  type: InsightType,
  params: Fields,
  project: ProjectContext,
  now: Date,
): NamesInQuery => {
  const sent = decoded(params);
  const inner = isFields(sent.funnel_filter) ? decoded(sent.funnel_filter) : {};
  const all = [sent, inner];
  const properties = [...all.flatMap(breakdownsOf), ...all.flatMap(mathsOf), ...filteredBy(type, params, project, now)];
  const correlated = sent.funnel_correlation_type === 'properties' ? textsOf(sent.funnel_correlation_names) : [];
  return {
    events: unique(all.flatMap((fields) => ofEvents.flatMap((name) => eventsOf(fields[name])))),
    eventProperties: unique(properties.flatMap(({ source, key }) => (source === 'event' ? [key] : []))),
    personProperties: unique([
      ...properties.flatMap(({ source, key }) => (source === 'person' ? [key] : [])),
      ...correlated.filter((name) => name !== '$all'),
    ]),
  };
};

interface Property {
  readonly source: unknown;
  readonly key: string;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** Parses lists and objects that were sent as JSON text. The reader of the question has already accepted the texts. */
const decoded = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\s*[[{"]/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  );

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null || value === '' ? [] : [value];

const textsOf = (value: unknown): string[] => listOf(value).filter((one) => typeof one === 'string');

const eventsOf = (value: unknown): string[] =>
  listOf(value).flatMap((one) => {
    if (typeof one === 'string') return [one];
    if (!isFields(one) || one.type === 'actions') return [];
    return [...textsOf(one.id), ...eventsOf(one.any_of)];
  });

const mathsOf = (fields: Fields): Property[] =>
  listOf(fields.events)
    .concat(listOf(fields.actions))
    .flatMap((entity) => (isFields(entity) ? textsOf(entity.math_property) : []))
    .map((key) => ({ source: 'event', key }));

const breakdownsOf = (fields: Fields): Property[] => [
  ...textsOf(fields.breakdown).map((key) => ({ source: fields.breakdown_type ?? 'event', key })),
  ...listOf(fields.breakdowns).flatMap((entry) =>
    isFields(entry) ? textsOf(entry.property).map((key) => ({ source: entry.type ?? 'event', key })) : [],
  ),
];

/** Finds the properties in the filters of the question itself; its actions are not looked up. */
const filteredBy = (type: InsightType, params: Fields, project: ProjectContext, now: Date): Property[] => {
  const plain = { ...project, testAccountFilters: [] };
  const { filters } = insightKinds[type].read(Params.of({}, params), plain, now);
  return filters.flatMap(leavesOf).flatMap((leaf) => (leaf.kind === 'property' ? [leaf] : []));
};
