import { gzipSync } from 'node:zlib';
import { hostileTexts } from '../support/hostile-texts.js';
import { type Random } from './random.js';

const texts = [
  ...hostileTexts,
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '../../etc/passwd',
  '..%2f..%2f',
  '${7*7}',
  '{{7*7}}',
  '(a+)+$',
  '^(.*)*$',
  '(?=a)',
  '[a-',
  '\u202e',
  '\r\nX-Injected: 1',
  'prototype',
  '____a__b',
  '2026-02-30',
  '-999999999d',
  '9999-12-31',
  '+275760-09-13T00:00:00Z',
  '1'.repeat(300),
  `${'9'.repeat(200)}x`,
];

export const hostileText = (random: Random): string => random.pick(texts);

const numbers = [0, -1, 1, 1.5, -0, 100, 101, 1000, 1001, 10_001, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 1e21, 1e308];
const numberTexts = [
  '1e999',
  '-1e999',
  '0x1f',
  '1_000',
  '１',
  '9'.repeat(40),
  '1'.repeat(400),
  ' 1',
  '1 ',
  '+1',
  '01',
  '',
];

/** Around the limits of the schema, else around those of machines. */
export const boundaryNumber = (random: Random, schema: { minimum?: unknown; maximum?: unknown }): number => {
  const own = [schema.minimum, schema.maximum].filter((limit) => typeof limit === 'number');
  if (own.length > 0 && random.chance(0.6)) return random.pick(own) + random.integer(-1, 1);
  return random.pick(numbers);
};

export const boundaryText = (random: Random, schema: { minimum?: unknown; maximum?: unknown }): string =>
  random.chance(0.6) ? String(boundaryNumber(random, schema)) : random.pick(numberTexts);

/** JSON values of every type, with keys that mean something to JavaScript. */
export const otherValue = (random: Random): unknown =>
  random.pick<unknown>([
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    '',
    'text',
    [],
    [null],
    [[]],
    {},
    { a: { b: [] } },
    { type: 'AND' },
    { type: 'AND', values: {} },
    { values: [null, 1, 'x', []] },
    [{}],
    [{ id: {} }],
    [{ id: 'a', any_of: [] }],
    [{ key: 'a', operator: [], value: {} }],
    [{ key: ['a'], value: null }],
    JSON.parse('{"__proto__":{"polluted":1}}'),
    JSON.parse('{"constructor":{"prototype":{"polluted":1}}}'),
    JSON.parse('[{"__proto__":{"a":1},"key":"toString","value":"x"}]'),
    { toString: 1, valueOf: null, hasOwnProperty: [], length: -1, then: 1 },
  ]);

export const nested = (levels: number, open: '[' | '{"a":'): string =>
  open.repeat(levels) + (open === '[' ? '' : '1') + (open === '[' ? ']' : '}').repeat(levels);

/** Up to some hundred levels or nodes: small requests around the limits. */
export const deepValue = (random: Random): unknown =>
  JSON.parse(nested(random.pick([10, 50, 99, 100, 101, 150, 400]), random.pick(['[', '{"a":'] as const)));

const cached = new Map<string, Buffer>();
const once = (name: string, make: () => Buffer): Buffer => {
  const known = cached.get(name) ?? make();
  cached.set(name, known);
  return known;
};

const manyKeys = (count: number): string =>
  `{"zzz":{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join(',')}}}`;

const large: Readonly<Record<string, () => Buffer>> = {
  'text of 100 kB': () => Buffer.from(`{"name":"${'x'.repeat(100 * 1024 - 11)}"}`),
  'text of a byte more than 100 kB': () => Buffer.from(`{"name":"${'x'.repeat(100 * 1024 - 10)}"}`),
  'text of 1 MB': () => Buffer.from(`{"name":"${'x'.repeat(1024 * 1024)}"}`),
  '10,000 keys': () => Buffer.from(manyKeys(10_000)),
  '99,990 nodes': () => Buffer.from(`{"zzz":[${'0,'.repeat(99_988)}0]}`),
  '100,010 nodes': () => Buffer.from(`{"zzz":[${'0,'.repeat(100_010)}0]}`),
  '40,000 empty lists': () => Buffer.from(`{"filters":{"properties":{"values":[${'[],'.repeat(40_000)}[]]}}}`),
  '2,000 levels': () => Buffer.from(`{"x":${nested(2000, '[')}}`),
  '50,000 levels': () => Buffer.from(`{"x":${nested(50_000, '{"a":')}}`),
  '5 MB': () => Buffer.from(`{"name":"${'x'.repeat(5 * 1024 * 1024)}"}`),
};

const packed: Readonly<Record<string, () => Buffer>> = {
  'gzip bomb of 20 MB': () => gzipSync('{"a":"'.padEnd(20 * 1024 * 1024, ' ')),
  'gzip bomb of lists': () => gzipSync(`[${'[],'.repeat(1_000_000)}[]]`),
  'gzip of 1 MB of events': () =>
    gzipSync(JSON.stringify({ batch: Array.from({ length: 8000 }, (_, n) => ({ event: 'e', distinct_id: `d${n}` })) })),
};

export const largeBody = (random: Random): { name: string; bytes: Buffer } => {
  // The greatest of them take most of the time of the service; they come less often.
  const names = Object.keys(large);
  const name = random.chance(0.9) ? random.pick(names.slice(0, -2)) : random.pick(names);
  return { name, bytes: once(name, large[name] as () => Buffer) };
};

export const packedBomb = (random: Random): { name: string; bytes: Buffer } => {
  const name = random.pick(Object.keys(packed));
  return { name, bytes: once(name, packed[name] as () => Buffer) };
};
