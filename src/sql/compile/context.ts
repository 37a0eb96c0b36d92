import { type Sql } from '../../platform/clickhouse/sql.js';
import { type CallExpression, type Expression, type NameExpression, type Query } from '../tree.js';
import { type CompiledExpression, type CompiledQuery } from '../compiled.js';
import { type FromTables } from './scope.js';
import { type SqlStatement } from '../statement.js';

export type Clause = 'select' | 'on' | 'where' | 'group by' | 'having' | 'order by';

/** Where an expression is. */
export interface Context {
  readonly statement: SqlStatement;
  readonly clause: Clause;
  readonly sources: FromTables;
  /** Inside the arguments of an aggregate, which cannot have another one. */
  readonly inAggregate: boolean;
  /** The parameters of functions around the expression, by the caller's names. */
  readonly parameters: ReadonlyMap<string, Sql>;
  /** How many parameters of functions are around the expression, hidden ones too. */
  readonly depth: number;
  /** How often the expression is computed for each row: the lengths of the lists of `arrayFold` around it. */
  readonly repeats: readonly Sql[];
  /** The function that calls the lambda which is compiled now, if its calls must be counted. */
  readonly lambdaOf: string | null;
  readonly windows: ReadonlyMap<string, Sql>;
  /** The column or the alias of a name. */
  readonly resolve: (name: NameExpression, context: Context) => CompiledExpression;
  readonly query: (query: Query) => CompiledQuery;
  readonly expression: (expression: Expression, context: Context) => CompiledExpression;
  readonly call: (call: CallExpression, context: Context) => CompiledExpression;
}

export const inner = (expression: Expression, context: Context): Sql => context.expression(expression, context).sql;
