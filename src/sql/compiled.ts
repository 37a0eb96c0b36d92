import { type StoredType } from '../kernel/projection/schema/property.sql.js';
import { type Sql, identifier } from '../platform/clickhouse/sql.js';

/**
 * The type of a value as far as it is known before the engine computes it. A property is a text that may be a number, and a
 * numeric one is a number, because it never was anything else.
 */
export type Flavor = 'property' | 'numeric' | 'time' | 'number' | 'text' | 'other';

export interface CompiledExpression {
  readonly sql: Sql;
  readonly flavor: Flavor;
  /** A time in UTC as it is stored: conditions on it use the index. */
  readonly stored?: Sql;
  /** A property only if it is stored with this type, otherwise NULL: this is faster to read than its text. Only rows of a table have it. */
  readonly storedAs?: (type: StoredType) => Sql;
  /** The value is the same for all rows of a block. Only names have this, and what follows. */
  readonly isFixed?: boolean;
  /** The value may be much larger than its text. */
  readonly isLarge?: boolean;
  /** How many expressions the engine looks at where the name is written. */
  readonly size?: number;
}

/** A column of a SELECT, under the caller's name and ours. */
export interface Output {
  readonly name: string;
  readonly sql: Sql;
  readonly flavor: Flavor;
  /** Our name of a further column, with the time as it is stored. Only a sub-query in FROM has it. */
  readonly stored?: Sql;
  readonly isFixed?: boolean;
  readonly isLarge?: boolean;
}

/** The amount that the engine has to analyse. */
export interface StatementSize {
  readonly selects: number;
  readonly expressions: number;
}

export interface CompiledQuery {
  /** The size of a CTE, those of the CTEs that it reads included. */
  readonly size?: StatementSize;
  readonly sql: Sql;
  readonly outputs: readonly Output[];
}

/** Makes names for tables, columns and parameters. No name of the caller reaches the engine. */
export class Names {
  private last = 0;

  next(prefix: 't' | 'c' | 'w'): Sql {
    this.last += 1;
    return identifier(`${prefix}${this.last}`);
  }
}
