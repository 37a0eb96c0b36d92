import { beforeAll, describe, expect, it } from '@jest/globals';
import { QueryFault } from '../fault.js';
import { keyOf, rewrite } from './markers.js';
import { QueryParser } from './parser.js';
import { sqlTokensOf } from './tokens.js';

const texts = (text: string): string[] => sqlTokensOf(text).map((token) => token.text);

describe('tokens', () => {
  it('are words, numbers, texts, names and signs', () => {
    expect(texts(`select "a b", 'it''s', \`c\` || 1.5e3 -- rest\n , .5 /* no /* nested */ */ x::Int8`)).toEqual([
      'select',
      '"a b"',
      ',',
      `'it''s'`,
      ',',
      '`c`',
      '||',
      '1.5e3',
      ',',
      '.5',
      'x',
      '::',
      'Int8',
    ]);
  });

  it('are places in tuples behind a bracket or a name', () => {
    expect(texts('(1, (2, 3)).2.1, t.1, 1.5')).toEqual([
      '(',
      '1',
      ',',
      '(',
      '2',
      ',',
      '3',
      ')',
      ')',
      '.2',
      '.1',
      ',',
      't',
      '.1',
      ',',
      '1.5',
    ]);
  });

  it('have the line and the column of their first character', () => {
    const places = sqlTokensOf(`select 'é🦊',\r\n\tx`).map(({ line, column, text }) => [text, line, column]);
    expect(places).toEqual([
      ['select', 1, 1],
      [`'é🦊'`, 1, 8],
      [',', 1, 12],
      ['x', 2, 2],
    ]);
  });

  it.each([`select 'a`, 'select "a', 'select /* a', 'select `a'])('must end: %s', (text) => {
    expect(() => sqlTokensOf(text)).toThrow(expect.objectContaining({ at: { line: 1, column: 8 } }));
  });
});

describe('what the parser does not read', () => {
  const rewritten = (text: string) => rewrite(text, sqlTokensOf(text));

  it('is replaced by a name in the same place, apart from texts, names and comments', () => {
    const text = `select {a}, '{b}', "{c}" /* {d} */ from x where p in cohort 5 and q in {ids}`;
    const { text: result, markers } = rewritten(text);
    expect(result).toBe(`select  q , '{b}', "{c}" /* {d} */ from x where p in (q)      and q in (q)  `);
    expect(result).toHaveLength(text.length);
    expect([...markers.values()].map(({ kind }) => kind)).toEqual(['placeholder', 'cohort', 'placeholder']);
  });

  it('is a number in hexadecimal digits, a place in a tuple, and a period in quotes', () => {
    const { text, markers } = rewritten(`select 0x1F, (1, 2).2, interval '7 day'`);
    expect(text).toBe(`select q   , (1, 2).q, interval  7 day `);
    expect([...markers.values()]).toEqual([
      { kind: 'number', digits: '31' },
      { kind: 'position', position: 2 },
    ]);
  });

  it('is a long list of literals, which keeps its lines', () => {
    const list = Array.from({ length: 60 }, (_, at) => `-${at}`).join(',\n');
    const { text, markers } = rewritten(`select x in (${list})`);
    expect(text.split('\n')).toHaveLength(60);
    const marker = markers.get(keyOf({ line: 1, column: 14 }));
    expect(marker).toMatchObject({ kind: 'list', literals: { length: 60 } });
  });

  it('is IGNORE NULLS inside of the brackets', () => {
    expect(rewritten('select any(x ignore nulls), 1').text).toBe('select any(x) ignore nulls, 1');
  });

  it('is the LIMIT behind a LIMIT … BY', () => {
    const { text, markers } = rewritten('select a limit 1 by a limit 5 offset 2');
    expect(text.trimEnd()).toBe('select a limit 1 by a');
    expect([...markers.values()]).toMatchObject([{ kind: 'limit', limit: { text: '5' }, offset: { text: '2' } }]);
  });

  it.each(['select {', 'select {a', 'select {1}', 'select {a b}', 'select x in cohort', 'select x in cohort y'])(
    'is refused: %s',
    (text) => {
      expect(() => rewritten(text)).toThrow(QueryFault);
    },
  );
});

