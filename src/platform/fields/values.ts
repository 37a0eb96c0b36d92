import { invalidInput } from '../errors/problem.js';

/** The bounds of a number. All readers below receive the value as it was sent, and `attr`, the path that an error names. */

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

/** A boolean of a JSON value, in which text is not a boolean; false when missing. */
export const readJsonBoolean = (value: unknown, attr: string): boolean => {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw invalidInput(`${attr} must be true or false`, attr);
  return value;
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
