import { type SourcePosition } from './fault.js';

/** A name with its position. The types of this file are the tree of a question after the check, which refuses everything else. */

export interface Named {
  readonly text: string;
  readonly at: SourcePosition;
}

interface Node {
  readonly at: SourcePosition;
}

export interface TextLiteral extends Node {
  readonly kind: 'text';
  readonly value: string;
}

export interface NumberLiteral extends Node {
  readonly kind: 'number';
  /** The number as it was written, in decimal digits; a minus sign is part of it. */
  readonly digits: string;
}

export interface ConstantLiteral extends Node {
  readonly kind: 'constant';
  readonly value: boolean | null;
}

export type Literal = TextLiteral | NumberLiteral | ConstantLiteral;

export interface NameExpression extends Node {
  readonly kind: 'name';
  readonly parts: readonly Named[];
}

export interface ListExpression extends Node {
  readonly kind: 'array' | 'tuple';
  readonly items: readonly Expression[];
}

export interface CallExpression extends Node {
  readonly kind: 'call';
  readonly name: Named;
  readonly parameters: readonly Expression[];
  readonly args: readonly Expression[];
  readonly distinct: boolean;
  readonly nulls: 'ignore' | 'respect' | null;
  /** True for `count(*)`. */
  readonly ofRows: boolean;
  readonly over: WindowClause | Named | null;
}

export interface LambdaExpression extends Node {
  readonly kind: 'lambda';
  readonly parameters: readonly Named[];
  readonly body: Expression;
}

export interface OperationExpression extends Node {
  readonly kind: 'operation';
  readonly operator: SqlOperator;
  readonly operands: readonly Expression[];
}

export type SqlOperator =
  | 'or'
  | 'and'
  | 'xor'
  | 'not'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '||'
  | 'negate'
  | 'is null'
  | 'is not null'
  | 'same'
  | 'not same';

export interface BetweenExpression extends Node {
  readonly kind: 'between';
  readonly of: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly negated: boolean;
}

export interface LikeExpression extends Node {
  readonly kind: 'like';
  readonly of: Expression;
  readonly pattern: Expression;
  readonly anyCase: boolean;
  readonly negated: boolean;
}

export interface InExpression extends Node {
  readonly kind: 'in';
  readonly of: Expression;
  readonly among: readonly Expression[] | Query;
  readonly negated: boolean;
}

/** `cohort` is an id or a name. */
export interface InCohortExpression extends Node {
  readonly kind: 'in cohort';
  readonly of: Expression;
  readonly cohort: Literal;
  readonly negated: boolean;
}

export interface CaseExpression extends Node {
  readonly kind: 'case';
  readonly of: Expression | null;
  readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
  readonly otherwise: Expression | null;
}

export interface CastExpression extends Node {
  readonly kind: 'cast';
  readonly of: Expression;
  readonly type: DataType;
}

export interface DataType {
  readonly name: string;
  readonly canBeNull: boolean;
}

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export interface IntervalExpression extends Node {
  readonly kind: 'interval';
  readonly amount: Expression;
  readonly unit: Unit;
}

export interface ElementExpression extends Node {
  readonly kind: 'element';
  readonly of: Expression;
  readonly key: Expression;
}

/** An element of a tuple by its index, as in `of.2`. */
export interface FieldExpression extends Node {
  readonly kind: 'field';
  readonly of: Expression;
  readonly position: number;
}

export interface QueryExpression extends Node {
  readonly kind: 'query';
  readonly query: Query;
}

export interface ExistsExpression extends Node {
  readonly kind: 'exists';
  readonly query: Query;
  readonly negated: boolean;
}

export type Expression =
  | Literal
  | NameExpression
  | ListExpression
  | CallExpression
  | LambdaExpression
  | OperationExpression
  | BetweenExpression
  | LikeExpression
  | InExpression
  | InCohortExpression
  | CaseExpression
  | CastExpression
  | IntervalExpression
  | ElementExpression
  | FieldExpression
  | QueryExpression
  | ExistsExpression;

export interface Ordering {
  readonly by: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean | null;
}

export type FrameEnd =
  | { readonly kind: 'current row' | 'unbounded preceding' | 'unbounded following' }
  | { readonly kind: 'preceding' | 'following'; readonly rows: number };

export interface WindowClause {
  /** The window of the WINDOW clause that this one extends. */
  readonly base: Named | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly Ordering[];
  readonly frame: { readonly units: 'rows' | 'range'; readonly from: FrameEnd; readonly to: FrameEnd | null } | null;
}

export type Item =
  | {
      readonly kind: 'expression';
      readonly expression: Expression;
      readonly alias: Named | null;
      /** The name of the column in the answer if there is no alias. */
      readonly title: string;
    }
  | {
      readonly kind: 'star';
      readonly of: Named | null;
      readonly except: readonly Named[];
      readonly at: SourcePosition;
    };

export type Source =
  | { readonly kind: 'table'; readonly name: Named; readonly alias: Named | null }
  | { readonly kind: 'query'; readonly query: Query; readonly alias: Named | null; readonly at: SourcePosition };

export type JoinKind = 'inner' | 'left' | 'right' | 'full' | 'cross';

export interface Join {
  readonly kind: JoinKind;
  readonly source: Source;
  readonly on: Expression | null;
  readonly using: readonly Named[];
}

export interface Select {
  readonly kind: 'select';
  readonly at: SourcePosition;
  readonly distinct: boolean;
  readonly items: readonly Item[];
  readonly from: Source | null;
  readonly joins: readonly Join[];
  readonly where: Expression | null;
  readonly groupBy: 'all' | readonly Expression[];
  readonly grouping: 'rollup' | 'cube' | 'totals' | null;
  readonly having: Expression | null;
  readonly qualify: Expression | null;
  readonly windows: readonly { readonly name: Named; readonly window: WindowClause }[];
}

export interface Union {
  readonly kind: 'union';
  readonly at: SourcePosition;
  readonly distinct: boolean;
  readonly left: Body;
  readonly right: Body;
}

export type Body = Select | Union | Query;

export interface Cte {
  readonly name: Named;
  readonly query: Query;
}

export interface Query {
  readonly kind: 'full query';
  readonly at: SourcePosition;
  readonly ctes: readonly Cte[];
  readonly body: Body;
  readonly orderBy: readonly Ordering[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
  /** LIMIT … BY: keeps the first rows for each combination of values. */
  readonly limitBy: { readonly rows: Expression; readonly by: readonly Expression[] } | null;
}
