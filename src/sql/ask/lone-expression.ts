import { invalidInput } from '../../platform/errors/problem.js';
import { sqlTokensOf, type Token } from '../parse/tokens.js';
import { problemOf } from './query.service.js';

export const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Refuses a text that is more or less than one expression. */
export const assertAlone = (tokens: readonly Token[], attr: string): void => {
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

/** The tokens of an expression, which a client sent at `attr`. */
export const expressionTokens = (
  sent: unknown,
  attr: string,
): { readonly text: string; readonly tokens: readonly Token[] } => {
  if (typeof sent !== 'string') throw invalidInput(`${attr} must be an expression of the dialect, as text`, attr);
  try {
    const tokens = sqlTokensOf(sent);
    if (tokens.length === 0) throw invalidInput(`${attr} must be an expression of the dialect`, attr);
    return { text: sent, tokens };
  } catch (error) {
    throw problemOf(error, attr);
  }
};
