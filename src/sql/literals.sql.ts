import { fault } from './fault.js';
import { join, sql, type Sql } from '../platform/clickhouse/sql.js';
import { integer, list, real, smallestInteger, text, unsigned, type Value } from '../platform/clickhouse/values.js';
import { type Expression, type Literal, type NumberLiteral } from './tree.js';
import { type CompiledExpression } from './compiled.js';

const largest = 2n ** 64n - 1n;
const smallest = -(2n ** 63n);

const numberValue = ({ digits, at }: NumberLiteral): Value => {
  if (/^-?\d+$/.test(digits)) {
    const integer = BigInt(digits);
    if (integer >= smallest && integer <= largest) return smallestInteger(integer);
  }
  const number = Number(digits);
  if (!Number.isFinite(number)) throw fault(`${digits} is larger than every number`, at);
  return real(number);
};

/** Equal literals are bound once: a server accepts a thousand values. */
export class Literals {
  private readonly values = new Map<string, Value>();

  number(literal: NumberLiteral): Value {
    return this.once(`number ${literal.digits}`, () => numberValue(literal));
  }

  text(value: string): Value {
    return this.once(`text ${value}`, () => text(value));
  }

  compile(literal: Literal): CompiledExpression {
    switch (literal.kind) {
      case 'text':
        return { sql: sql`${this.text(literal.value)}`, flavor: 'text' };
      case 'number':
        return { sql: sql`${this.number(literal)}`, flavor: 'number' };
      case 'constant':
        return literal.value === null
          ? { sql: sql`NULL`, flavor: 'other' }
          : { sql: literal.value ? sql`true` : sql`false`, flavor: 'other' };
    }
  }

  /** Many literals of one kind as one bound list, otherwise null. */
  list(items: readonly Expression[]): Value | null {
    if (items.length < 8) return null;
    if (items.every((item) => item.kind === 'text'))
      return list(
        text,
        items.map(({ value }) => value),
      );
    if (!items.every((item) => item.kind === 'number')) return null;
    if (items.every(({ digits }) => /^-?\d{1,18}$/.test(digits))) {
      const integers = items.map(({ digits }) => BigInt(digits));
      return list(integers.some((one) => one < 0n) ? integer : unsigned, integers);
    }
    return list(
      real,
      items.map(({ digits }) => Number(digits)),
    );
  }

  get count(): number {
    return this.values.size;
  }

  private once(key: string, make: () => Value): Value {
    const known = this.values.get(key) ?? make();
    this.values.set(key, known);
    return known;
  }
}

export const commaSeparated = (parts: readonly Sql[]): Sql => join(parts, sql`, `);
