/** A value of a statement. It is sent separately from the text, and never becomes part of it. */
class BoundValue {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  get value(): unknown {
    return this.#value;
  }
}

type PgSlot = PgSql | BoundValue;
type Piece = string | PgSlot;

interface Rendered {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * A piece of a statement with bound values in it, which the driver also takes as a whole statement. Only this file creates
 * objects of this class, so that text from outside cannot become SQL.
 */
export class PgSql {
  private cached: Rendered | undefined;

  // No member is private with `#`, because the driver reads a statement through an object derived from it.
  private constructor(
    private readonly pieces: readonly Piece[],
    readonly name?: string,
  ) {}

  static readonly tag = (parts: TemplateStringsArray, ...slots: readonly PgSlot[]): PgSql => {
    const pieces: Piece[] = [];
    parts.forEach((part, index) => {
      const slot = slots[index];
      pieces.push(part);
      if (slot !== undefined) pieces.push(slot);
    });
    return new PgSql(pieces);
  };

  static readonly joined = (slots: readonly PgSlot[], separator: PgSql): PgSql =>
    new PgSql(slots.flatMap((slot, index) => (index === 0 ? [slot] : [separator, slot])));

  /** The same statement, prepared once per connection. A name must always stand for the same text. */
  named(name: string): PgSql {
    return new PgSql(this.pieces, name);
  }

  get text(): string {
    return this.rendered.text;
  }

  get values(): unknown[] {
    return this.rendered.values;
  }

  /** Values are numbered in order of appearance. The same bound value used twice is one parameter. */
  private get rendered(): Rendered {
    if (this.cached) return this.cached;
    const numbers = new Map<BoundValue, number>();
    const texts: string[] = [];
    const write = (piece: Piece): void => {
      if (piece instanceof PgSql) return piece.pieces.forEach(write);
      if (typeof piece === 'string') return void texts.push(piece);
      const number = numbers.get(piece) ?? numbers.size + 1;
      numbers.set(piece, number);
      texts.push(`$${number}`);
    };
    write(this);
    this.cached = { text: texts.join(''), values: [...numbers.keys()].map(({ value }) => value) };
    return this.cached;
  }
}

/** `pgSql\`SELECT ${bound(1)}\``: slots accept fragments and bound values; a bare string does not compile. */
export const pgSql = PgSql.tag;

/** PostgreSQL derives the type of a value from its position, or from a cast after it. */
export const bound = (value: unknown): BoundValue => new BoundValue(value);

export const joinedSql = (slots: readonly PgSlot[], separator: PgSql = pgSql`, `): PgSql =>
  PgSql.joined(slots, separator);
