import { type Request } from 'express';
import { isBigId, isUuid } from '../../platform/values/ids.js';

/** The `operationId` of a handler in the API document. */
export const operationOf = (handler: object): string => {
  const { operationId } = Reflect.getMetadata('swagger/apiOperation', handler) as { readonly operationId: string };
  return operationId;
};

/** The parameters of the query that name one person or cohort. */
const idParameters = ['person_id', 'cohort', 'cohort_id'];

const isId = (value: unknown): value is string => typeof value === 'string' && (isBigId(value) || isUuid(value));

/**
 * The ids in the address of a request, by the names of their parameters. Any other text is left out: distinct ids and searches
 * can name a person by an e-mail, and an entry outlives the person.
 */
export const idsOf = ({ params, query }: Request): Readonly<Record<string, string>> => {
  const named = Object.entries(params).filter(([name]) => name !== 'project_id');
  const requested = idParameters.map((name) => [name, query[name]] as const);
  return Object.fromEntries([...named, ...requested].filter((pair): pair is [string, string] => isId(pair[1])));
};
