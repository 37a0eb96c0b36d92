import { invalidInput } from '../errors/problem.js';

/** An object of JSON with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const requireObject = (value: unknown, attr: string): Fields => {
  if (!isFields(value)) throw invalidInput(`${attr} must be an object`, attr);
  return value;
};

const maxQuotedLength = 100;

interface KnownKeys {
  readonly known: readonly string[];
  /** Completes the error message: "a group has type and values". */
  readonly rule?: string;
  /** Keys that are accepted and have no effect. */
  readonly isIgnored?: (key: string, value: unknown) => boolean;
}

/** Refuses an object with unknown keys, because a typing error would silently change its meaning. */
export const assertOnlyKeys = (fields: Fields, attr: string, { known, rule, isIgnored }: KnownKeys): void => {
  const unknown = Object.keys(fields).find((key) => !known.includes(key) && !isIgnored?.(key, fields[key]));
  if (unknown === undefined) return;
  const quoted = unknown.slice(0, maxQuotedLength);
  const path = `${attr}.${quoted}`;
  const detail = rule
    ? `${path} is not known: ${rule}`
    : `${attr} has no "${quoted}"; its keys are ${known.join(', ')}`;
  throw invalidInput(detail, path);
};

export const requireFields = (value: unknown, attr: string, known: readonly string[]): Fields => {
  const fields = requireObject(value, attr);
  assertOnlyKeys(fields, attr, { known });
  return fields;
};

export const requireList = (value: unknown, attr: string, atMost: number, example?: string): readonly unknown[] => {
  if (value === undefined || value === null || value === '') return [];
  if (!Array.isArray(value))
    throw invalidInput(`${attr} must be a list${example === undefined ? '' : `, such as ${example}`}`, attr);
  if (value.length > atMost) throw invalidInput(`${attr} must have at most ${atMost} entries`, attr);
  return value;
};
