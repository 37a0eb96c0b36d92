import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type CaptureReplyDto } from '../../src/events/capture/capture.dto.js';
import { leastCpuMs } from '../support/cpu.js';
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
  });

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
  });

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

describe('one hostile body', () => {
  const sendTo = (path: string, body: string | Buffer) => fetch(service.url + path, { method: 'POST', body });
  const token = () => service.project.api_token;
  const event = (more: object = {}) => ({ event: 'seen', distinct_id: 'ada', ...more });

  it('of 20 kB that unpacks to seven million lists is refused for little CPU time', async () => {
    const packed = gzipSync(`[${'[],'.repeat(6_990_000)}[]]`);
    const used = await leastCpuMs(async () => {
      expect(await sendTo('/batch/', packed)).toMatchObject({ status: 413 });
    }, 700);
    expect(used).toBeLessThan(700);
  });

  it('of an unknown project is refused before its events are parsed', async () => {
    const answer = await sendTo('/batch/', '{"batch":[{"event":this is no JSON}],"api_key":"phc_unknown"}');
    expect(await answer.json()).toMatchObject({ status: 401, code: 'authentication_failed' });
    const long = `{"batch":[{"event":this is no JSON,"text":"${'x'.repeat(300_000)}"}]}`;
    expect(await (await sendTo('/batch/', long)).json()).toMatchObject({ status: 401, code: 'not_authenticated' });
  });

  it('without a token is told where it stops being JSON, if it is short', async () => {
    const answer = await sendTo('/batch/', '{"batch":[{"event":this is no JSON}]}');
    const detail = expect.stringContaining('at line 1, column 20 a value') as unknown;
    expect(await answer.json()).toMatchObject({ status: 400, code: 'parse_error', detail });
  });

  it('does not delay a small one that comes later', async () => {
    const batch = Array.from({ length: 9_000 }, () => event({ event: '', properties: { text: 'x'.repeat(1_000) } }));
    const order: string[] = [];
    const large = sendTo('/batch/', JSON.stringify({ api_key: token(), batch })).then(() => order.push('large'));
    await new Promise((resolve) => setTimeout(resolve, 30));
    const small = await sendTo('/batch/', JSON.stringify({ api_key: token(), batch: [event()] }));
    order.push('small');
    await large;
    expect(small.status).toBe(200);
    expect(order).toEqual(['small', 'large']);
  });

  it('with an event beyond the limits has that event refused, and the others taken', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const many = JSON.stringify(event({ properties: { list: Array.from({ length: 200_000 }, () => 0) } }));
    const honest = JSON.stringify(event());
    const body = `{"api_key":"${token()}","batch":[${honest},{"event":"e","x":${deep}},${many},${honest}]}`;
    const answer = await sendTo('/batch/', body);
    expect(answer.status).toBe(200);
    const reply = (await answer.json()) as CaptureReplyDto;
    expect(reply).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(reply.rejected.map(({ index, code }) => [index, code])).toEqual([
      [1, 'invalid_input'],
      [2, 'too_large'],
    ]);
  });

  it('with a fault in its last event leaves nothing of the others', async () => {
    const uuid = randomUUID();
    const many = Array.from({ length: 100 }, () => JSON.stringify(event())).join(',');
    const body = `{"api_key":"${token()}","batch":[${JSON.stringify(event({ uuid }))},${many},{"event":"e",}]}`;
    expect(await (await sendTo('/batch/', body)).json()).toMatchObject({ status: 400, code: 'parse_error' });
    const again = await sendTo('/batch/', JSON.stringify({ api_key: token(), batch: [event({ uuid })] }));
    expect(await again.json()).toMatchObject({ accepted: 1, duplicates: 0 });
  });
});

describe('a hostile import', () => {
  const importing = (body: string | Buffer | ReadableStream, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/api/projects/${service.project.id}/import`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson', ...headers },
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
  const line = '{"type":"event","event":"e","distinct_id":"d"}';

  it('of bad lines only is answered with the first 10,000 of them and the number of all', async () => {
    const reply = (await (await importing('1\n'.repeat(25_000))).json()) as { rejected: { line: number }[] };
    expect(reply).toMatchObject({ rejected_count: 25_000, persons: 0, events: 0, duplicates: 0 });
    expect(reply.rejected).toHaveLength(10_000);
    expect(reply.rejected.at(-1)?.line).toBe(10_000);
  });

  it('that unpacks to hundreds of times its size is refused', async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, '\n'));
    const answer = await importing(packed, { 'content-encoding': 'gzip' });
    expect(await answer.json()).toMatchObject({ status: 413, code: 'too_large' });
  });

  it('of blank lines costs little CPU time', async () => {
    const used = await leastCpuMs(async () => {
      const answer = await importing(`${'\n'.repeat(10_000_000)}nothing`);
      expect(await answer.json()).toMatchObject({ rejected_count: 1, rejected: [{ line: 10_000_001 }] });
    }, 700);
    expect(used).toBeLessThan(700);
  });

  it('with a line beyond the limits has that line refused, and the others taken', async () => {
    const deep = `{"type":"event","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const many = `{"type":"event","x":[${'0,'.repeat(200_000)}0]}`;
    const reply = await (await importing([line, deep, many, line].join('\n'))).json();
    expect(reply).toMatchObject({
      events: 2,
      rejected: [
        { line: 2, code: 'invalid_input' },
        { line: 3, code: 'too_large' },
      ],
      rejected_count: 2,
    });
  });

  it('that lasts keeps a second one of the project waiting, and ends when its client is gone', async () => {
    let end = () => {};
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from(`${line}\n`));
        end = () => controller.error(new Error('gone'));
      },
    });
    const first = importing(stream).catch(() => null);
    const secondly = async () => {
      const answer = await importing(line);
      const { code } = (await answer.json()) as { code?: string };
      return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') };
    };
    const busy = { status: 503, code: 'unavailable', retryAfter: '5' };
    await expectSoon(async () => expect(await secondly()).toEqual(busy));
    end();
    await first;
    await expectSoon(async () => expect(await secondly()).toMatchObject({ status: 200 }));
  });
});

const expectSoon = async (expectation: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await expectation();
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};
