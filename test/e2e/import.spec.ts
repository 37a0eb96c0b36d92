import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { Documented } from '../support/documented.js';
import { openApiDocument } from '../../src/app/openapi/app.openapi.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let project: ProjectDto;
let documented: Documented;

beforeAll(async () => {
  service = await startTestService();
  documented = new Documented(openApiDocument(service.app));
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const send = async (lines: readonly (object | string)[], query = '', init: RequestInit = {}) => {
  const path = `/api/projects/${project.id}/import`;
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson', ...init.headers };
  const answer = await fetch(service.url + path + query, { method: 'POST', body, ...init, headers });
  const text = await answer.text();
  documented.check('POST', path, {
    status: answer.status,
    headers: { 'content-type': answer.headers.get('content-type') ?? '' },
    text,
  });
  return { status: answer.status, body: JSON.parse(text) as unknown };
};

const listed = async (query: Record<string, string> = {}) =>
  (await service.call('GET', `/api/projects/${project.id}/events`, { query })).body as {
    count: number;
    results: EventDto[];
  };

const person = (more: object = {}) => ({
  type: 'person',
  distinct_ids: ['ada', 'ada-2'],
  properties: { email: 'ada@example.test' },
  ...more,
});
const event = (more: object = {}) => ({
  type: 'event',
  event: 'signed up',
  distinct_id: 'ada',
  timestamp: '2024-01-02T10:00:00Z',
  uuid: randomUUID(),
  ...more,
});

describe('an import', () => {
  it('takes persons and events, and sent again it changes nothing', async () => {
    const lines = [
      person({ created_at: '2024-01-01T00:00:00Z', is_identified: true }),
      event(),
      event({ distinct_id: 'ada-2' }),
    ];
    expect(await send(lines)).toEqual({
      status: 200,
      body: { persons: 1, events: 2, duplicates: 0, rejected: [], rejected_count: 0 },
    });
    const before = await listed();
    expect(new Set(before.results.map(({ person_id }) => person_id)).size).toBe(1);
    expect(before.results[0]).toMatchObject({ timestamp: '2024-01-02T10:00:00.000Z' });
    expect(await send(lines)).toEqual({
      status: 200,
      body: { persons: 1, events: 0, duplicates: 2, rejected: [], rejected_count: 0 },
    });
    expect(await listed()).toEqual(before);
  });

  it('that broke and is sent again with its key takes each line once, also lines without a uuid', async () => {
    const lines = Array.from({ length: 2_500 }, (_, n) => {
      const without = event({ distinct_id: `d${n % 7}`, timestamp: undefined, uuid: undefined });
      return JSON.stringify(without);
    });
    const key = randomUUID();
    const headers = {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/x-ndjson',
      'idempotency-key': key,
    };
    const sent = request(`${service.url}/api/projects/${project.id}/import`, { method: 'POST', headers });
    const closed = new Promise((resolve) => sent.once('close', resolve));
    sent.on('error', () => undefined);
    for (const line of lines.slice(0, -1)) sent.write(`${line}\n`);
    // The first lines are committed while the others still arrive.
    while ((await listed()).count === 0) await sleep(20);
    sent.destroy();
    await closed;
    const again = () => send(lines, '', { headers: { 'idempotency-key': key } });
    let answer = await again();
    for (; answer.status === 409; answer = await again()) await sleep(100);
    expect(answer).toMatchObject({ status: 200, body: { rejected_count: 0 } });
    expect(answer.body).not.toMatchObject({ duplicates: 0 });
    expect((await listed()).count).toBe(2_500);
    expect((await send(lines)).body).toMatchObject({ events: 2_500, duplicates: 0 });
  });

  it('answers every bad line by its number, and takes the others', async () => {
    const lines = [
      'not json',
      '',
      { type: 'thing' },
      person({ distinct_ids: [] }),
      person({ distinct_ids: ['ada', ''] }),
      person({ created_at: 'yesterday' }),
      event({ event: '' }),
      event({ timestamp: 'never' }),
      event({ uuid: 'x' }),
      event({ properties: { text: 'x'.repeat(1_100_000) } }),
      event(),
    ];
    const { body } = await send(lines);
    expect(body).toMatchObject({ persons: 0, events: 1, duplicates: 0, rejected_count: 9 });
    expect(
      (body as { rejected: { line: number; code: string }[] }).rejected.map(({ line, code }) => [line, code]),
    ).toEqual([
      [1, 'parse_error'],
      [3, 'invalid_input'],
      [4, 'required'],
      [5, 'invalid_input'],
      [6, 'invalid_input'],
      [7, 'required'],
      [8, 'invalid_input'],
      [9, 'invalid_input'],
      [10, 'too_large'],
    ]);
  });

  it('takes the time of an event as it is, also in the future', async () => {
    await send([event({ timestamp: '2090-05-06T07:08:09.010Z' })]);
    expect((await listed()).results[0]?.timestamp).toBe('2090-05-06T07:08:09.010Z');
  });

  it('leaves events of unknown ids without a person on ?create_persons=false', async () => {
    await send([person(), event(), event({ distinct_id: 'stranger' })], '?create_persons=false');
    expect((await listed({ distinct_id: 'ada' })).results[0]?.person_id).toEqual(expect.any(Number));
    expect((await listed({ distinct_id: 'stranger' })).results[0]?.person_id).toBeNull();
  });

  it('may be gzip, and is streamed: 30,000 lines at once', async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => JSON.stringify(event({ distinct_id: `user-${n % 100}` })));
    const packed = gzipSync(lines.join('\n'));
    const { body } = await send([], '', {
      body: Readable.toWeb(Readable.from([packed.subarray(0, 1000), packed.subarray(1000)])) as ReadableStream,
      headers: { 'content-encoding': 'gzip' },
      duplex: 'half',
    });
    expect(body).toEqual({ persons: 0, events: 30_000, duplicates: 0, rejected: [], rejected_count: 0 });
    expect((await listed()).count).toBe(30_000);
  });

  it('that is damaged gzip is a 400', async () => {
    const packed = gzipSync(JSON.stringify(event()).repeat(1000));
    for (const body of [packed.subarray(0, packed.length - 20), Buffer.from('not gzip')]) {
      expect((await send([], '', { body, headers: { 'content-encoding': 'gzip' } })).status).toBe(400);
    }
  });

  it('answers thousands of bad lines without holding them', async () => {
    const { body } = await send(Array.from({ length: 5000 }, () => 'x'));
    const { rejected } = body as { rejected: { line: number }[] };
    expect(rejected.map(({ line }) => line)).toEqual(Array.from({ length: 5000 }, (_, n) => n + 1));
  });

  it('needs its content type, and both scopes', async () => {
    expect((await send([event()], '', { headers: { 'content-type': 'application/json' } })).status).toBe(415);
    const { text } = await service.newKey({ scopes: ['person:write'] });
    expect((await send([event()], '', { headers: { authorization: `Bearer ${text}` } })).status).toBe(403);
    expect((await send([event()], '?create_persons=maybe')).status).toBe(400);
  });
});
