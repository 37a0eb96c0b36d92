import { invalidInput } from '../common/errors/problem.js';
import { isBigId, isUuid } from '../common/ids.js';

/** How a URL names a person. Ids are kept as text: they are compared in the database. */
export type PersonRef = { readonly id: string } | { readonly uuid: string };

export const personRef = (text: string, attr = 'id'): PersonRef => {
  if (isBigId(text)) return { id: text };
  if (isUuid(text)) return { uuid: text.toLowerCase() };
  throw invalidInput(
    `${attr} must be the integer id or the uuid of a person; to find one by distinct id use persons?distinct_id=…`,
    attr,
  );
};
