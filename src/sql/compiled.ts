import { type StoredType } from '../kernel/projection/schema/property.sql.js';
import { type Sql, identifier } from '../platform/clickhouse/sql.js';

/**
 * The type of a value as far as it is known before the engine computes it. `property` is a text that may be a number;
 * `numeric` is a property all of whose values are numbers.
 */
export type Flavor = 'property' | 'numeric' | 'time' | 'number' | 'text' | 'other';

export interface CompiledExpression {
  readonly sql: Sql;
  readonly flavor: Flavor;
  /** A time in UTC as it is stored: conditions on it use the index. */
  readonly stored?: Sql;
  /**
   * Reads a property only if it is stored with this type, otherwise as NULL, which is faster than to read its text. Only columns
   * of tables have this.
   */
  readonly storedAs?: (type: StoredType) => Sql;
  /** True if the value is the same for all rows of a block. Only names have `isFixed`, `isLarge` and `size`. */
  readonly isFixed?: boolean;
  /** True if the value may be much larger than its text. */
  readonly isLarge?: boolean;
  /** The number of expressions that the engine analyses at each use of the name. */
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

/** The number of SELECTs and expressions that the engine has to analyse. */
export interface StatementSize {
  readonly selects: number;
  readonly expressions: number;
}

export interface CompiledQuery {
  /** The size of a CTE, including the CTEs that it reads. */
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
