import { type ParamsOf } from '../../api/client';
import { type Question } from '../../address/search';
import { completeFilter, readFilter } from '../../filters/filter';
import { funnelParameters } from '../funnel/funnel-parameters';
import { completeBreakdowns, readBreakdowns } from './breakdowns';
import { entityParam, entityParams, readEntities, readEntity } from './entities';

/** The parameters of a route by name, as JSON values. A saved question holds them in this form. */
export type Params = Readonly<Record<string, unknown>>;

const ofAllInsights = [
  'events',
  'actions',
  'date_from',
  'date_to',
  'interval',
  'properties',
  'filter_test_accounts',
  'aggregation_group_type_index',
];

/** Fields that stay in the address when another kind of insight is opened. */
export const sharedFields = [
  ...ofAllInsights,
  'breakdowns',
  'breakdown_limit',
  'compare',
  'compare_to',
  ...funnelParameters,
];

/** An event or action of a parameter of its own, without what is still being written. */
const entityOf = (value: unknown): unknown => {
  const entity = readEntity(value);
  return entity === null ? undefined : entityParam(entity);
};

const readers: Readonly<Record<string, (question: Question) => unknown>> = {
  properties: ({ properties }) => {
    const filter = completeFilter(readFilter(properties));
    return filter.values.length === 0 ? undefined : filter;
  },
  breakdowns: (question) => {
    const breakdowns = completeBreakdowns(readBreakdowns(question));
    return breakdowns.length === 0 ? undefined : breakdowns;
  },
  target_entity: ({ target_entity }) => entityOf(target_entity),
  returning_entity: ({ returning_entity }) => entityOf(returning_entity),
  exclusions: ({ exclusions }) => (Array.isArray(exclusions) ? exclusions.map(entityOf) : undefined),
};

/** Lists and objects may be in the address as JSON text too, as a command or a saved question has them. */
export const decoded = (question: Question): Question =>
  Object.fromEntries(Object.entries(question).map(([name, value]) => [name, decodedValue(value)]));

const decodedValue = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*([[{]|true$|false$)/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

/** The address bar holds the parameters under their own names. What is still being written is left out. */
export const paramsOf = (
  question: Question,
  {
    parameters,
    maxEntities,
    without = [],
  }: { readonly parameters: readonly string[]; readonly maxEntities?: number; readonly without?: readonly string[] },
): Params => {
  const params: Record<string, unknown> = {};
  for (const name of [...ofAllInsights, ...parameters]) {
    if (name === 'events' || name === 'actions' || without.includes(name)) continue;
    const value = (readers[name] ?? (() => question[name]))(question);
    if (value !== undefined && value !== '' && value !== false) params[name] = value;
  }
  if (without.includes('events')) return params;
  return { ...entityParams(readEntities(question).slice(0, maxEntities)), ...params };
};

/** True if two questions are the same. The service stores the fields of an object in an order of its own. */
export const isSame = (one: Params, other: Params): boolean => sortedText(one) === sortedText(other);

const sortedText = (params: Params): string =>
  JSON.stringify(params, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Names and texts as a query string has them: lists and objects are JSON text. */
export const textsOf = (params: Params): [string, string][] =>
  Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, textOfValue(value)]]));

export type InsightRoute =
  `/api/projects/{project_id}/persons/${'trends' | 'funnel' | 'funnel/correlation' | 'retention' | 'path' | 'lifecycle' | 'stickiness'}`;

/** The request to a route of insights. The service checks the parameters, which the address bar may hold in any form. */
export const requestOf = (projectId: string, params: Params): ParamsOf<InsightRoute> => ({
  path: { project_id: projectId },
  query: Object.fromEntries(textsOf(params)) as never,
});
