import { growing } from '../functions/bounded-functions.js';
import { type CallExpression, type Expression, type LambdaExpression, type NameExpression } from '../tree.js';
import { type CompiledExpression } from '../compiled.js';
import { type Context } from './context.js';
import { isQuery, walk } from './walk.js';

/** The names in an expression, without the parameters of its own functions. */
const namesIn = (expression: Expression): readonly NameExpression[] => {
  const names: NameExpression[] = [];
  const own = new Set<string>();
  walk(expression, (node) => {
    if (node.kind === 'name') names.push(node as unknown as NameExpression);
    if (node.kind === 'lambda') for (const { text } of (node as unknown as LambdaExpression).parameters) own.add(text);
    return !isQuery(node);
  });
  return names.filter(({ parts: [only, ...more] }) => !(only && more.length === 0 && own.has(only.text)));
};

/** Functions whose values differ from row to row without any column. */
export const varying = /^(arrayJoin|unnest|rand\w*|generateUUID\w*)$/i;

/** True if the value of a compiled expression is the same for all rows of a block. */
export const isFixed = (expression: Expression, { statement }: Context): boolean => {
  let fixed = true;
  walk(expression, (node) => {
    if (node.kind === 'call') {
      const { name, over } = node as unknown as CallExpression;
      if (over !== null || varying.test(name.text)) fixed = false;
    }
    return fixed && !isQuery(node);
  });
  return fixed && namesIn(expression).every((name) => statement.meanings.get(name)?.isFixed === true);
};

/** True if an expression may make a value that is much larger than its text and the stored values that it reads. */
export const mayBeLarge = (expression: Expression, { statement }: Context): boolean => {
  let found = false;
  walk(expression, (node) => {
    if (isQuery(node)) found = true;
    if (node.kind === 'call') found ||= growing.has((node as unknown as CallExpression).name.text.toLowerCase());
    return !found;
  });
  return found || namesIn(expression).some((name) => statement.meanings.get(name)?.isLarge === true);
};

/** Returns both facts about the value of an expression, for the alias that names it. */
export const extentOf = (
  expression: Expression,
  context: Context,
): Pick<CompiledExpression, 'isFixed' | 'isLarge'> => ({
  isFixed: isFixed(expression, context),
  isLarge: mayBeLarge(expression, context),
});
