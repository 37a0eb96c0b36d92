import { QueryTooExpensive } from './errors.js';
import { type Bound, type Value } from './values.js';

export type Slot = Sql | Value;
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

/** The only place where a name becomes SQL. */
export const quoteIdentifier = (name: string): string => {
  if (name === '') throw new RangeError('An identifier cannot be empty');
  return `\`${name.replace(/[`\\\0]/g, (character) => identifierEscapes[character] ?? character)}\``;
};

/** `sql\`SELECT ${integer(1)}\``: slots accept fragments and typed values; a bare string does not compile. */
export const sql = Sql.tag;
export const identifier = Sql.quoted;
export const empty: Sql = sql``;

export const join = (slots: readonly Slot[], separator: Sql = sql`, `): Sql => Sql.joined(slots, separator);

export interface Compiled {
  query: string;
  query_params: Record<string, Bound>;
}

/**
 * The engine's parser refuses even shorter statements; this limit avoids the work on a text that the engine would never
 * accept.
 */
export const maxStatementLength = 1_000_000;

/** Creates one parameter per value; the same value used twice is bound once. */
export const compile = (statement: Sql): Compiled => {
  const names = new Map<Value, string>();
  const texts: string[] = [];
  let length = 0;
  const nameOf = (value: Value): string => {
    const name = names.get(value) ?? `p${names.size + 1}`;
    names.set(value, name);
    return name;
  };
  const write = (piece: Piece): void => {
    if (piece instanceof Sql) return piece.pieces.forEach(write);
    const text = typeof piece === 'string' ? piece : `{${nameOf(piece)}:${piece.type}}`;
    length += text.length;
    if (length > maxStatementLength) throw new QueryTooExpensive('complexity');
    texts.push(text);
  };
  write(statement);
  return {
    query: texts.join(''),
    query_params: Object.fromEntries([...names].map(([value, name]) => [name, value.bound])),
  };
};
