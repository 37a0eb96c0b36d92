import { invalidInput, required } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { allOf, everything, type Filter } from '../../filters/filter.js';
import { parseFilters } from '../../filters/parse.js';
import { filtersOf, readEntity, type Entity } from '../asking/entity.js';
import { type Params } from '../asking/question-params.js';
import { filtersOfFunnel, readFunnel, type FunnelQuery } from '../funnel/funnel.query.js';

export const correlationTypes = ['events', 'properties', 'event_with_properties'] as const;

const maxNames = 100;

/** What is looked for in those who converted and those who did not. */
export type Correlated =
  | { readonly type: 'events'; readonly exclude: readonly string[] }
  /** Null: every property that a person has. */
  | { readonly type: 'properties'; readonly names: readonly string[] | null; readonly exclude: readonly string[] }
  | { readonly type: 'event_with_properties'; readonly events: readonly string[]; readonly exclude: readonly string[] };

export interface CorrelationQuery {
  readonly funnel: FunnelQuery;
  readonly correlated: Correlated;
  readonly persons: {
    /** Who did this on the way. */
    readonly entity: Entity | null;
    /** Who is like this. */
    readonly filter: Filter;
    /** Null: whether they converted or not. */
    readonly converted: boolean | null;
  };
}

export const readCorrelation = (params: Params, project: ProjectContext, now: Date): CorrelationQuery => ({
  funnel: readFunnel(params, project, now),
  correlated: readCorrelated(params),
  persons: {
    entity: readPersonEntity(params),
    filter: readPropertyValues(params),
    converted: params.has('funnel_correlation_person_converted')
      ? params.boolean('funnel_correlation_person_converted')
      : null,
  },
});

const readNames = (params: Params, name: string): readonly string[] => {
  const names = params.texts(name) ?? [];
  if (names.length > maxNames) throw invalidInput(`${name} must have at most ${maxNames} entries`, name);
  return names;
};

const demandNames = (params: Params, name: string): readonly string[] => {
  const names = readNames(params, name);
  if (names.length === 0) throw required(name);
  return names;
};

const readCorrelated = (params: Params): Correlated => {
  const type = params.choice('funnel_correlation_type', correlationTypes, 'events');
  switch (type) {
    case 'events':
      return { type, exclude: readNames(params, 'funnel_correlation_exclude_event_names') };
    case 'properties': {
      const names = demandNames(params, 'funnel_correlation_names');
      const exclude = readNames(params, 'funnel_correlation_exclude_names');
      const named = [...new Set(names)].filter((name) => !exclude.includes(name));
      return { type, names: names.includes('$all') ? null : named, exclude };
    }
    case 'event_with_properties':
      return {
        type,
        events: demandNames(params, 'funnel_correlation_event_names'),
        exclude: readNames(params, 'funnel_correlation_event_exclude_property_names'),
      };
  }
};

const readPersonEntity = (params: Params): Entity | null => {
  const given = params.json('funnel_correlation_person_entity');
  return given === undefined ? null : readEntity(given, 'funnel_correlation_person_entity');
};

const readPropertyValues = (params: Params): Filter => {
  const given = params.json('funnel_correlation_property_values');
  if (given === undefined) return everything;
  const options = { defaultType: 'person', allowed: ['person', 'cohort'] } as const;
  return emptyIsMissing(parseFilters(withoutGroupIndex(given), 'funnel_correlation_property_values', options));
};

/** Clients send what a correlation of groups would need; of persons it is null. */
const withoutGroupIndex = (given: unknown): unknown =>
  Array.isArray(given)
    ? given.map((leaf: unknown) => {
        if (typeof leaf !== 'object' || leaf === null || !('group_type_index' in leaf)) return leaf;
        const { group_type_index: index, ...rest } = leaf;
        return index === null ? rest : leaf;
      })
    : given;

/** The value that stands for a missing property selects the persons without it. */
const emptyIsMissing = (filter: Filter): Filter => {
  if (filter.kind === 'group') return { ...filter, parts: filter.parts.map(emptyIsMissing) };
  if (filter.kind === 'cohort' || filter.operator !== 'exact' || !filter.values.includes('')) return filter;
  if (filter.negated) return allOf(filter, { ...filter, operator: 'is_set', values: [], negated: false });
  return { kind: 'group', combine: 'OR', parts: [filter, { ...filter, operator: 'is_not_set', values: [] }] };
};

export const filtersOfCorrelation = ({ funnel, persons }: CorrelationQuery): Filter[] => [
  ...filtersOfFunnel(funnel),
  persons.filter,
  ...(persons.entity ? filtersOf([persons.entity]) : []),
];
