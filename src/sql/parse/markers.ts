import { QueryFault, quoted, type SourcePosition } from '../fault.js';
import { type Token } from './tokens.js';

/** A literal in a long list. */
export interface LiteralToken {
  readonly token: Token;
  readonly isNegative: boolean;
}

/**
 * A part of the question that the parser cannot read. It is stored by the position of the name that replaces it in the
 * rewritten text.
 */
export type Marker =
  | { readonly kind: 'placeholder'; readonly name: string }
  | { readonly kind: 'cohort'; readonly cohort: Token | { readonly placeholder: string } }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'list'; readonly literals: readonly LiteralToken[] }
  | { readonly kind: 'limit'; readonly limit: Token; readonly offset: Token | null };

export type Markers = ReadonlyMap<string, Marker>;

export const keyOf = ({ line, column }: SourcePosition): string => `${line}:${column}`;

export interface Rewritten {
  readonly text: string;
  /** All tokens except those inside of long lists. */
  readonly unlisted: readonly Token[];
  readonly markers: Markers;
}

/** Lists with more literals than this bypass the parser, which is slow with them. */
const longList = 50;
const stand = 'q';
/** `INTERVAL '7 day'` means `INTERVAL 7 day`. */
const period = /^'\d+ [a-zA-Z]+'$/;

/**
 * Replaces each part that the parser cannot read by a short name, padded with blanks to the length of the part, so that all
 * other positions stay the same.
 */
export const rewrite = (text: string, tokens: readonly Token[]): Rewritten => {
  const markers = new Map<string, Marker>();
  const listed = new Set<Token>();
  const edits: { start: number; end: number; by: string }[] = [];
  const replace = (from: Token, to: Token, before: string, marker: Marker, after = '') => {
    const pieces = blanked(text.slice(from.start + before.length + stand.length + after.length, to.end));
    edits.push({ start: from.start, end: to.end, by: `${before}${stand}${after}${pieces}` });
    markers.set(keyOf({ line: from.line, column: from.column + before.length }), marker);
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    const before = tokens[at - 1];
    if (token.text === '{' && token.kind === 'symbol') {
      const { name, end, length } = placeholderAt(tokens, at);
      const marker = { kind: 'placeholder', name } as const;
      if (isWord(before, 'in')) replace(token, end, '(', marker, ')');
      else replace(token, end, ' ', marker);
      at += length;
    } else if (isWord(token, 'cohort') && isWord(before, 'in')) {
      const { cohort, end, length } = cohortAfter(tokens, at);
      replace(token, end, '(', { kind: 'cohort', cohort }, ')');
      at += length;
    } else if (isNullTreatment(tokens, at) && text[token.start - 1] === ' ') {
      // `any(x IGNORE NULLS)` means `any(x) IGNORE NULLS`.
      const end = tokens[at + 2] as Token;
      edits.push({ start: token.start - 1, end: end.end, by: `)${text.slice(token.start - 1, end.end - 1)}` });
    } else if (isWord(before, 'interval') && period.test(token.text)) {
      edits.push({ start: token.start, end: token.end, by: token.text.replaceAll("'", ' ') });
    } else if (
      token.kind === 'number' &&
      token.text.startsWith('.') &&
      before?.end === token.start &&
      isOperand(before)
    ) {
      replace(token, token, '.', { kind: 'position', position: Number(token.text.slice(1)) });
    } else if (token.kind === 'number' && /^0x/i.test(token.text)) {
      replace(token, token, '', { kind: 'number', digits: BigInt(token.text).toString() });
    } else if (token.text === '(' || token.text === '[') {
      const isInArray = token.text === '[' && isWord(before, 'in');
      const list = literalsAfter(tokens, at);
      if (isInArray) bracket(tokens, at, edits);
      if (list.literals.length > longList) {
        const first = tokens[at + 1] as Token;
        replace(first, tokens[list.end - 1] as Token, '', { kind: 'list', literals: list.literals });
        for (const token of tokens.slice(at + 2, list.end)) listed.add(token);
        at = list.end - 1;
      }
    }
  }
  for (const { first, limit, offset, from, to } of secondLimits(tokens)) {
    edits.push({ start: from.start, end: to.end, by: blanked(text.slice(from.start, to.end)) });
    markers.set(keyOf(first), { kind: 'limit', limit, offset });
  }
  return { text: applied(text, edits), markers, unlisted: tokens.filter((token) => !listed.has(token)) };
};

const blanked = (text: string): string => text.replace(/[^\n]/gu, ' ');

const applied = (text: string, edits: readonly { start: number; end: number; by: string }[]): string => {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, by } of [...edits].sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(from, start), by);
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
};

const isNullTreatment = (tokens: readonly Token[], at: number): boolean =>
  (isWord(tokens[at], 'ignore') || isWord(tokens[at], 'respect')) &&
  isWord(tokens[at + 1], 'nulls') &&
  tokens[at + 2]?.text === ')' &&
  at > 0 &&
  tokens[at - 1]?.text !== ')';

export const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'word' && token.text.toLowerCase() === word;

