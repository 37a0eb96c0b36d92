import { invalidInput } from '../../common/errors/problem.js';

export type Fields = Readonly<Record<string, unknown>>;

/** An object with no other keys than the known: a typo in a question would silently change its answer. */
export const demandFields = (given: unknown, attr: string, known: readonly string[]): Fields => {
  const value = demandObject(given, attr);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw invalidInput(
      `${attr} has no "${unknown.slice(0, 100)}"; it knows ${known.join(', ')}`,
      `${attr}.${unknown.slice(0, 100)}`,
    );
  }
  return value;
};

export const demandObject = (value: unknown, attr: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidInput(`${attr} must be an object`, attr);
  }
  return value as Fields;
};

export const demandList = (value: unknown, attr: string, atMost: number): readonly unknown[] => {
  if (value === undefined || value === null || value === '') return [];
  if (!Array.isArray(value)) throw invalidInput(`${attr} must be a list`, attr);
  if (value.length > atMost) throw invalidInput(`${attr} must have at most ${atMost} entries`, attr);
  return value;
};

export const textField = (fields: Fields, key: string, attr: string, maxLength = 400): string | null => {
  const value = fields[key];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.length > maxLength) {
    throw invalidInput(`${attr}.${key} must be text of at most ${maxLength} characters`, `${attr}.${key}`);
  }
  return value;
};

export const integerField = (
  fields: Fields,
  key: string,
  attr: string,
  { min, max }: { min: number; max: number },
): number | null => {
  const value = fields[key];
  if (value === undefined || value === null) return null;
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
    throw invalidInput(`${attr}.${key} must be an integer from ${min} to ${max}`, `${attr}.${key}`);
  }
  return number;
};
