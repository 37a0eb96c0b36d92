import { invalidInput, required } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Filter, allOf } from '../../filters/reading/filter.js';
import { type Entity, filtersOf } from '../shared/entity.js';
import { type Params } from '../../filters/asking/questions.js';
import { type FunnelQuery, filtersOfFunnel, readFunnel, asPart } from '../funnel/funnel.query.js';
import { correlationParameters } from './correlation.parameters.js';

/** The criteria by which converted persons are compared with the others. */
export type Correlated =
  | { readonly type: 'events'; readonly exclude: readonly string[] }
  /** `names` null: every property that a person has. */
  | { readonly type: 'properties'; readonly names: readonly string[] | null; readonly exclude: readonly string[] }
  | { readonly type: 'event_with_properties'; readonly events: readonly string[]; readonly exclude: readonly string[] };

export interface CorrelationQuery {
  readonly funnel: FunnelQuery;
  readonly correlated: Correlated;
  readonly persons: {
    /** Only persons with this event on the way. */
    readonly entity: Entity | null;
    /** Only persons that pass this filter. */
    readonly filter: Filter;
    /** Null: persons who converted and persons who did not. */
    readonly converted: boolean | null;
  };
}

export const readCorrelation = (params: Params, project: ProjectContext, now: Date): CorrelationQuery => {
  const read = params.reader(correlationParameters);
  const funnel = asPart(readFunnel(params, project, now));
  return {
    funnel,
    correlated: readCorrelated(params),
    persons: {
      entity: read('funnel_correlation_person_entity', params.actions),
      filter: ofCounted(emptyIsMissing(read('funnel_correlation_property_values')), funnel.groupType),
      converted: read('funnel_correlation_person_converted'),
    },
  };
};

const requireNames = (names: readonly string[], attr: string): readonly string[] => {
  if (names.length === 0) throw required(attr);
  return names;
};

const readCorrelated = (params: Params): Correlated => {
  const read = params.reader(correlationParameters);
  const type = read('funnel_correlation_type');
  switch (type) {
    case 'events':
      return { type, exclude: read('funnel_correlation_exclude_event_names') };
    case 'properties': {
      const names = requireNames(read('funnel_correlation_names'), 'funnel_correlation_names');
      const exclude = read('funnel_correlation_exclude_names');
      const named = [...new Set(names)].filter((name) => !exclude.includes(name));
      return { type, names: names.includes('$all') ? null : named, exclude };
    }
    case 'event_with_properties':
      return {
        type,
        events: requireNames(read('funnel_correlation_event_names'), 'funnel_correlation_event_names'),
        exclude: read('funnel_correlation_event_exclude_property_names'),
      };
  }
};

/** Makes an empty value, which stands for a missing property, select the persons without the property. */
const emptyIsMissing = (filter: Filter): Filter => {
  if (filter.kind === 'group') return { ...filter, parts: filter.parts.map(emptyIsMissing) };
  if (filter.kind !== 'property' || filter.operator !== 'exact' || !filter.values.includes('')) return filter;
  if (filter.negated) return allOf(filter, { ...filter, operator: 'is_set', values: [], negated: false });
  return { kind: 'group', combine: 'OR', parts: [filter, { ...filter, operator: 'is_not_set', values: [] }] };
};

/** Makes the filter one on whom the question counts: a property of persons is one of groups where it counts groups. */
const ofCounted = (filter: Filter, counted: number | null): Filter => {
  if (filter.kind === 'group') return { ...filter, parts: filter.parts.map((part) => ofCounted(part, counted)) };
  const attr = `${filter.at ?? 'funnel_correlation_property_values'}.type`;
  if (filter.kind !== 'property') {
    if (counted === null) return filter;
    throw invalidInput(`${attr} must be group in a question about groups`, attr);
  }
  if (filter.source !== 'group') return counted === null ? filter : { ...filter, source: 'group', groupType: counted };
  if (filter.groupType === counted) return filter;
  const right = counted === null ? 'person in a question about persons' : `group with the group_type_index ${counted}`;
  throw invalidInput(`${attr} must be ${right}`, attr);
};

export const filtersOfCorrelation = ({ funnel, persons }: CorrelationQuery): Filter[] => [
  ...filtersOfFunnel(funnel),
  persons.filter,
  ...(persons.entity ? filtersOf([persons.entity]) : []),
];