const isOperand = ({ kind, text }: Token): boolean =>
  kind === 'word' || kind === 'name' || text === ')' || text === ']' || /^\.\d+$/.test(text);

/**
 * Reads `{plan}`, `{variables.plan}` for a variable of the reference product, or `{filters.dateRange.from}`. `length` counts the
 * tokens after the brace.
 */
const placeholderAt = (tokens: readonly Token[], at: number): { name: string; end: Token; length: number } => {
  const words: string[] = [];
  for (let next = at + 1; tokens[next]?.kind === 'word'; next += 2) {
    const [word, separator] = [tokens[next] as Token, tokens[next + 1]];
    words.push(word.text);
    if (separator?.text === '}') return { name: words.join('.'), end: separator, length: next + 1 - at };
    if (separator?.text !== '.') break;
  }
  throw new QueryFault(
    'A placeholder is a name in braces, such as {plan}, whose value is in "values"',
    tokens[at] as Token,
    'parse_error',
  );
};

const cohortAfter = (tokens: readonly Token[], at: number) => {
  const token = tokens[at + 1];
  if (token?.text === '{') {
    const { name, end, length } = placeholderAt(tokens, at + 1);
    return { cohort: { placeholder: name }, end, length: length + 1 };
  }
  if (token?.kind === 'text' || (token?.kind === 'number' && /^\d+$/.test(token.text))) {
    return { cohort: token, end: token, length: 1 };
  }
  throw new QueryFault(
    `IN COHORT needs the id or the name of a cohort, such as IN COHORT 5 or IN COHORT 'buyers'${token ? `: found ${quoted(token.text)}` : ''}`,
    token ?? (tokens[at] as Token),
    'parse_error',
  );
};

/** Replaces the brackets of `IN [1, 2]`, which means the same as `IN (1, 2)`. */
const bracket = (tokens: readonly Token[], at: number, edits: { start: number; end: number; by: string }[]): void => {
  let depth = 0;
  for (let end = at; end < tokens.length; end += 1) {
    const { text, start } = tokens[end] as Token;
    if (text === '[') depth += 1;
    if (text === ']') depth -= 1;
    if (depth > 0) continue;
    const open = tokens[at] as Token;
    edits.push({ start: open.start, end: open.end, by: '(' }, { start, end: start + 1, by: ')' });
    return;
  }
};

const closing: Record<string, string> = { '(': ')', '[': ']' };

/**
 * Returns the literals between the bracket at index `at` and its closing bracket, whose index is `end`; returns none if there
 * is anything else between them.
 */
const literalsAfter = (tokens: readonly Token[], at: number): { literals: LiteralToken[]; end: number } => {
  const none = { literals: [], end: at };
  const close = closing[tokens[at]?.text ?? ''];
  const literals: LiteralToken[] = [];
  for (let next = at + 1; next < tokens.length; next += 2) {
    const isNegative = tokens[next]?.text === '-' && tokens[next + 1]?.kind === 'number';
    if (isNegative) next += 1;
    const token = tokens[next];
    if (!token || (token.kind !== 'number' && token.kind !== 'text')) return none;
    literals.push({ token, isNegative });
    const separator = tokens[next + 1]?.text;
    if (separator === close) return { literals, end: next + 1 };
    if (separator !== ',') return none;
  }
  return none;
};

interface SecondLimit {
  /** The number of the LIMIT … BY before this LIMIT. */
  readonly first: Token;
  readonly limit: Token;
  readonly offset: Token | null;
  readonly from: Token;
  readonly to: Token;
}

/** Finds the second LIMIT of `LIMIT 1 BY x LIMIT 10 OFFSET 5`, if its numbers are written in the question. */
const secondLimits = (tokens: readonly Token[]): readonly SecondLimit[] => {
  const found: SecondLimit[] = [];
  const levels: { number: Token | null; isBy: boolean }[] = [{ number: null, isBy: false }];
  for (const [at, token] of tokens.entries()) {
    const level = levels.at(-1);
    if (token.text === '(' || token.text === '[') levels.push({ number: null, isBy: false });
    else if ((token.text === ')' || token.text === ']') && levels.length > 1) levels.pop();
    else if (!level) continue;
    else if (isWord(token, 'select')) Object.assign(level, { number: null, isBy: false });
    else if (isWord(token, 'by') && level.number) level.isBy = true;
    else if (isWord(token, 'limit')) {
      const number = tokens[at + 1];
      if (number?.kind !== 'number') continue;
      if (!level.isBy || !level.number) {
        level.number = number;
        continue;
      }
      found.push({ first: level.number, from: token, ...limitAt(tokens, at) });
      Object.assign(level, { number: null, isBy: false });
    }
  }
  return found;
};

const limitAt = (tokens: readonly Token[], at: number): Pick<SecondLimit, 'limit' | 'offset' | 'to'> => {
  const [number, word, other] = [tokens[at + 1] as Token, tokens[at + 2], tokens[at + 3]];
  if (other?.kind !== 'number') return { limit: number, offset: null, to: number };
  if (word?.text === ',') return { limit: other, offset: number, to: other };
  return isWord(word, 'offset')
    ? { limit: number, offset: other, to: other }
    : { limit: number, offset: null, to: number };
};
