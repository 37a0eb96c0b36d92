import { integerOf } from '../fields/values.js';
import { createHash } from 'node:crypto';

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

/** The first of all uuids in their order. */
export const zeroUuid = '00000000-0000-0000-0000-000000000000';

/** A uuid of version 5: the same name in the same namespace always gives the same uuid. */
export const nameUuid = (namespace: Buffer, name: string): string => {
  const hash = createHash('sha1').update(namespace).update(name).digest();
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x50;
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
