import { nearestName } from '../../platform/errors/nearest-name.js';
import { isWord } from './markers.js';
import { type Token } from './tokens.js';

interface Advice {
  /** True if the tokens around the position at which the parser stopped have the form. */
  readonly applies: (tokens: readonly Token[], at: number) => boolean;
  readonly text: string;
}

const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === 'symbol' && token.text === sign;

/** The forms of the dialect that the parser does not read, and what means the same. */
const advices: readonly Advice[] = [
  {
    applies: (tokens, at) => isSign(tokens[at], '?'),
    text: 'write if(condition, a, b) instead of condition ? a : b',
  },
  {
    applies: (tokens, at) =>
      [at, at - 1, at - 2].some((index) => isWord(tokens[index], 'array')) ||
      (isWord(tokens[at - 2], 'array') && isWord(tokens[at - 1], 'join')),
    text: 'write arrayJoin(list) in the SELECT instead of ARRAY JOIN',
  },
  {
    applies: (tokens, at) => isWord(tokens[at], 'limit') || isWord(tokens[at], 'offset'),
    text: 'LIMIT and OFFSET are written once, as numbers, at the end',
  },
  {
    applies: (tokens, at) =>
      isWord(tokens[at - 1], 'with') || (isSign(tokens[at - 1], ',') && isWord(tokens[0], 'with')),
    text: 'write WITH name AS (SELECT …); for a single value write it where it is used, or name it in the SELECT',
  },
  {
    applies: (tokens, at) => isWord(tokens[at - 1], 'settings') || isWord(tokens[at], 'settings'),
    text: 'SETTINGS is not allowed, the limits are those of all questions',
  },
  {
    applies: (tokens, at) => isWord(tokens[at], 'format') || isWord(tokens[at - 1], 'format'),
    text: 'FORMAT is not allowed, ask with format=csv, ndjson or parquet',
  },
  {
    applies: (tokens, at) =>
      isWord(tokens[at - 2], 'into') || isWord(tokens[at - 1], 'into') || isWord(tokens[at], 'into'),
    text: 'INTO is not allowed, because a question only reads',
  },
  {
    applies: (tokens, at) => isWord(tokens[at], 'any') || isWord(tokens[at], 'asof') || isWord(tokens[at - 1], 'any'),
    text: 'joins are INNER, LEFT, RIGHT, FULL and CROSS',
  },
  {
    applies: (tokens, at) =>
      isWord(tokens[at - 1], 'is') || (isWord(tokens[at - 2], 'is') && isWord(tokens[at - 1], 'not')),
    text: 'IS compares with NULL, TRUE and FALSE; write = or != for other values',
  },
  {
    applies: (tokens, at) => isSign(tokens[at], '&') || isSign(tokens[at], '&&'),
    text: 'write AND',
  },
  {
    applies: (tokens, at) => at === 0 && nearestName(tokens[0]?.text ?? '', ['select']) !== null,
    text: 'did you mean SELECT?',
  },
  {
    applies: (tokens, at) => isWord(tokens[at - 1], 'in'),
    text: 'IN needs a list or a SELECT in brackets',
  },
];

export const adviceFor = (tokens: readonly Token[], at: number): string | null =>
  advices.find(({ applies }) => applies(tokens, at))?.text ?? null;
