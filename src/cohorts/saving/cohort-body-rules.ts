import { invalidInput, Problem } from '../../platform/errors/problem.js';
import { type Upload } from '../../platform/http/upload.js';
import { type CreateCohortBody, type UpdateCohortBody } from '../cohort-bodies.dto.js';

const hasContent = (value: object | null | undefined): boolean =>
  value !== null && value !== undefined && Object.keys(value).length > 0;

const listFields = ['person_ids', 'distinct_ids'] as const;

const emptyDefinition = (filters: object): boolean => {
  const { properties } = filters as { properties?: unknown };
  return typeof properties === 'object' && properties !== null && Object.keys(properties).length === 0;
};

/** A dynamic cohort needs a definition, a static cohort needs members: refuses the other combination. */
export const refuseMisfits = (body: UpdateCohortBody, upload: Upload | null, isStatic: boolean): void => {
  if (isStatic) {
    const way = 'make a dynamic cohort, and a static copy of it with duplicate_as_static_cohort';
    if (body.filters && hasContent(body.filters) && !emptyDefinition(body.filters))
      throw invalidInput(`filters is not allowed for a static cohort: ${way}`, 'filters');
    if (hasContent(body.groups)) throw invalidInput(`groups is not allowed for a static cohort: ${way}`, 'groups');
    return;
  }
  const field = upload ? 'csv' : listFields.find((name) => hasContent(body[name]));
  if (field) throw invalidInput(`${field} lists the members of a static cohort: set is_static to true`, field);
};

export const refuseQuery = (
  query: string | object | null,
  body: UpdateCohortBody,
  upload: Upload | null,
  isStatic: boolean,
): void => {
  if (query === null) return;
  if (hasContent(body.filters))
    throw invalidInput('query and filters cannot be combined: send only one of them', 'query');
  if (!isStatic) throw invalidInput('query selects the members of a static cohort: set is_static to true', 'query');
  const list = upload ? 'csv' : listFields.find((name) => hasContent(body[name]));
  if (list) throw invalidInput(`query and ${list} cannot be combined: send only one of them`, 'query');
};

/** An empty list is a source too: of a cohort to which persons are added later. */
export const assertSource = (body: CreateCohortBody, upload: Upload | null): void => {
  const isListed = [body.person_ids, body.distinct_ids, body.query].some((list) => list !== null && list !== undefined);
  if (upload || isListed) return;
  throw new Problem(
    400,
    'validation_error',
    'required',
    'A static cohort needs its members: send csv, person_ids, distinct_ids or query, or an empty list to add persons later',
    'person_ids',
  );
};