describe('the parser', () => {
  let parser: QueryParser;
  beforeAll(async () => {
    parser = await QueryParser.open();
  });

  const faultOf = async (text: string): Promise<QueryFault> => {
    try {
      await parser.parse(text);
    } catch (error) {
      if (error instanceof QueryFault) return error;
      throw error;
    }
    throw new Error(`${text} was read`);
  };

  const faults: readonly (readonly [string, number, number, RegExp])[] = [
    ['', 1, 1, /empty/],
    ['select (1', 1, 10, /too early/],
    ['select a,, b', 1, 10, /expression/],
    ['select a ? b : c', 1, 10, /if\(/],
    ['select a\nfrom x array join [1]', 2, 19, /arrayJoin/],
    ['select 1 settings max_threads = 1', 1, 19, /SETTINGS/],
  ];

  it.each(faults)('says where and what: %s', async (text, line, column, detail) => {
    const fault = await faultOf(text);
    expect([fault.at, fault.detail]).toEqual([{ line, column }, expect.stringMatching(detail)]);
  });

  const repeated = (before: string, middle: string, after: string, times: number): string =>
    before.repeat(times) + middle + after.repeat(times);

  /** A parser without stack would refuse all later questions. */
  it('is not harmed by what nests deeply', async () => {
    const hostile = [
      `select ${repeated('(', '1', ')', 20_000)}`,
      `select ${repeated('not ', '1', '', 20_000)}`,
      `select ${repeated('- ', '1', '', 20_000)}`,
      `select ${repeated('f(', '1', ')', 20_000)}`,
      `select ${repeated('1 + ', '1', '', 20_000)}`,
      `select ${repeated('a or ', 'a', '', 9_000)}`,
      `select ${repeated('case when ', '1', ' then 1 end', 5_000)}`,
      `select 1${repeated('', '', '::Int8', 9_000)}`,
      `select x${repeated('', '', '[1]', 9_000)}`,
      `select x${repeated('', '', '.a', 9_000)}`,
      `select 1::${repeated('Array(', 'Int8', ')', 9_000)}`,
      `select 1${repeated('', '', ' union all select 1', 3_000)}`,
      `select ${repeated('(select ', '1', ')', 9_000)}`,
      `select ${repeated('x -> ', '1', '', 9_000)}`,
      `select ${repeated('interval ', '1', ' day', 9_000)}`,
      `select 1 from a${repeated('', '', ' join b on 1', 3_000)}`,
      `select ${repeated('1 between 1 and ', '1', '', 5_000)}`,
      `select 1${repeated('', '', ' is not distinct from 1', 3_000)}`,
    ];
    for (const text of hostile) {
      await parser.parse(text.slice(0, 99_000)).catch((error: unknown) => {
        if (!(error instanceof QueryFault)) throw error;
      });
      expect((await parser.parse('select 1')).statements).toHaveLength(1);
    }
    expect(parser.replaced).toBe(0);
  });

  /** The time of the parser doubles with each level, so the last of them would take it years. */
  it.each([
    ['names with periods', `select a${'.b'.repeat(60)}[`],
    ['casts', `select ${'cast('.repeat(60)}`],
    ['lambdas', `select ${'(x, y) -> '.repeat(60)}`],
    ['intervals', `select ${'interval '.repeat(60)}`],
  ])('refuses %s before a mistake in a second, in which all others go on', async (_, text) => {
    const before = parser.replaced;
    const used = performance.eventLoopUtilization();
    const refusals = [parser.parse(text, 1), parser.parse('select 2 as', 1)].map((each) =>
      each.catch((error: unknown) => error),
    );
    const others = Array.from({ length: 20 }, () => parser.parse('select 1', 2));
    expect(await Promise.race([Promise.all(others).then(() => 'others'), refusals[0]])).toBe('others');
    const [slow, next] = (await Promise.all(refusals)) as QueryFault[];
    expect(slow?.message).toMatch(/^The question cannot be read within a second/);
    expect(next?.message).toMatch(/^The question ends too early/);
    expect(performance.eventLoopUtilization(used).utilization).toBeLessThan(0.5);
    expect(parser.replaced - before).toBe(1);
    expect((await parser.parse('select 1', 1)).statements).toHaveLength(1);
  });

  it('reads a question of the largest size in little time', async () => {
    const columns = `select ${Array.from({ length: 340 }, (_, at) => `f(a${at}) as b`).join(',')}`;
    const list = `select x in (${Array.from({ length: 9_999 }, (_, at) => at).join(',')})`;
    for (const text of [columns, list]) {
      const before = process.cpuUsage();
      await parser.parse(text).catch(() => undefined);
      const { user } = process.cpuUsage(before);
      expect(user / 1000).toBeLessThan(500);
    }
  });
});
