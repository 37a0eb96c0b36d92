import { type Bound, type Value } from './values.js';

export type Slot = Sql | Value;

/** A piece of SQL text with typed values in it. Only this file makes one, so text from outside cannot become SQL. */
export class Sql {
  readonly #pieces: readonly (string | Value)[];

  private constructor(pieces: readonly (string | Value)[]) {
    this.#pieces = pieces;
  }

  get pieces(): readonly (string | Value)[] {
    return this.#pieces;
  }

  static readonly tag = (parts: TemplateStringsArray, ...slots: readonly Slot[]): Sql =>
    new Sql(parts.flatMap((part, at) => [part, ...piecesOf(slots[at])]));

  static readonly quoted = (name: string): Sql => new Sql([quoteIdentifier(name)]);
}

const piecesOf = (slot: Slot | undefined): readonly (string | Value)[] => {
  if (slot === undefined) return [];
  return slot instanceof Sql ? slot.pieces : [slot];
};

const identifierEscapes: Record<string, string> = { '`': '\\`', '\\': '\\\\', '\0': '\\0' };

/** The one place where a name becomes SQL. */
export const quoteIdentifier = (name: string): string => {
  if (name === '') throw new RangeError('An identifier cannot be empty');
  return `\`${name.replace(/[`\\\0]/g, (character) => identifierEscapes[character] ?? character)}\``;
};

/** `sql\`SELECT ${integer(1)}\``: slots take fragments and typed values; a bare string does not compile. */
export const sql = Sql.tag;
export const identifier = Sql.quoted;
export const empty: Sql = sql``;

export const join = (slots: readonly Slot[], separator: Sql = sql`, `): Sql =>
  slots.reduce<Sql>((joined, slot, at) => (at === 0 ? sql`${slot}` : sql`${joined}${separator}${slot}`), empty);

export interface Compiled {
  query: string;
  query_params: Record<string, Bound>;
}

/** One parameter per value; the same value used twice is bound once. */
export const compile = (statement: Sql): Compiled => {
  const names = new Map<Value, string>();
  const nameOf = (value: Value): string => {
    const name = names.get(value) ?? `p${names.size + 1}`;
    names.set(value, name);
    return name;
  };
  const query = statement.pieces
    .map((piece) => (typeof piece === 'string' ? piece : `{${nameOf(piece)}:${piece.type}}`))
    .join('');
  return { query, query_params: Object.fromEntries([...names].map(([value, name]) => [name, value.bound])) };
};
