import { type SourcePosition, fault } from './fault.js';
import { type Value, integer, list, real, smallestInteger, sql, text, unsigned } from '../platform/clickhouse/sql.js';
import { type Expression, type Literal, type NameExpression, type NumberLiteral } from './tree.js';
import { type CompiledExpression, Names, type StatementSize } from './compiled.js';
import { type LiveCohort } from '../kernel/memberships/live-cohorts.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type CohortMemberships } from '../filters/compile/compile.sql.js';
import { type EventMatch } from '../filters/reading/filter.js';

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

/** The literals of a question. Equal ones are bound once, because a server accepts at most a thousand values. */
class Literals {
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

  /** Binds at least eight literals of one kind as one list; returns null for other items. */
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

export type OwnerOfProperties = 'event' | 'person' | 'group';

/** `number`: all values that the property has in the project are numbers. `mixed`: some of them are. */
export type PropertyType = 'number' | 'mixed' | 'other';

export interface PropertyTypes {
  of(owner: OwnerOfProperties, key: string): PropertyType;
}

/** Everything that a question is compiled with, except its text. */
export interface AskingScope {
  readonly project: ProjectContext;
  readonly projectId: number;
  readonly now: Date;
  readonly overridden: boolean;
  /** Looked up only if the question names a cohort or reads a table of cohorts. */
  readonly cohorts: readonly LiveCohort[];
  readonly memberships: CohortMemberships;
  readonly types: PropertyTypes;
  /** The actions that the question names. */
  readonly actions: ReadonlyMap<string, readonly EventMatch[]>;
}

const maxSelects = 300;
/**
 * The most expressions of a statement: the engine takes about ten microseconds for each, and does not check its limits while
 * it analyses them.
 */
const maxExpressions = 10_000;

/** The state of one question while it is compiled. */
export class SqlStatement {
  private grown: StatementSize = { selects: 0, expressions: 0 };
  /** The meanings of the names in the question, once they are compiled. */
  readonly meanings = new WeakMap<NameExpression, CompiledExpression>();
  readonly names = new Names();
  readonly literals = new Literals();

  constructor(readonly scope: AskingScope) {}

  get size(): StatementSize {
    return this.grown;
  }

  grownSince(before: StatementSize): StatementSize {
    const { selects, expressions } = this.grown;
    return { selects: selects - before.selects, expressions: expressions - before.expressions };
  }

  /**
   * Counts what is added to the statement, and refuses too much. A CTE is written out wherever it is read, and the engine writes
   * an alias out wherever it is named: an alias that names another one twice doubles it.
   */
  grow({ selects, expressions }: StatementSize, at: SourcePosition): void {
    this.grown = { selects: this.grown.selects + selects, expressions: this.grown.expressions + expressions };
    if (this.grown.selects > maxSelects)
      throw fault(
        `A question may have at most ${maxSelects} SELECTs, and one of a CTE counts as often as it is read`,
        at,
      );
    if (this.grown.expressions > maxExpressions)
      throw fault(
        `A question may have at most ${maxExpressions.toLocaleString('en')} expressions, and what an alias or a CTE stands for counts as often as it is named: compute it in a sub-query in FROM`,
        at,
      );
  }
}
