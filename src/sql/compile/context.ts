import { type Sql } from '../../platform/clickhouse/sql.js';
import { type CallExpression, type Expression, type NameExpression, type Query } from '../tree.js';
import { type CompiledExpression, type CompiledQuery } from '../compiled.js';
import { type FromTables } from './scope.js';
import { type SqlStatement } from '../statement.js';

export type Clause = 'select' | 'on' | 'where' | 'group by' | 'having' | 'order by';

/** The surroundings of an expression, which decide how it is compiled. */
export interface Context {
  readonly statement: SqlStatement;
  readonly clause: Clause;
  readonly sources: FromTables;
  /** True inside of the arguments of an aggregate, where another aggregate is not allowed. */
  readonly inAggregate: boolean;
  /** The parameters of the lambdas around the expression, by the caller's names. */
  readonly parameters: ReadonlyMap<string, Sql>;
  /** The number of parameters of the lambdas around the expression, including those that an inner one hides. */
  readonly depth: number;
  /** How often the expression is computed for each row: the lengths of the lists of `arrayFold` around it. */
  readonly repeats: readonly Sql[];
  /** The function that calls the lambda that is being compiled, if the calls must be counted; otherwise null. */
  readonly lambdaOf: string | null;
  readonly windows: ReadonlyMap<string, Sql>;
  /** Finds the column or the alias that a name means. */
  readonly resolve: (name: NameExpression, context: Context) => CompiledExpression;
  readonly query: (query: Query) => CompiledQuery;
  readonly expression: (expression: Expression, context: Context) => CompiledExpression;
  readonly call: (call: CallExpression, context: Context) => CompiledExpression;
}

export const inner = (expression: Expression, context: Context): Sql => context.expression(expression, context).sql;
