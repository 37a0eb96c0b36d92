import { deflateRawSync, gzipSync } from 'node:zlib';
import { type Draft } from '../draft.js';
import { boundaryNumber, deepValue, hostileText, largeBody, nested, otherValue, packedBomb } from '../hostile.js';
import { type Random } from '../random.js';
import { type Fault } from './fault.js';

type Tree = Record<string, unknown> | unknown[];

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Puts another value in one place somewhere in the body. */
const changeSomewhere = (value: unknown, random: Random, make: () => unknown): boolean => {
  if (!isTree(value)) return false;
  const keys = Object.keys(value);
  if (keys.length === 0) return false;
  const key = random.pick(keys);
  const tree = value as Record<string, unknown>;
  if (random.chance(0.6) && isTree(tree[key]) && changeSomewhere(tree[key], random, make)) return true;
  tree[key] = make();
  return true;
};

const inJson =
  (make: (random: Random) => unknown): Fault['apply'] =>
  ({ body }, random) =>
    body.kind === 'json' && changeSomewhere(body.value, random, () => make(random));

/** Plausible values are shared between requests; faults change a copy. */
const ownCopy = (draft: Draft): void => {
  if (draft.body.kind === 'json' && isTree(draft.body.value)) draft.body.value = structuredClone(draft.body.value);
};

const asText = (draft: Draft, change: (text: string) => string | Buffer): boolean => {
  if (draft.body.kind !== 'json') return false;
  const text = typeof draft.body.value === 'string' ? draft.body.value : (JSON.stringify(draft.body.value) ?? '');
  draft.body = { kind: 'bytes', bytes: Buffer.from(change(text) as string) };
  return true;
};

const fault = (name: string, apply: Fault['apply']): Fault => ({
  name,
  apply: (draft, random, scene) => {
    ownCopy(draft);
    return apply(draft, random, scene);
  },
});

const withFault = (draft: Draft, bytes: Buffer, name: string): boolean => {
  if (draft.operation.body === null) return false;
  draft.body = { kind: 'bytes', bytes };
  draft.faults.push(name);
  return true;
};

const brokenTexts = [
  ...['', '{', '}', '[1,]', '{"a":}', '{a:1}', 'null', '1', '"text"', '[]', '{}', '\ufeff{}', '{"a":1}{"b":2}'],
  ...[
    '{"a":NaN}',
    '[1e999]',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000"}',
    '{"a\\u0000":1}',
    '\u0000',
    '{"":1}',
    'a=b&data=e30',
  ],
];

export const bodyFaults: readonly (readonly [weight: number, Fault])[] = [
  [10, fault('other value in the body', inJson(otherValue))],
  [10, fault('hostile text in the body', inJson(hostileText))],
  [
    5,
    fault(
      'boundary number in the body',
      inJson((random) => boundaryNumber(random, {})),
    ),
  ],
  [
    1,
    fault(
      'long text in the body',
      inJson((random) => random.pick(['x', '9', '_']).repeat(random.pick([401, 5000]))),
    ),
  ],
  [2, fault('deep JSON in the body', inJson(deepValue))],
  [
    4,
    fault('unknown or absent field', ({ body }, random) => {
      if (body.kind !== 'json' || !isTree(body.value)) return false;
      const tree = body.value as Record<string, unknown>;
      const keys = Object.keys(tree);
      if (keys.length > 0 && random.chance(0.4)) delete tree[random.pick(keys)];
      else Object.defineProperty(tree, hostileText(random), { value: otherValue(random), enumerable: true });
      return true;
    }),
  ],
  [
    3,
    fault('key twice', (draft, random) =>
      asText(draft, (text) => text.replace('{', `{"${random.pick(['name', 'events', 'limit', '__proto__'])}":[],`)),
    ),
  ],
  [
    2,
    fault('key __proto__', (draft, random) =>
      asText(draft, (text) =>
        text.replace('{', `{"${random.pick(['__proto__', 'constructor', 'prototype'])}":{"toString":1},`),
      ),
    ),
  ],
  [
    3,
    fault('broken text as the body', (draft, random) =>
      withFault(draft, Buffer.from(random.pick(brokenTexts)), 'broken'),
    ),
  ],
  [
    2,
    fault('body cut within', (draft, random) =>
      asText(draft, (text) => text.slice(0, Math.floor(text.length * random.next()))),
    ),
  ],
  [
    1,
    fault('invalid UTF-8', (draft) =>
      asText(draft, (text) =>
        Buffer.concat([
          Buffer.from(text.slice(0, -2)),
          Buffer.from([0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80]),
          Buffer.from(text.slice(-2)),
        ]),
      ),
    ),
  ],
  [
    1,
    fault('deep brackets', (draft, random) =>
      withFault(draft, Buffer.from(nested(random.pick([99, 101, 500]), '[')), 'brackets'),
    ),
  ],
  [
    0.12,
    fault('large body', (draft, random) => {
      const { name, bytes } = largeBody(random);
      return withFault(draft, bytes, name);
    }),
  ],
  [
    0.02,
    fault('gzip bomb', (draft, random) => {
      const { name, bytes } = packedBomb(random);
      draft.headers['content-encoding'] = 'gzip';
      return withFault(draft, bytes, name);
    }),
  ],
  [
    1.5,
    fault('content encoding', (draft, random) => {
      const encoding = random.pick(['gzip', 'deflate', 'br', 'zstd', 'x', 'gzip, gzip', '']);
      draft.headers['content-encoding'] = encoding;
      return (
        random.chance(0.3) ||
        asText(draft, (text) => {
          const packed = encoding === 'deflate' ? deflateRawSync(text) : gzipSync(text, { level: 1 });
          return random.chance(0.5) ? packed : packed.subarray(0, random.integer(1, packed.length));
        })
      );
    }),
  ],
  [
    2,
    fault('content type', (draft, random) => {
      draft.headers['content-type'] = random.pick([
        ...[
          'text/plain',
          'application/xml',
          'application/json; charset=utf-16',
          'application/json; charset=x',
          '',
          ';',
        ],
        ...['multipart/form-data', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'a/b/c'],
        ...['application/problem+json', 'application/x-ndjson', 'APPLICATION/JSON', 'application/json;;;'],
      ]);
      return true;
    }),
  ],
  [
    1,
    fault('form', (draft, random) => {
      draft.headers['content-type'] = 'multipart/form-data; boundary=fuzz';
      return asText(draft, () => formOf(random));
    }),
  ],
];

const formOf = (random: Random): string => {
  const names = ['name', 'csv', 'is_static', 'filters', '__proto__', 'csv"; x="', 'unknown'];
  const part = () => {
    const name = random.pick(names);
    const file = random.chance(0.3) ? `; filename="${random.pick(['a.csv', '../../x', '\u0000', ''])}"` : '';
    const value = random.pick([
      'x',
      'true',
      '{}',
      'distinct_id\r\nmine-1\r\nmine-2',
      '{"properties":{}}',
      hostileText(random),
    ]);
    return `--fuzz\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  };
  const parts = Array.from({ length: random.integer(0, 5) }, part).join('');
  return random.chance(0.8) ? `${parts}--fuzz--\r\n` : parts;
};
