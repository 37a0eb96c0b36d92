import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decode } from '../../../test/support/decoded-capture.js';
import { decodeByParsing } from '../../../test/support/decode-by-parsing.js';
import { runsOf } from '../../../test/support/sample.js';
import { gunzip } from './gunzip.js';
import { isJson } from '../../platform/values/json-syntax.js';

const send = (body: Buffer, search = '', method = 'POST') =>
  decode({ method, query: new URLSearchParams(search), headers: {}, body });

const expectVerdict = (verdict: Awaited<ReturnType<typeof decode>>): void => {
  if (verdict.ok) expect(verdict.token).toMatch(/^[\x21-\x7e]{1,64}$/);
  else expect([400, 401, 413]).toContain(verdict.status);
};

const packings: Record<string, (json: string) => Buffer> = {
  plain: (json) => Buffer.from(json),
  gzip: (json) => gzipSync(json),
  base64: (json) => Buffer.from(Buffer.from(json).toString('base64')),
  gzipInBase64: (json) => Buffer.from(gzipSync(json).toString('base64')),
  form: (json) => Buffer.from(`data=${encodeURIComponent(json)}&ver=1`),
  base64Form: (json) => Buffer.from(`data=${encodeURIComponent(Buffer.from(json).toString('base64'))}`),
  carelessBase64Form: (json) => Buffer.from(`data=${Buffer.from(json).toString('base64')}`),
};

describe('whatever bytes arrive', () => {
  it('the answer is events or a typed refusal, never an exception', async () => {
    const head = fc.constantFrom(
      '',
      '\x1f\x8b',
      '\x1f\x8b\x08\x00',
      '{',
      '[',
      'data=',
      'data=%',
      '\xef\xbb\xbf',
      '"',
      'eyJ',
    );
    const bytes = fc.tuple(head, fc.uint8Array({ maxLength: 60 }));
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom('GET', 'POST'), async ([start, rest], method) => {
        const body = Buffer.concat([Buffer.from(start, 'latin1'), rest]);
        expectVerdict(await send(body, `data=${body.toString('latin1')}`, method));
      }),
      { numRuns: runsOf(2_000, 3) },
    );
  });

  it('damaged gzip is refused or read, never an exception', async () => {
    const whole = gzipSync(JSON.stringify({ api_key: 'phc_a', batch: [{ event: 'e', distinct_id: 'd' }] }));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), async (at, value, length) => {
        const damaged = Buffer.from(whole);
        damaged[at] = value;
        expectVerdict(await send(damaged.subarray(0, length)));
      }),
      { numRuns: 500 },
    );
  });

  it('any JSON in any place of a batch is answered', async () => {
    const anything = fc.jsonValue({ maxDepth: 3 });
    const body = fc.record({
      api_key: anything,
      token: anything,
      batch: fc.oneof(anything, fc.array(anything)),
      sent_at: anything,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, body), async (value) => {
        expectVerdict(await send(Buffer.from(JSON.stringify(value))));
      }),
      { numRuns: runsOf(1_000, 3) },
    );
  });

  it('every packing gives back exactly the events that were packed', async () => {
    const event = fc.record({
      event: fc.string({ unit: 'grapheme' }),
      properties: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1 }),
        fc.constantFrom(...Object.keys(packings)),
        async (batch, packing) => {
          const json = JSON.stringify({ api_key: 'phc_a', batch });
          const verdict = await send(packings[packing]?.(json) ?? Buffer.alloc(0));
          expect(verdict).toMatchObject({ ok: true, token: 'phc_a' });
          expect(verdict.ok && JSON.stringify(verdict.rawEvents)).toBe(JSON.stringify(batch));
        },
      ),
      { numRuns: runsOf(1_000, 3) },
    );
  });

  it('gunzip gives all bytes up to the limit and none beyond it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(200_000), fc.integer({ min: 1, max: 100_000 }), async (size, limit) => {
        const result = await gunzip(gzipSync(Buffer.alloc(size, 'a')), limit);
        if (size <= limit) expect(result).toMatchObject({ ok: true, bytes: { length: size } });
        else expect(result).toMatchObject({ ok: false, status: 413, code: 'too_large' });
      }),
      { numRuns: 200 },
    );
  });
});

