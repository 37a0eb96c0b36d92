import { integerOf } from '../fields/values.js';

/** Accepts any 128 bits: SDKs send uuids that no version of the standard describes. */
export const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidShape.test(text);

/** The id of a person as text: PostgreSQL's bigint, up to the limit of exact numbers. */
export const isBigId = (text: string): boolean => /^\d{1,15}$/.test(text);

const largestSmallId = 2 ** 31 - 1;

/** The id of a project or a cohort, which is PostgreSQL's integer; null for any other value. */
export const readSmallId = (value: unknown): number | null => {
  const id = integerOf(value);
  return id !== null && id >= 1 && id <= largestSmallId ? id : null;
};

/** No uuid comes before it. */
export const zeroUuid = '00000000-0000-0000-0000-000000000000';
