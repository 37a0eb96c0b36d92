import { nearestName } from '../../platform/errors/nearest-name.js';
import { type Markers, isWord, rewrite } from './markers.js';
import { type Token, sqlTokensOf } from './tokens.js';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { FairPool, type Owner } from '../../platform/work/fair-pool.js';
import { unavailable } from '../../platform/errors/problem.js';
import { QueryFault, type SourcePosition, quoted } from '../fault.js';
import { assertFewLevels, assertShallow, assertShort, assertShortLists } from './bounds.js';
import { type ParserReading, ParserThread, type ReadingLimits, loadParser, readingLimits } from './parser-thread.js';

interface Advice {
  /** True if the tokens around the one at which the parser stopped have the form that the advice is about. */
  readonly applies: (tokens: readonly Token[], at: number) => boolean;
  readonly text: string;
}

const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === 'symbol' && token.text === sign;

/** Advice for forms of the dialect that the parser cannot read: how to write the same in another way. */
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

const adviceFor = (tokens: readonly Token[], at: number): string | null =>
  advices.find(({ applies }) => applies(tokens, at))?.text ?? null;

/** A question as the parser reads it, not checked yet. */
export interface Parsed {
  readonly statements: readonly unknown[];
  readonly tokens: readonly Token[];
  readonly markers: Markers;
  readonly text: string;
}

const threads = 2;
const longestWaitMs = 10_000;
const mostWaiting = 1_000;

/**
 * Reads questions with a parser in WebAssembly on several threads. A project uses one thread at a time, so a question that
 * blocks its thread delays no other project. A thread that has run out of stack is replaced; the limits on tokens prevent this
 * for all questions that are known to do it.
 */
export class QueryParser {
  private readonly pool: FairPool<ParserThread>;

  private constructor(private readonly threads: readonly ParserThread[]) {
    this.pool = new FairPool(threads, {
      share: { alone: 1, crowded: 1 },
      maxWaiting: mostWaiting,
      busy: tooMany,
      closed: tooMany,
    });
  }

  static async open(limits: ReadingLimits = readingLimits): Promise<QueryParser> {
    const module = await loadParser();
    const opened = Array.from({ length: threads }, () => new ParserThread(module, limits));
    await opened.at(-1)?.start();
    return new QueryParser(opened);
  }

  /** The number of threads that ran out of stack or of time. */
  get replaced(): number {
    return this.threads.reduce((sum, { replaced }) => sum + replaced, 0);
  }

  async parse(text: string, owner: Owner = 'system'): Promise<Parsed> {
    assertShort(text);
    const tokens = sqlTokensOf(text);
    if (tokens.length === 0) throw new QueryFault('The question is empty: write a SELECT', { line: 1, column: 1 });
    assertFewLevels(tokens);
    const { text: rewritten, markers, unlisted: kept } = rewrite(text, tokens);
    assertShortLists(markers);
    assertShallow(kept);
    // Lets other requests be served.
    await yieldToEventLoop();
    return { statements: await this.statements(rewritten, tokens, owner), tokens, markers, text };
  }

  private async statements(text: string, tokens: readonly Token[], owner: Owner): Promise<readonly unknown[]> {
    const reading = await this.pool.during({ owner, waitMs: longestWaitMs }, (thread) => thread.read(text));
    if (reading.kind === 'statements') return reading.statements;
    throw refusalOf(reading, tokens);
  }
}

const tooDeep = 'The question is nested too deeply';
const probablyMistaken =
  'There is probably a mistake after many nested calls, casts, lambdas or names with periods: ask for a part of it, to find the mistake';
const tooSlow = `The question cannot be read within a second of processor time. ${probablyMistaken}`;
const tooBusy = 'The computer is too busy to read the question: try again';
const tooLate = `The question was not read in time: try again. If the computer is not busy: ${probablyMistaken}`;

const refusalOf = (reading: Exclude<ParserReading, { kind: 'statements' }>, tokens: readonly Token[]): Error => {
  switch (reading.kind) {
    case 'syntax':
      return syntaxFault(reading.message, tokens);
    case 'late':
      return unavailable(reading.isBusy ? tooBusy : tooLate);
    case 'stack':
    case 'slow':
      return new QueryFault(reading.kind === 'stack' ? tooDeep : tooSlow, { line: 1, column: 1 });
  }
};

const tooMany = () => unavailable('Too many questions wait to be read: try again');

const syntaxFault = (message: string, tokens: readonly Token[]): QueryFault => {
  const position = positionIn(message) ?? positionAtEnd(tokens);
  const at = tokens.findIndex(({ line, column }) => line === position.line && column === position.column);
  const advice = adviceFor(tokens, at < 0 ? tokens.length : at);
  const plain = message
    .replace(/^sql parser error: /, '')
    .replace(/ at Line: \d+, Column: \d+$/, '')
    .replace(/, found: .*/s, '');
  const expected = /^Expected:? (.*)/i.exec(plain)?.[1];
  const found = tokens[at]?.text;
  const wrong = found === undefined ? 'The question ends too early' : `${quoted(found)} was not expected here`;
  const right = advice ?? (expected === undefined ? null : `${expected} was expected`);
  return new QueryFault(right === null ? wrong : `${wrong}: ${right}`, position, 'parse_error');
};

const positionIn = (message: string): SourcePosition | null => {
  const found = /Line: (\d+), Column: (\d+)/.exec(message);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : null;
};

const positionAtEnd = (tokens: readonly Token[]): SourcePosition => {
  const last = tokens.at(-1);
  return last ? { line: last.line, column: last.column + last.text.length } : { line: 1, column: 1 };
};
