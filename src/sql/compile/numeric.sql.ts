import { type Sql, sql } from '../../platform/clickhouse/sql.js';
import { type CompiledExpression } from '../compiled.js';
import { type Expression } from '../tree.js';

type Compiled = Pick<CompiledExpression, 'sql' | 'flavor'>;

/** A value for what needs a text: a property that is always a number has one, too. */
export const asTextOf = ({ sql: value, flavor }: Compiled): Sql =>
  flavor === 'numeric' ? sql`toString(${value})` : value;

/** True if a value is a property, whose text may be read in another way. */
export const isProperty = ({ flavor }: Compiled): boolean => flavor === 'property' || flavor === 'numeric';

const isNull = (expression: Expression): boolean => expression.kind === 'constant' && expression.value === null;

/** A text that is a number. */
const isNumeral = (expression: Expression): boolean =>
  expression.kind === 'text' && /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(expression.value);

const hasNumbers = ({ flavor }: Compiled): boolean => flavor === 'numeric' || flavor === 'number';

const isNumber = (expression: Expression, compiled: Compiled): boolean => hasNumbers(compiled) || isNull(expression);

/** Two columns of USING. */
export const equalColumns = (one: Compiled, other: Compiled): Sql =>
  hasNumbers(one) && hasNumbers(other) ? sql`${one.sql} = ${other.sql}` : sql`${asTextOf(one)} = ${asTextOf(other)}`;

const asNumber = (expression: Expression, { sql: value, flavor }: Compiled): Sql =>
  flavor === 'property' || isNumeral(expression) ? sql`toFloat64OrNull(${value})` : value;

/** Constants that are booleans are texts beside properties. */
const asText = (expression: Expression, compiled: Compiled): Sql =>
  expression.kind === 'constant' && expression.value !== null ? sql`toString(${compiled.sql})` : asTextOf(compiled);

/**
 * Both sides of a comparison, one of which is a property that is always a number. Beside a text it is a text, so that an ID
 * equals what is written; but which of the two is larger, a text that is a number decides as a number.
 */
export const besideNumeric = (
  [left, a]: readonly [Expression, Compiled],
  [right, b]: readonly [Expression, Compiled],
  isOrdered: boolean,
): readonly [Sql, Sql] => {
  const isMeantAsNumber = (expression: Expression, compiled: Compiled): boolean =>
    isNumber(expression, compiled) || compiled.flavor === 'property' || (isOrdered && isNumeral(expression));
  return isMeantAsNumber(left, a) && isMeantAsNumber(right, b)
    ? [asNumber(left, a), asNumber(right, b)]
    : [asText(left, a), asText(right, b)];
};

interface OneType {
  readonly isText: boolean;
  /** True if a property that is always a number is among them. */
  readonly isConcerned: boolean;
  readonly values: readonly Sql[];
}

/** Values that must have one type: numbers if all of them are, otherwise each property is a text. */
export const ofOneType = (
  expressions: readonly Expression[],
  compiled: readonly Compiled[],
  isOrdered = false,
): OneType => {
  const all = compiled.map((one, at) => [expressions[at] as Expression, one] as const);
  const isText = !all.every(([each, one]) => isNumber(each, one) || (isOrdered && isNumeral(each)));
  const isConcerned = compiled.some(({ flavor }) => flavor === 'numeric');
  const value = isText || !isConcerned ? asTextOf : null;
  return { isText, isConcerned, values: all.map(([each, one]) => (value ? value(one) : asNumber(each, one))) };
};