/** Includes what JSON.stringify never writes: duplicate and escaped keys, `__proto__`, white space, deep nesting. */
const { body: jsonBody } = fc.letrec<{ value: string; object: string; list: string; body: string; event: string }>(
  (tie) => {
    const token = fc.constantFrom('"phc_a"', '"phc_a"', '"phc_b"', '"phx_a"', '"x"', '""', 'null', '5', '{}');
    const scalar = fc.oneof(
      fc.json({ maxDepth: 1 }),
      fc.constantFrom('1e999', '-0', '"\\u0000"', '"]},[{\\""', '"\\\\"', '[ ]', '{ }', '"2026-01-01"', 'true'),
    );
    const deep = fc
      .tuple(fc.constantFrom(98, 99, 100, 101), token)
      .map(([levels, name]) => `{"x":${'['.repeat(levels)}${']'.repeat(levels)},"api_key":${name}}`);
    const key = fc.constantFrom(
      'event',
      'batch',
      'b\\u0061tch',
      'properties',
      '__proto__',
      'x',
      'sent_at',
      'to\\u006ben',
    );
    const space = fc.constantFrom('', '', '', ' ', '\n\t\r ');
    const member = fc.oneof(
      fc.tuple(fc.constantFrom('api_key', 'token', '$token'), token),
      fc.tuple(key, tie('value')),
      fc.tuple(fc.constant('properties'), tie('object')),
    );
    const spaced = (parts: readonly string[], between: string) => parts.join(`${between},${between}`);
    const object = fc.tuple(fc.array(member, { maxLength: 4 }), space).map(
      ([members, gap]) =>
        `{${gap}${spaced(
          members.map(([name, value]) => `"${name}"${gap}:${gap}${value}`),
          gap,
        )}}`,
    );
    const list = fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), space)
      .map(([values, gap]) => `[${gap}${spaced(values, gap)}${gap}]`);
    return {
      value: fc.oneof({ depthSize: 'small' }, scalar, tie('object'), tie('list')),
      object,
      list,
      event: fc.oneof({ weight: 5, arbitrary: object }, { weight: 1, arbitrary: scalar }, deep),
      body: fc.oneof(
        object,
        fc
          .tuple(space, fc.array(tie('event'), { maxLength: 60 }))
          .map(([gap, events]) => `[${spaced(events, gap)}]${gap}`),
        fc
          .tuple(token, fc.array(tie('event'), { maxLength: 60 }), member)
          .map(
            ([name, events, [more, value]]) => `{"${more}":${value},"batch":[${events.join(',')}],"api_key":${name}}`,
          ),
      ),
    };
  },
);

const damaged = fc
  .tuple(
    jsonBody,
    fc.nat(),
    fc.nat(1),
    fc.constantFrom('', ',', ':', '[', ']', '{', '}', '"', '\\', '0', ' ', '\u0001'),
  )
  .map(([json, seed, removed, added]) => {
    const at = seed % (json.length + 1);
    return json.slice(0, at) + added + json.slice(at + removed);
  });

const isRepeated = (json: string): boolean => (json.match(/"b(a|\\u0061)tch"\s*:/g) ?? []).length > 1;

describe('a body read in pieces', () => {
  it('says what the body says when it is parsed whole', async () => {
    const seen = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(jsonBody, async (json) => {
        const [verdict, expected] = [await send(Buffer.from(json)), decodeByParsing(json)];
        if (!verdict.ok && verdict.detail.startsWith('the body contains batch')) {
          expect(isRepeated(json)).toBe(true);
          return;
        }
        seen[verdict.ok ? 'taken' : 'refused'] += 1;
        if (!expected.ok) expect(verdict).toMatchObject(expected);
        else expect({ ...verdict, rejected: [] }).toEqual({ ...expected, rejected: [] });
      }),
      { numRuns: runsOf(3_000, 3) },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(runsOf(50, 3));
  });

  it('is refused when any of its bytes is damaged so that it is no JSON, and else says what it now says', async () => {
    const seen = { taken: 0, invalid: 0 };
    await fc.assert(
      fc.asyncProperty(damaged, async (json) => {
        const [verdict, expected] = [await send(Buffer.from(json)), decodeByParsing(json)];
        if (verdict.ok) {
          seen.taken += 1;
          expect({ ...verdict, rejected: [] }).toEqual({ ...expected, rejected: [] });
          return;
        }
        if (expected.ok) expect(isRepeated(json)).toBe(true);
        else if (expected.code === 'parse_error') seen.invalid += 1;
      }),
      { numRuns: runsOf(3_000, 3) },
    );
    expect(Math.min(seen.taken, seen.invalid)).toBeGreaterThan(runsOf(50, 3));
  });

  it('knows what is JSON without parsing it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(jsonBody, damaged, fc.string()), async (json) => {
        expect(await isJson(Buffer.from(json))).toBe(parses(json));
      }),
      { numRuns: runsOf(3_000, 3) },
    );
  });
});

const parses = (json: string): boolean => {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
};
