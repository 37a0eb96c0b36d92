import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CaptureReplyDto } from '../../src/events/capture/capture.dto.js';
import { startTestService, type TestService } from '../support/service.js';

const runs = Number(process.env.RUNS ?? 150);

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const nasty = fc.constantFrom(
  '\u0000',
  '\ud800',
  "'; DROP TABLE events; --",
  '{p1:String}',
  '$1',
  '__proto__',
  'constructor',
  '😀'.repeat(60),
  '=cmd|calc',
  '<script>alert(1)</script>',
  'a.b',
  '',
  ' ',
  'null',
  'anonymous',
  'x'.repeat(201),
);
const text = fc.oneof(nasty, fc.string(), fc.string({ unit: 'binary' }));
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue(),
  fc.double(),
  fc.constantFrom(1e308, -0, 2 ** 53, 1e19, null),
);
const properties = fc.oneof(fc.dictionary(text, value), value);

/** Something an SDK could send, with anything in any place. */
const event = fc.record(
  {
    event: fc.oneof(
      fc.constantFrom('seen', '$identify', '$create_alias', '$merge_dangerously', '$set', '$groupidentify'),
      value,
    ),
    distinct_id: fc.oneof(fc.constantFrom('ada', 'bob', 'anon'), value),
    properties: fc.oneof(
      fc.record(
        { $set: properties, $set_once: properties, $unset: value, $anon_distinct_id: value, alias: value },
        { requiredKeys: [] },
      ),
      properties,
    ),
    timestamp: fc.oneof(fc.constantFrom('2026-01-01T00:00:00Z', '0001-01-01', '9999-12-31T23:59:59Z', 'x'), value),
    uuid: fc.oneof(fc.uuid(), fc.constant('00000000-0000-4000-8000-000000000001'), value),
    $set: properties,
    $unset: value,
  },
  { requiredKeys: [] },
);
const item = fc.oneof({ weight: 6, arbitrary: event }, { weight: 1, arbitrary: value });

const send = (body: string) => fetch(`${service.url}/batch/`, { method: 'POST', body });

describe('hostile batches', () => {
  it('get a verdict for every event and never a 5xx: accepted + duplicates + rejected = sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 12 }), async (batch) => {
        const answer = await send(JSON.stringify({ api_key: service.project.api_token, batch }));
        const reply = (await answer.json()) as CaptureReplyDto;
        expect([200, 400]).toContain(answer.status);
        expect(reply.accepted + reply.duplicates + reply.rejected.length).toBe(batch.length);
        if (answer.status === 400) expect(reply.rejected).toHaveLength(batch.length);
      }),
      { numRuns: runs },
    );
  }, 120_000);

  it('as any bytes at all get an answer below 500', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map((json) => Buffer.from(json)),
        ),
        async (bytes) => {
          const answer = await fetch(`${service.url}/e/`, { method: 'POST', body: Buffer.from(bytes) });
          expect(answer.status).toBeLessThan(500);
          await answer.text();
        },
      ),
      { numRuns: runs },
    );
  }, 120_000);

  it('leave a project whose every accepted event can be read, in PostgreSQL and in ClickHouse alike', async () => {
    const count = async () =>
      (
        (await service.call('GET', `/api/projects/${service.project.id}/events`, { query: { limit: 1 } })).body as {
          count: number;
        }
      ).count;
    const before = await count();
    const answer = await send(
      JSON.stringify({ api_key: service.project.api_token, batch: [{ event: 'after the storm', distinct_id: 'ada' }] }),
    );
    expect(answer.status).toBe(200);
    expect(await count()).toBe(before + 1);
    let path: string | null = `/api/projects/${service.project.id}/events?limit=1000`;
    let read = 0;
    while (path) {
      const { body } = await service.call('GET', path);
      const page = body as { next: string | null; results: unknown[] };
      read += page.results.length;
      path = page.next ? page.next.slice(service.url.length) : null;
    }
    expect(read).toBe(before + 1);
  });
});
