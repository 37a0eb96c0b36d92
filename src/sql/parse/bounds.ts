import { QueryFault, type SourcePosition } from '../fault.js';
import { type Markers } from './markers.js';
import { type Token } from './tokens.js';

export const limits = {
  bytes: 100_000,
  depth: 100,
  /** The parser takes about 20 µs for each token, in which its thread reads no other question. */
  tokens: 2_500,
  list: 10_000,
  /** Operators in one chain, as in a + b + c. The parser's stack ends at about 700. */
  chain: 400,
} as const;

const start: SourcePosition = { line: 1, column: 1 };

export const assertShort = (text: string): void => {
  if (Buffer.byteLength(text) > limits.bytes) {
    throw new QueryFault(`A question may have at most ${limits.bytes.toLocaleString('en')} bytes`, start);
  }
};

const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

/**
 * Counts of the operators at one level of brackets: since the last OR, since the last AND, and the largest seen. `deepest` is
 * the depth of the brackets inside.
 */
interface Level {
  or: number;
  and: number;
  other: number;
  mostAnd: number;
  mostOther: number;
  deepest: number;
  /** The depth of the elements before the last comma. */
  done: number;
  readonly isCase: boolean;
}

const emptyLevel = (isCase = false): Level => ({
  isCase,
  or: 0,
  and: 0,
  other: 0,
  mostAnd: 0,
  mostOther: 0,
  deepest: 0,
  done: 0,
});

const depthOf = ({ or, mostAnd, mostOther, deepest, done }: Level): number =>
  Math.max(done, or + mostAnd + mostOther + deepest + 1);

/** Limits the levels of brackets; must be called before any code searches for the end of a bracket. */
export const assertFewLevels = (tokens: readonly Token[]): void => {
  let depth = 0;
  for (const token of tokens) {
    if (token.kind !== 'symbol') continue;
    if (opening.has(token.text)) depth += 1;
    if (closing.has(token.text)) depth -= 1;
    if (depth > limits.depth) throw tooManyLevels(token);
  }
};

const tooManyLevels = (at: SourcePosition): QueryFault =>
  new QueryFault(`A question may have at most ${limits.depth} levels of brackets`, at);

/**
 * Limits the depth of a question, because the parser and the engine walk its tree by recursion, and a parser that ran out of
 * stack stays broken. The tokens give an upper bound of the depth: each bracket and each CASE is a level, and each operator
 * can be above the ones before it.
 */
export const assertShallow = (tokens: readonly Token[]): void => {
  if (tokens.length > limits.tokens) {
    throw new QueryFault(
      `A question may have at most ${limits.tokens.toLocaleString('en')} words, numbers and signs beside long lists`,
      tokens[limits.tokens] ?? start,
    );
  }
  const levels: Level[] = [emptyLevel()];
  for (const token of tokens) {
    const word = token.kind === 'word' ? token.text.toLowerCase() : '';
    const sign = token.kind === 'symbol' ? token.text : '';
    if (opening.has(sign) || word === 'case') {
      levels.push(emptyLevel(word === 'case'));
      if (levels.length > limits.depth + 1) {
        throw tooManyLevels(token);
      }
    } else if (levels.length > 1 && (closing.has(sign) || (word === 'end' && levels.at(-1)?.isCase))) {
      const inner = levels.pop() as Level;
      const level = levels.at(-1) as Level;
      level.deepest = Math.max(level.deepest, depthOf(inner));
    }
    const level = levels.at(-1) as Level;
    count(level, sign, word);
    if (depthOf(level) > limits.chain) {
      throw new QueryFault(
        `A question may have at most ${limits.chain} operators that apply to each other: use IN with a list, or a function such as multiIf`,
        token,
      );
    }
  }
};

const clauses = new Set(['select', 'from', 'where', 'group', 'having', 'order', 'limit']);
const operators = new Set(['not', 'is', 'between', 'interval', 'like', 'ilike', 'in', 'join']);

const count = (level: Level, sign: string, word: string): void => {
  if (sign === ',' || clauses.has(word)) Object.assign(level, { ...emptyLevel(level.isCase), done: depthOf(level) });
  else if (word === 'or') Object.assign(level, { or: level.or + 1, and: 0, other: 0 });
  // All that is before a UNION is below it in the tree, elements of lists too.
  else if (word === 'union') Object.assign(level, { ...emptyLevel(level.isCase), deepest: depthOf(level) });
  else if (word === 'and') Object.assign(level, { and: level.and + 1, other: 0 });
  else if (sign !== '' || operators.has(word)) level.other += 1;
  level.mostAnd = Math.max(level.mostAnd, level.and);
  level.mostOther = Math.max(level.mostOther, level.other);
};

export const assertShortLists = (markers: Markers): void => {
  for (const marker of markers.values()) {
    const excess = marker.kind === 'list' ? marker.literals[limits.list] : undefined;
    if (excess) {
      throw new QueryFault(`A list may have at most ${limits.list.toLocaleString('en')} values`, excess.token);
    }
  }
};
