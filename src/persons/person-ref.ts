import { invalidInput } from '../common/errors/problem.js';

/** How a URL names a person. Ids are kept as text: they are compared in the database. */
export type PersonRef = { readonly id: string } | { readonly uuid: string };

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const personRef = (text: string, attr = 'id'): PersonRef => {
  if (/^\d{1,15}$/.test(text)) return { id: text };
  if (uuidShape.test(text)) return { uuid: text.toLowerCase() };
  throw invalidInput(
    `${attr} must be the integer id or the uuid of a person; to find one by distinct id use persons?distinct_id=…`,
    attr,
  );
};
