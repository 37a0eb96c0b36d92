import { type Sql, sql } from '../../platform/clickhouse/sql.js';
import { type CompiledExpression } from '../compiled.js';
import { type Expression } from '../tree.js';

type Compiled = Pick<CompiledExpression, 'sql' | 'flavor'>;

/** The value as text: a property that is always a number is converted. */
export const asTextOf = ({ sql: value, flavor }: Compiled): Sql =>
  flavor === 'numeric' ? sql`toString(${value})` : value;

/** True if a value is a property, which can be compared as text or as a number. */
export const isProperty = ({ flavor }: Compiled): boolean => flavor === 'property' || flavor === 'numeric';

const isNull = (expression: Expression): boolean => expression.kind === 'constant' && expression.value === null;

/** A text that is a number. */
const isNumeral = (expression: Expression): boolean =>
  expression.kind === 'text' && /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(expression.value);

const hasNumbers = ({ flavor }: Compiled): boolean => flavor === 'numeric' || flavor === 'number';

const isNumber = (expression: Expression, compiled: Compiled): boolean => hasNumbers(compiled) || isNull(expression);

/** The condition of a join for one column of USING. */
export const equalColumns = (one: Compiled, other: Compiled): Sql =>
  hasNumbers(one) && hasNumbers(other) ? sql`${one.sql} = ${other.sql}` : sql`${asTextOf(one)} = ${asTextOf(other)}`;

const asNumber = (expression: Expression, { sql: value, flavor }: Compiled): Sql =>
  flavor === 'property' || isNumeral(expression) ? sql`toFloat64OrNull(${value})` : value;

/** Converts a boolean constant to text, because properties beside it are texts. */
const asText = (expression: Expression, compiled: Compiled): Sql =>
  expression.kind === 'constant' && expression.value !== null ? sql`toString(${compiled.sql})` : asTextOf(compiled);

/**
 * Returns both sides of a comparison with a property that is always a number. Beside a text, this property is compared as
 * text, so that an ID equals the text that is written. For <, >, <= and >=, a text such as '10' is compared as a number.
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
  readonly hasNumericProperty: boolean;
  readonly values: readonly Sql[];
}

/** Gives one type to several values: they are numbers if all of them can be, otherwise each property becomes a text. */
export const ofOneType = (
  expressions: readonly Expression[],
  compiled: readonly Compiled[],
  isOrdered = false,
): OneType => {
  const all = compiled.map((one, at) => [expressions[at] as Expression, one] as const);
  const isText = !all.every(([each, one]) => isNumber(each, one) || (isOrdered && isNumeral(each)));
  const hasNumericProperty = compiled.some(({ flavor }) => flavor === 'numeric');
  const value = isText || !hasNumericProperty ? asTextOf : null;
  return { isText, hasNumericProperty, values: all.map(([each, one]) => (value ? value(one) : asNumber(each, one))) };
};
