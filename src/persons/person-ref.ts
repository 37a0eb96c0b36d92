import { invalidInput, notFound, type Problem } from '../common/errors/problem.js';
import { isBigId, isUuid } from '../common/ids.js';

/** The reference to a person in a URL. Ids stay text: the database compares them. */
export type PersonRef = { readonly id: string } | { readonly uuid: string };

export const personRef = (text: string, attr = 'id'): PersonRef => {
  if (isBigId(text)) return { id: text };
  if (isUuid(text)) return { uuid: text.toLowerCase() };
  throw invalidInput(
    `${attr} must be the integer id or the uuid of a person; to find one by distinct id use persons?distinct_id=…`,
    attr,
  );
};

export const noPerson = (ref: PersonRef): Problem => notFound(`there is no person ${'id' in ref ? ref.id : ref.uuid}`);
