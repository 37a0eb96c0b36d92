import { put } from '../../../platform/values/put.js';
import { WrittenProperties } from '../../../platform/clickhouse/written.js';
import { jsonText } from '../../../platform/values/json-text.js';

type Projected = string | number | boolean;

/**
 * Whole numbers that ClickHouse's JSON parser refuses: too long for 64 bits, too short for JavaScript to write with an
 * exponent.
 */
const isUnreadable = (value: number): boolean => Math.abs(value) >= 2 ** 63 && Math.abs(value) < 1e21;

const projected = (value: unknown): Projected => {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return isUnreadable(value) ? String(value) : value;
  return jsonText(value as object);
};

/**
 * Converts properties into the form of the JSON column: one level of texts, numbers and booleans. Lists and objects
 * become their JSON text, which preserves their shape and empty ones, and limits the number of paths to the number of
 * top-level keys. A null counts as absent.
 */
export const projectedProperties = (properties: object): Record<string, Projected> => {
  const flat: Record<string, Projected> = {};
  for (const [key, value] of Object.entries(properties) as [string, unknown][]) {
    if (value !== null && value !== undefined) put(flat, escapedKey(key), projected(value));
  }
  return flat;
};

/**
 * In JSON text after its first brace: lists, objects, nulls, keys to escape, and numbers that JavaScript would write as other
 * ones or ClickHouse would take for another type. Texts may look like these; then the slower way is taken.
 */
const mayDiffer = /[[{%]|null|\d{16}|\.\d*0(?!\d)/;

/** The same for properties as JSON text, most of which need not be parsed. */
export const projectedText = (json: string): Record<string, Projected> | WrittenProperties =>
  mayDiffer.test(json.slice(1)) ? projectedProperties(JSON.parse(json) as object) : new WrittenProperties(json);

/** True if properties already have that form. */
export const isProjected = (properties: object): boolean => {
  for (const key in properties) {
    const value = (properties as Record<string, unknown>)[key];
    if (typeof value === 'number' ? isUnreadable(value) : typeof value !== 'string' && typeof value !== 'boolean') {
      return false;
    }
    if (key.includes('%')) return false;
  }
  return true;
};

/** The path of a property in a `properties` column, which `getSubcolumn` accepts as a bound text. */
export const propertyPath = (key: string): string => escapedKey(key).replaceAll('.', '%2E');

/** The property to which a path, as in `JSONAllPaths`, belongs. */
export const propertyOfPath = (path: string): string =>
  path.replace(/%(2E|25)/g, (_, code) => (code === '25' ? '%' : '.'));

/** ClickHouse writes a dot in a key as `%2E`; a key that already contains such text must stay different. */
const escapedKey = (key: string): string => (key.includes('%') ? key.replace(/%(?=25|2E)/g, '%25') : key);
