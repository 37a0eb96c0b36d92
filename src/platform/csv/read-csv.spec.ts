import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RowOfFile, readCsv } from './read-csv.js';

const isName = (cell: string) => cell === 'email';

/** The bytes come in pieces of a few bytes, as a slow client sends them. */
const read = async (bytes: Uint8Array, size = 3): Promise<RowOfFile[]> => {
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
  };
  const rows: RowOfFile[] = [];
  for await (const row of readCsv(pieces(), isName)) rows.push(row);
  return rows;
};
const rowsOf = async (bytes: Uint8Array, size?: number) => (await read(bytes, size)).map(({ cells }) => cells);
const utf8 = (text: string) => Buffer.from(text);
const utf16 = (text: string, mark = '\ufeff') => Buffer.from(mark + text, 'utf16le');

describe('a CSV file', () => {
  it.each([
    [
      'commas',
      'email,plan\na,"b,c"\n',
      [
        ['email', 'plan'],
        ['a', 'b,c'],
      ],
    ],
    [
      'semicolons',
      'email;plan\na;"b;c"\n',
      [
        ['email', 'plan'],
        ['a', 'b;c'],
      ],
    ],
    [
      'tabs',
      'email\tplan\na\tb c\n',
      [
        ['email', 'plan'],
        ['a', 'b c'],
      ],
    ],
    [
      'semicolons, beside a comma in a name',
      'email;"plan, paid";x, y\na;b;c',
      [
        ['email', 'plan, paid', 'x, y'],
        ['a', 'b', 'c'],
      ],
    ],
    [
      'commas, when a name that is quoted contains semicolons',
      '"a;b",c\nd,e',
      [
        ['a;b', 'c'],
        ['d', 'e'],
      ],
    ],
    ['nothing, when the only value is quoted', '"a;b,c"\nd', [['a;b,c'], ['d']]],
  ])('has values separated by %s', async (_, text, rows) => {
    expect(await rowsOf(utf8(text))).toEqual(rows);
  });

  it.each([
    [
      'CR LF, LF and CR',
      'a,b\r\nc,d\ne,f\rg,h',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
        ['g', 'h'],
      ],
    ],
    ['blank lines', '\r\n \n\na\n\n\nb\n', [[' '], ['a'], ['b']]],
    ['quotes, quotes within and line breaks', '"a ""b""\r\nc",d\n', [['a "b"\r\nc', 'd']]],
    ['rows of unequal length', 'a,b\nc\nd,e,f\n', [['a', 'b'], ['c'], ['d', 'e', 'f']]],
  ])('may have %s', async (_, text, rows) => {
    expect(await rowsOf(utf8(text))).toEqual(rows);
  });

  it('says on which line each row begins', async () => {
    const text = '\r\nemail,note\r\na,"two\r\nlines"\n\nb,"a\rb\nc"\rd,e';
    expect((await read(utf8(text))).map(({ line }) => line)).toEqual([2, 3, 6, 9]);
  });

  it.each([
    ['UTF-8', utf8('é,😀\n')],
    ['UTF-8 with a byte order mark', utf8('\ufeffé,😀\n')],
    ['UTF-16, little end first', utf16('é,😀\n')],
    ['UTF-16, big end first', utf16('é,😀\n').swap16()],
  ])('is read in %s, in pieces of any size', async (_, bytes) => {
    for (const size of [1, 2, 3, 1000]) expect(await rowsOf(bytes, size)).toEqual([['é', '😀']]);
  });

  it.each([
    ['an open quote', utf8('a\n"b\nc'), 'a quote is not closed by the end of the file, line 3'],
    ['a quote inside of a value', utf8('a,b"c\n'), 'a quote stands inside of a value, line 1'],
    ['text behind a quote', utf8('"a"b\n'), 'text follows a closing quote, line 1'],
    ['other bytes', Buffer.from([97, 10, 0xff, 10]), 'the file is not UTF-8'],
    ['half a character of UTF-16', utf16('ab').subarray(0, 5), 'the file is not UTF-16'],
    ['a row that does not end', utf8('x'.repeat(1_000_010)), 'a row has more than 1000000 characters, line 1'],
    ['a row of many values', utf8(`a\n${','.repeat(10_001)}\n`), 'row 2 has more than 10000 values'],
  ])('with %s is refused', async (_, bytes, message) => {
    await expect(rowsOf(bytes, 65_536)).rejects.toThrow(message);
  });

  it('with a long first row leaves others their turns', async () => {
    let yields = 0;
    let isOver = false;
    const count = () => {
      yields += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const row = Array.from({ length: 9000 }, () => 'x'.repeat(100));
    expect(await rowsOf(utf8(row.join(',')), 65_536)).toEqual([row]);
    isOver = true;
    expect(yields).toBeGreaterThan(20);
  });

  it('is nothing without text', async () => {
    for (const bytes of [utf8(''), utf8('\ufeff'), utf8('\n\r\n')]) expect(await rowsOf(bytes)).toEqual([]);
  });

  it('gives back any table that was written with quotes', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', 'é', ' ') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.integer({ min: 1, max: 20 }),
        async (rows, by, size) => {
          const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(by)).join('\n');
          expect(await rowsOf(utf8(text), size)).toEqual(rows);
        },
      ),
      { numRuns: 300 },
    );
  });
});
