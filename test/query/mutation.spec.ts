import { beforeAll, describe, expect, it } from '@jest/globals';
import { allowedNodes } from '../../src/sql/check/node.js';
import { check } from '../../src/sql/check/check.js';
import { expressionKinds } from '../../src/sql/check/expressions.js';
import { QueryFault } from '../../src/sql/fault.js';
import { limits } from '../../src/sql/parse/bounds.js';
import { type Parsed, QueryParser } from '../../src/sql/parse/parser.js';
import { allQuestions } from './questions/all-questions.js';

/** The questions whose answers `questions.spec.ts` demands: what refuses one of them fails that spec. */
let questions: readonly { readonly parsed: Parsed; readonly values: Readonly<Record<string, unknown>> }[];
let unreadable: readonly string[];
let parser: QueryParser;

beforeAll(async () => {
  parser = await QueryParser.open();
  const read = await Promise.all(
    allQuestions.map(async ({ sql, values = {} }) => ({
      sql,
      values,
      parsed: await parser.parse(sql).catch(() => null),
    })),
  );
  questions = read.flatMap(({ parsed, values }) => (parsed ? [{ parsed, values }] : []));
  unreadable = read.flatMap(({ parsed, sql }) => (parsed ? [] : [sql]));
});

const isRefused = ({ parsed, values }: (typeof questions)[number]): boolean => {
  try {
    check(parsed, values);
    return false;
  } catch (error) {
    if (error instanceof QueryFault) return true;
    throw error;
  }
};

describe('without one entry of the lists of what is allowed, a question is refused', () => {
  it('and with all of them none is', () => {
    expect([...unreadable, ...questions.filter(isRefused).map(({ parsed }) => parsed.text)]).toEqual([]);
  });

  const entries = Object.entries(allowedNodes).flatMap(([kind, fields]) =>
    fields.map((field) => [kind, field] as const),
  );

  it.each(entries)('%s: %s', (kind, field) => {
    const fields = allowedNodes[kind as keyof typeof allowedNodes] as unknown as string[];
    const at = fields.indexOf(field);
    fields.splice(at, 1);
    try {
      expect(questions.some(isRefused)).toBe(true);
    } finally {
      fields.splice(at, 0, field);
    }
  });

  it.each(expressionKinds.map((kind) => [kind]))('%s is a kind of expression in a question', (kind) => {
    const has = (node: unknown): boolean =>
      Array.isArray(node)
        ? node.some(has)
        : typeof node === 'object' && node !== null && (kind in node || Object.values(node).some(has));
    expect(questions.some(({ parsed }) => has(parsed.statements))).toBe(true);
  });
});

const brackets = (n: number): string => `select ${'('.repeat(n)}1${')'.repeat(n)}`;
const sums = (n: number): string =>
  `select ${Array<string>(n + 1)
    .fill('1')
    .join('+')}`;
const listed = (n: number): string => `select 1 in (${Array<string>(n).fill('1').join(',')})`;
const columns = (n: number): string => `select ${Array<string>(n).fill('1').join(',')}`;
/** Letters of two bytes, then spaces up to the number of bytes. */
const long = (bytes: number): string => {
  const text = `select '${'é'.repeat(bytes / 2 - 10)}'`;
  return text + ' '.repeat(bytes - Buffer.byteLength(text));
};

/** For each limit the texts on both sides of it. */
const atLimits: Readonly<Record<keyof typeof limits, { readonly within: string; readonly beyond: string }>> = {
  bytes: { within: long(limits.bytes), beyond: long(limits.bytes + 1) },
  depth: { within: brackets(limits.depth - 2), beyond: brackets(limits.depth + 1) },
  // A comma stands between two columns.
  tokens: { within: columns(limits.tokens / 2 - 10), beyond: columns(limits.tokens / 2 + 10) },
  list: { within: listed(limits.list), beyond: listed(limits.list + 1) },
  chain: { within: sums(limits.chain / 2), beyond: sums(limits.chain + 10) },
};

describe('a limit of texts', () => {
  const outcome = async (text: string): Promise<string> => {
    try {
      check(await parser.parse(text), {});
      return 'accepted';
    } catch (error) {
      if (error instanceof QueryFault) return error.detail;
      throw error;
    }
  };

  it.each(Object.entries(atLimits))('%s: is where it says', async (name, { within, beyond }) => {
    expect(await outcome(within)).toBe('accepted');
    const limit = limits[name as keyof typeof limits];
    expect(await outcome(beyond)).toContain(limit.toLocaleString('en'));
  });

  it.each(Object.entries(atLimits))('%s: refuses nothing once it is removed', async (name, { beyond }) => {
    const changeable = limits as Record<string, number>;
    const limit = changeable[name] as number;
    changeable[name] = Infinity;
    try {
      expect(await outcome(beyond)).not.toContain(limit.toLocaleString('en'));
    } finally {
      changeable[name] = limit;
    }
  });
});
