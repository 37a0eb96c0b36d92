import { isStorable } from '../time/dates.js';
import { uuidShape } from '../values/ids.js';
import { QueryTooExpensive } from './errors.js';
import { type Buckets } from '../time/range.js';

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
export const parameterText = (value: Bound): string => {
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
const typedLiteral = (type: string, value: Bound): string =>
  type === 'String' && typeof value === 'string'
    ? literal(value)
    : `_CAST(${literal(parameterText(value))}, ${literal(type)})`;

/** A table in SQL text, limited to the rows on the shard on which the statement runs. */
class OwnShard {
  constructor(readonly table: string) {}
}

export type Slot = Sql | Value | OwnShard;
type Piece = string | Slot;

/** A piece of SQL text with typed values in it. Only this file creates one, so text from outside cannot become SQL. */
export class Sql {
  readonly #pieces: readonly Piece[];

  private constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /**
   * The pieces of a fragment, in order. Nested fragments are not copied, because each level would copy all levels below.
   */
  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  static readonly tag = (parts: TemplateStringsArray, ...slots: readonly Slot[]): Sql => {
    const pieces: Piece[] = [];
    parts.forEach((part, at) => {
      const slot = slots[at];
      pieces.push(part);
      if (slot !== undefined) pieces.push(slot);
    });
    return new Sql(pieces);
  };

  static readonly joined = (slots: readonly Slot[], separator: Sql): Sql => {
    const pieces: Piece[] = [];
    slots.forEach((slot, at) => {
      if (at > 0) pieces.push(separator);
      pieces.push(slot);
    });
    return new Sql(pieces);
  };

  static readonly quoted = (name: string): Sql => new Sql([quoteIdentifier(name)]);
}

const identifierEscapes: Record<string, string> = { '`': '\\`', '\\': '\\\\', '\0': '\\0' };

/** The only function that turns a name into SQL. */
export const quoteIdentifier = (name: string): string => {
  if (name === '') throw new RangeError('An identifier cannot be empty');
  return `\`${name.replace(/[`\\\0]/g, (character) => identifierEscapes[character] ?? character)}\``;
};

/** `sql\`SELECT ${integer(1)}\``: slots accept fragments and typed values; a bare string does not compile. */
export const sql = Sql.tag;
export const identifier = Sql.quoted;
/** For a table that is joined without GLOBAL, because equal keys of both tables are on the same shard. */
export const ofShard = (table: string): OwnShard => new OwnShard(table);
export const empty: Sql = sql``;

export const join = (slots: readonly Slot[], separator: Sql = sql`, `): Sql => Sql.joined(slots, separator);

interface Compiled {
  query: string;
  query_params: Record<string, Bound>;
}

/**
 * The engine's parser refuses even shorter statements; this limit avoids the work on a text that the engine would never
 * accept.
 */
const maxStatementLength = 1_000_000;

/** How many values, and characters of values, a statement may bind. Further values are written into its text. */
export interface BindingRoom {
  readonly values: number;
  readonly characters: number;
}

const unbounded: BindingRoom = { values: Infinity, characters: Infinity };

/** Creates one parameter per value; the same value used twice is bound once. `onCluster` decides the name of `ofShard` tables. */
export const compile = (statement: Sql, room: BindingRoom = unbounded, onCluster = false): Compiled => {
  const written = new Map<Value, string>();
  const query_params: Record<string, Bound> = {};
  const texts: string[] = [];
  let [length, bound, characters] = [0, 0, 0];
  const placeholder = (value: Value): string => {
    const taken = room === unbounded ? 0 : widthOf(value.bound);
    if (bound >= room.values || characters + taken > room.characters) return typedLiteral(value.type, value.bound);
    bound += 1;
    characters += taken;
    query_params[`p${bound}`] = value.bound;
    return `{p${bound}:${value.type}}`;
  };
  const write = (piece: Piece): void => {
    if (piece instanceof Sql) return piece.pieces.forEach(write);
    if (piece instanceof OwnShard) return write(quoteIdentifier(shardTable(piece.table, onCluster)));
    if (typeof piece === 'string') length += piece.length;
    else if (!written.has(piece)) written.set(piece, placeholder(piece));
    const text = typeof piece === 'string' ? piece : (written.get(piece) as string);
    if (typeof piece !== 'string') length += placeholderLength(piece);
    if (length > maxStatementLength) throw new QueryTooExpensive('complexity');
    texts.push(text);
  };
  write(statement);
  return { query: texts.join(''), query_params };
};

/** The name of the table that stores the rows of `table`. */
export const shardTable = (table: string, onCluster: boolean): string => (onCluster ? `${table}_local` : table);

/** A value counts as its placeholder, also where it is written as a literal: values have limits of their own. */
const placeholderLength = ({ type }: Value): number => type.length + '{p1:}'.length;

const widthOf = (value: Bound): number =>
  typeof value === 'object' ? value.reduce((sum: number, each) => sum + widthOf(each) + 3, 2) : String(value).length;

const digits: Readonly<Record<string, Sql>> = {
  '0': sql`0`,
  '1': sql`1`,
  '2': sql`2`,
  '3': sql`3`,
  '4': sql`4`,
  '5': sql`5`,
  '6': sql`6`,
  '7': sql`7`,
  '8': sql`8`,
  '9': sql`9`,
};

/** Writes a number of the service into the statement: positions in tuples and parts of names cannot be bound. */
export const numeral = (number: number): Sql =>
  join(
    [...String(number)].map((digit) => {
      const piece = digits[digit];
      if (piece === undefined) throw new RangeError(`${number} is not a natural number`);
      return piece;
    }),
    sql``,
  );

/**
 * Returns the position (from 0) of the bucket that contains a moment of the axis. The starts of buckets are computed in
 * TypeScript, so that days with a change of the clocks do not depend on the time zone data of the engine.
 */
export const bucketIndex = ({ starts, end }: Pick<Buckets, 'starts' | 'end'>, timestamp: Sql): Sql => {
  const first = starts[0]?.getTime() ?? 0;
  const offsets = starts.map((start) => start.getTime() - first);
  const at = sql`(toUnixTimestamp64Milli(${timestamp}) - ${integer(first)})`;
  const average = Math.max(1, Math.floor((end.getTime() - first) / Math.max(1, starts.length)));
  if (offsets.every((offset, index) => offset === index * average)) return sql`intDiv(${at}, ${integer(average)})`;
  // The last bucket has no next one, so the list ends with the largest number.
  const begins = list(integer, [...offsets, Number.MAX_SAFE_INTEGER]);
  if (!isNear(offsets, end.getTime() - first, average)) return sql`(arrayFirstIndex(x -> x > ${at}, ${begins}) - 2)`;
  const guess = sql`least(greatest(intDiv(${at}, ${integer(average)}), 0), ${integer(offsets.length - 1)})`;
  return sql`(${guess} + toInt64(${begins}[${guess} + 2] <= ${at}) - toInt64(${begins}[${guess} + 1] > ${at}))`;
};

/** True if a guess by the average length is never off by more than one bucket. */
const isNear = (offsets: readonly number[], end: number, average: number): boolean =>
  offsets.every((offset, index) => {
    const last = (offsets[index + 1] ?? end) - 1;
    return Math.floor(offset / average) >= index - 1 && Math.floor(last / average) <= index + 1;
  });
