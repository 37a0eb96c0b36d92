import { type Sql, identifier, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { fault } from '../fault.js';
import { boundsOf, mostSteps, stepRefusals, type Growth } from '../functions/bounded-functions.js';
import { type CompiledExpression } from '../compiled.js';
import { type Expression, type Named } from '../tree.js';
import { type Context } from './context.js';
import { isFixed, mayBeLarge } from './extent.js';

/** The rows of the block in which `value` is computed; inside of a lambda they are the elements of its lists. */
const rowsOf = (value: Sql): Sql => sql`toFloat64(blockSerializedSize(ignore(${value})))`;

const times = (factors: readonly Sql[]): Sql => join(factors, sql` * `);

/** A parameter of a lambda, or an error that names the function if its calls would take too many steps. */
const checkedParameter = (value: Sql, steps: Sql, growth: Growth, name: string, { statement }: Context): Sql =>
  sql`if(throwIf(ifNull(${steps} > ${numeral(mostSteps[growth])}, false), ${statement.literals.text(`${name} ${growth}`)}) = 0, ${value}, ${value})`;

/** The same for any value, which becomes the parameter of a lambda: so it is written and computed once. */
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

/** About a microsecond each. A class of Unicode or a counter can become a thousand states. */
const compilingOf = (pattern: Sql): Sql =>
  sql`if(match(${pattern}, '[{\\\\\\\\]'), 10000., 50. + 2. * length(${pattern}))`;

/** How many elements `range` makes of its arguments. */
const elementsOf = ([from, to, step]: readonly Sql[]): Sql => {
  if (!to) return sql`toFloat64(${from ?? numeral(0)})`;
  const distance = sql`abs(toFloat64(${to}) - toFloat64(${from ?? numeral(0)}))`;
  return step ? sql`${distance} / abs(toFloat64(${step}))` : distance;
};

const isLiteral = ({ kind }: Expression): boolean => kind === 'text' || kind === 'number' || kind === 'constant';

/** A call of `range` with plain numbers needs no check by the engine. */
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

/** The arguments of a call, of which one is checked for each bound of the function. */
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
    // A value that is the same in all rows would be written out for each of them, so another one is checked.
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

/** A large value that is the same in all rows is read again for each of them, without memory for each. */
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

/** The context of the function that a call takes as its argument. `arrayFold` calls it for one element after the other. */
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

/** A reference to a parameter of a lambda, whose calls are counted where they can be many. */
export const boundedParameter = (parameter: Sql, context: Context): Sql =>
  context.lambdaOf === null
    ? parameter
    : checkedParameter(parameter, times([...context.repeats, rowsOf(parameter)]), 'calls', context.lambdaOf, context);
