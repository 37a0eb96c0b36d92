import { invalidInput } from '../../platform/errors/problem.js';
import { findFunction } from '../../sql/functions/find-function.js';
import { isWord } from '../../sql/parse/markers.js';
import { assertAlone, closers, expressionTokens } from '../../sql/ask/lone-expression.js';
import { type Token } from '../../sql/parse/tokens.js';

/** An expression of the dialect that is safe within brackets: it cannot close them. */
export interface LoneExpression {
  readonly text: string;
  /** The name that follows `as`. */
  readonly name?: string;
  /** True if it makes one value of several rows. */
  readonly isAggregate: boolean;
}

const isAggregateAt = (tokens: readonly Token[], at: number): boolean => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  return token?.kind === 'word' && next?.text === '(' && findFunction(token.text)?.kind === 'aggregate';
};

const loneOf = (text: string, tokens: readonly Token[], attr: string): LoneExpression => {
  assertAlone(tokens, attr);
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (!first || !last) throw invalidInput(`${attr} must be an expression of the dialect`, attr);
  const hasWindow = tokens.some((token) => isWord(token, 'over'));
  return {
    text: text.slice(first.start, last.end),
    isAggregate: !hasWindow && tokens.some((_, at) => isAggregateAt(tokens, at)),
  };
};

/** Reads a column: an expression that may end with `as name`. A comment after it is its title in the reference product. */
export const readColumnExpression = (sent: unknown, attr: string): LoneExpression => {
  const { text, tokens } = expressionTokens(sent, attr);
  const hasName = tokens.length > 2 && isWord(tokens.at(-2), 'as');
  const expression = loneOf(text, hasName ? tokens.slice(0, -2) : tokens, attr);
  return hasName ? { ...expression, name: tokens.at(-1)?.text ?? '' } : expression;
};

export interface NodeOrdering extends LoneExpression {
  readonly direction: 'asc' | 'desc';
}

/** Reads an entry of `orderBy`: an expression that may end with ASC or DESC, or several of them with commas. */
export const readNodeOrderings = (sent: unknown, attr: string): NodeOrdering[] => {
  const { text, tokens } = expressionTokens(sent, attr);
  const entries: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'symbol' && Object.hasOwn(closers, token.text)) depth += 1;
    if (token.kind === 'symbol' && Object.values(closers).includes(token.text)) depth -= 1;
    if (depth === 0 && token.kind === 'symbol' && token.text === ',') entries.push([]);
    else entries.at(-1)?.push(token);
  }
  return entries.map((entry) => {
    const isFalling = isWord(entry.at(-1), 'desc');
    const hasDirection = entry.length > 1 && (isFalling || isWord(entry.at(-1), 'asc'));
    const own = hasDirection ? entry.slice(0, -1) : entry;
    return { ...loneOf(text, own, attr), direction: hasDirection && isFalling ? 'desc' : 'asc' };
  });
};
