import { put } from './put.js';

/**
 * The JSON text of a list or an object, the same for every order of keys: a sender's order would make two values of one.
 */
export const jsonText = (value: object): string => JSON.stringify(inOrder(value));

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const ordered: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value).sort(byKey)) put(ordered, key, inOrder(inner));
  return ordered;
};

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;
