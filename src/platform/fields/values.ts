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

// The readers receive the value as it was sent, and `attr`, the path that an error names.

/** The bounds of a number. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Reads an integer, given as number or text; null for anything else. `Number()` would also accept "", "1e2" and "0x10". */
export const integerOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
};

export const readInteger = (value: unknown, attr: string, { min, max }: Bounds): number => {
  const number = integerOf(value);
  if (number !== null && number >= min && number <= max) return number;
  throw invalidInput(`${attr} must be an integer from ${min} to ${max}`, attr);
};

const booleans = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** A boolean of a query string. */
export const readBoolean = (value: unknown, attr: string): boolean => {
  const boolean = booleans.get(value);
  if (boolean === undefined) throw invalidInput(`${attr} must be true or false`, attr);
  return boolean;
};

export const readChoice = <const T extends string>(value: unknown, attr: string, choices: readonly T[]): T => {
  const choice = choices.find((known) => known === value);
  if (choice === undefined) throw invalidInput(`${attr} must be one of ${choices.join(', ')}`, attr);
  return choice;
};

export const readText = (value: unknown, attr: string): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalidInput(`${attr} must be one text`, attr);
};

/** A list of texts, or a single one. */
export const readTexts = (value: unknown, attr: string): string[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((item, at) => {
    if (typeof item === 'string') return item;
    if (typeof item === 'number' || typeof item === 'boolean') return String(item);
    throw invalidInput(`${attr} must be a list of texts`, `${attr}.${at}`);
  });
