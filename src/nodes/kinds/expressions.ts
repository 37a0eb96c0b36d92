import { invalidInput } from '../../platform/errors/problem.js';
import { findFunction } from '../../sql/functions/find-function.js';
import { problemOf } from '../../sql/ask/query.service.js';
import { isWord } from '../../sql/parse/markers.js';
import { sqlTokensOf, type Token } from '../../sql/parse/tokens.js';

/** An expression of the dialect that is safe within brackets: it cannot close them. */
export interface LoneExpression {
  readonly text: string;
  /** True if it makes one value of several rows. */
  readonly isAggregate: boolean;
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Refuses a text that is more or less than one expression. */
const assertAlone = (tokens: readonly Token[], attr: string): void => {
  const open: string[] = [];
  for (const { kind, text } of tokens) {
    if (kind !== 'symbol') continue;
    const closer = Object.hasOwn(closers, text) ? closers[text] : undefined;
    if (closer !== undefined) open.push(closer);
    else if (text === open.at(-1)) open.pop();
    else if (Object.values(closers).includes(text))
      throw invalidInput(`${attr} has a ${text} without its opening`, attr);
    else if (text === ';' || (text === ',' && open.length === 0))
      throw invalidInput(`${attr} must be one expression`, attr);
  }
  const [missing] = open;
  if (missing !== undefined) throw invalidInput(`${attr} lacks a ${missing}`, attr);
};

const isAggregateAt = (tokens: readonly Token[], at: number): boolean => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  return token?.kind === 'word' && next?.text === '(' && findFunction(token.text)?.kind === 'aggregate';
};

const read = (sent: unknown, attr: string): { readonly text: string; readonly tokens: readonly Token[] } => {
  if (typeof sent !== 'string') throw invalidInput(`${attr} must be an expression of the dialect, as text`, attr);
  try {
    const tokens = sqlTokensOf(sent);
    if (tokens.length === 0) throw invalidInput(`${attr} must be an expression of the dialect`, attr);
    return { text: sent, tokens };
  } catch (error) {
    throw problemOf(error, attr);
  }
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
  const { text, tokens } = read(sent, attr);
  const hasName = tokens.length > 2 && isWord(tokens.at(-2), 'as');
  return loneOf(text, hasName ? tokens.slice(0, -2) : tokens, attr);
};

export interface NodeOrdering extends LoneExpression {
  readonly direction: 'asc' | 'desc';
}

/** Reads an entry of `orderBy`: an expression that may end with ASC or DESC, or several of them with commas. */
export const readNodeOrderings = (sent: unknown, attr: string): NodeOrdering[] => {
  const { text, tokens } = read(sent, attr);
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
