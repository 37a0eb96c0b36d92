import { isStorable } from '../time/dates.js';
import { uuidShape } from '../values/ids.js';

export type Bound = string | number | bigint | boolean | readonly Bound[];

/** A value of a statement for ClickHouse: bound as a parameter of its type, never part of the SQL text. */
class Value {
  readonly #bound: Bound;

  constructor(
    readonly type: string,
    bound: Bound,
  ) {
    this.#bound = bound;
  }

  get bound(): Bound {
    return this.#bound;
  }
}

/** Other files create values only by the functions below, so the type in a placeholder is always valid. */
export type { Value };

export interface Kind<T> {
  (value: T): Value;
  readonly type: string;
  readonly encode: (value: T) => Bound;
}

const kind = <T>(type: string, encode: (value: T) => Bound): Kind<T> =>
  Object.assign((value: T) => new Value(type, encode(value)), { type, encode });

const within = (type: string, lowest: bigint, highest: bigint) =>
  kind<number | bigint>(type, (value) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new RangeError(`${value} is not an exact integer: pass a bigint`);
    }
    if (value < lowest || value > highest) throw new RangeError(`${value} does not fit ${type}`);
    return value;
  });

const dayShape = /^\d{4}-\d{2}-\d{2}$/;

const matching = (type: string, shape: RegExp) =>
  kind<string>(type, (value) => {
    if (!shape.test(value)) throw new RangeError(`${JSON.stringify(value)} is not a ${type}`);
    return value;
  });

export const text = kind<string>('String', (value) => value);
export const integer = within('Int64', -(2n ** 63n), 2n ** 63n - 1n);
export const unsigned = within('UInt64', 0n, 2n ** 64n - 1n);
export const boolean = kind<boolean>('Bool', (value) => value);
export const uuid = matching('UUID', uuidShape);

const sizes = [8n, 16n, 32n, 64n];
const signedKinds = sizes.map((bits) => within(`Int${bits}`, -(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n));
const unsignedKinds = sizes.map((bits) => within(`UInt${bits}`, 0n, 2n ** bits - 1n));

/** An integer of the smallest type that fits, which is the type that the engine gives to a literal. */
export const smallestInteger = (value: bigint): Value => {
  const [kinds, bits] =
    value < 0n ? [signedKinds, (size: bigint) => size - 1n] : [unsignedKinds, (size: bigint) => size];
  const at = sizes.findIndex((size) => (value < 0n ? -value <= 2n ** bits(size) : value < 2n ** bits(size)));
  const kindOfSize = kinds[at];
  if (!kindOfSize) throw new RangeError(`${value} does not fit 64 bits`);
  return kindOfSize(value);
};

/** A calendar day, `YYYY-MM-DD`. */
export const day = matching('Date32', dayShape);

export const real = kind<number>('Float64', (value) => {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a finite number`);
  return value;
});

export const instant = kind<Date>("DateTime64(3, 'UTC')", (value) => {
  if (!isStorable(value.getTime())) throw new RangeError('An instant must lie between the years 1900 and 2299');
  return value.toISOString().replace('T', ' ').replace('Z', '');
});

export const list = <T>(of: Kind<T>, values: readonly T[]): Value =>
  new Value(`Array(${of.type})`, values.map(of.encode));

const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const escaped = (text: string): string =>
  text.replace(/[\\\0\b\f\n\r\t]/g, (character) => escapes[character] ?? character);

/** A text as a literal of the engine, in quotes. */
const literal = (text: string): string => `'${escaped(text).replaceAll("'", "\\'")}'`;

/** The engine reads a parameter's value like a tab-separated field. */
const parameterText = (value: Bound): string => {
  if (typeof value === 'string') return escaped(value);
  return typeof value === 'object' ? `[${value.map(elementText).join(',')}]` : String(value);
};

const elementText = (value: Bound): string => {
  if (typeof value === 'string') return literal(value);
  return parameterText(value);
};

/**
 * A value as part of the statement, which the engine reads like a bound parameter of the type. A list becomes a single literal,
 * no matter how long it is.
 */
export const typedLiteral = (type: string, value: Bound): string =>
  type === 'String' && typeof value === 'string'
    ? literal(value)
    : `_CAST(${literal(parameterText(value))}, ${literal(type)})`;
