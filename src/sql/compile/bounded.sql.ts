import { type Sql, identifier, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { fault } from '../fault.js';
import { boundsOf, mostSteps, stepRefusals, type Growth } from '../functions/bounded-functions.js';
import { type CompiledExpression } from '../compiled.js';
import { type Expression, type Named } from '../tree.js';
import { type Context } from './context.js';
import { isFixed, mayBeLarge } from './extent.js';

/** The number of rows of the block in which `value` is computed; inside of a lambda, the number of elements of its lists. */
const rowsOf = (value: Sql): Sql => sql`toFloat64(blockSerializedSize(ignore(${value})))`;

const times = (factors: readonly Sql[]): Sql => join(factors, sql` * `);

/**
 * Returns a parameter of a lambda; the engine throws an error with the function's name if its calls would take too many steps.
 */
const checkedParameter = (value: Sql, steps: Sql, growth: Growth, name: string, { statement }: Context): Sql =>
  sql`if(throwIf(ifNull(${steps} > ${numeral(mostSteps[growth])}, false), ${statement.literals.text(`${name} ${growth}`)}) = 0, ${value}, ${value})`;

/**
 * Checks any value as `checkedParameter` does: the value becomes the parameter of a lambda, so that it is written and computed
 * once.
 */
const checkedValue = (
  value: Sql,
  stepsOf: (parameter: Sql) => readonly Sql[],
  growth: Growth,
  name: string,
  context: Context,
): Sql => {
  const parameter = identifier(`x${context.depth + 1}`);
  const steps = times(stepsOf(parameter));
  return sql`arrayElement(arrayMap((${parameter}) -> ${checkedParameter(parameter, steps, growth, name, context)}, array(${value})), 1)`;
};

const lengthOf = (value: Sql): Sql => sql`toFloat64(length(${value}))`;

/** The steps to compile a pattern, of about a microsecond each. A class of Unicode or a counter can become a thousand states. */
const compilingOf = (pattern: Sql): Sql =>
  sql`if(match(${pattern}, '[{\\\\\\\\]'), 10000., 50. + 2. * length(${pattern}))`;

/** The number of elements that `range` makes of its arguments. */
const elementsOf = ([from, to, step]: readonly Sql[]): Sql => {
  if (!to) return sql`toFloat64(${from ?? numeral(0)})`;
  const distance = sql`abs(toFloat64(${to}) - toFloat64(${from ?? numeral(0)}))`;
  return step ? sql`${distance} / abs(toFloat64(${step}))` : distance;
};

const isLiteral = ({ kind }: Expression): boolean => kind === 'text' || kind === 'number' || kind === 'constant';

/**
 * True if a call of `range` has plain numbers and makes few elements, so that the engine need not check it; throws if it makes
 * too many.
 */
const isShortRange = (args: readonly Expression[], called: Named | undefined): boolean => {
  const numbers = args.map((one) => (one.kind === 'number' ? Number(one.digits) : NaN));
  const [from = 0, to, step = 1] = numbers;
  const elements = Math.abs(to === undefined ? from : (to - from) / step);
  if (called && elements > mostSteps.elements) throw fault(`${called.text} ${stepRefusals.elements}`, called.at);
  return elements <= mostSteps.elements;
};

/** The steps of a call for one row. */
const stepsOf = (growth: Growth, of: readonly number[], args: readonly Sql[]): Sql => {
  const [value, other = value] = of.map((at) => args[at] ?? numeral(0)) as [Sql, Sql?];
  if (growth === 'elements') return elementsOf(args);
  if (growth === 'patterns') return compilingOf(value);
  return times([lengthOf(value), lengthOf(other)]);
};

/** Returns the arguments of a call; for each bound of the function, one of them is wrapped in a check. */
export const boundedArgs = (
  name: string,
  expressions: readonly Expression[],
  args: readonly Sql[],
  context: Context,
  called?: Named,
): readonly Sql[] => {
  const all = [...args];
  const varying = expressions.findIndex((one) => one.kind !== 'lambda' && !isFixed(one, context));
  for (const { growth, of } of boundsOf(name)) {
    const [first = 0] = of;
    if (growth === 'elements' && isShortRange(expressions, called)) continue;
    if (growth === 'patterns' && (!expressions[first] || isFixed(expressions[first], context))) continue;
    if (of.every((at) => isWritten(expressions[at]))) continue;
    // The check writes its value out for each row, so it wraps a value that varies, and not one that is the same in all rows.
    const at =
      growth === 'elements' ? Math.min(1, args.length - 1) : varying >= 0 && growth !== 'patterns' ? varying : first;
    const value = all[at];
    if (!value) continue;
    const perRow = (parameter: Sql): Sql =>
      stepsOf(
        growth,
        of,
        args.map((one, n) => (n === at ? parameter : one)),
      );
    const factors = (parameter: Sql): readonly Sql[] =>
      growth === 'elements' ? [perRow(parameter)] : [...context.repeats, rowsOf(parameter), perRow(parameter)];
    all[at] = checkedValue(value, factors, growth, name, context);
  }
  return besideLarge(name, expressions, all, context);
};

const isWritten = (expression: Expression | undefined): boolean =>
  expression === undefined || isLiteral(expression) || expression.kind === 'array';

/**
 * Limits how often a large value is read: if it is the same in all rows, it is read again for each row, without memory for
 * each.
 */
const besideLarge = (
  name: string,
  expressions: readonly Expression[],
  args: readonly Sql[],
  context: Context,
): readonly Sql[] => {
  if (args.length < 2 || expressions.some(({ kind }) => kind === 'lambda')) return args;
  const large = args.filter((_, at) => {
    const expression = expressions[at] as Expression;
    return mayBeLarge(expression, context) && isFixed(expression, context);
  });
  if (large.length === 0) return args;
  const varying = expressions.findIndex((expression) => !isFixed(expression, context));
  const bytes = sql`toFloat64(byteSize(${join(large)}))`;
  return args.map((value, at) =>
    at === varying
      ? checkedValue(value, (parameter) => [...context.repeats, rowsOf(parameter), bytes], 'repeats', name, context)
      : value,
  );
};

/**
 * The context of a lambda that is an argument of the function `name`. `arrayFold` calls its lambda for one element after the
 * other.
 */
export const insideLambda = (
  name: string,
  lists: readonly Expression[],
  [list]: readonly CompiledExpression[],
  context: Context,
): Context => {
  if (name === 'arrayFold' && list) return { ...context, repeats: [...context.repeats, lengthOf(list.sql)] };
  const isNested = context.depth > 0 || context.repeats.length > 0;
  return { ...context, lambdaOf: isNested || lists.some((one) => mayBeLarge(one, context)) ? name : null };
};

/** Refers to a parameter of a lambda; where the lambda can be called very often, the reference also counts its calls. */
export const boundedParameter = (parameter: Sql, context: Context): Sql =>
  context.lambdaOf === null
    ? parameter
    : checkedParameter(parameter, times([...context.repeats, rowsOf(parameter)]), 'calls', context.lambdaOf, context);
