import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decode } from './decode.js';
import { gunzip } from './gunzip.js';

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
      { numRuns: 2_000 },
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
      { numRuns: 1_000 },
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
      { numRuns: 1_000 },
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
