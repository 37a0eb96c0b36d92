import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let project: ProjectDto;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

interface Page<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

const capture = (body: object, path = '/batch') => service.call('POST', path, { key: null, body });
const batch = (...events: object[]) => capture({ api_key: project.api_token, batch: events });
const event = <T extends object>(more: T = {} as T) => ({
  event: 'seen',
  distinct_id: 'ada',
  uuid: randomUUID(),
  ...more,
});
const eventsOf = async (query: Record<string, string | number> = {}) => {
  const { status, body } = await service.call('GET', `/api/projects/${project.id}/events`, { query });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as Page<EventDto>;
};
const raw = (path: string, body: Buffer | string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { method: 'POST', body, headers });

describe('a batch', () => {
  it('is acknowledged with a verdict for every event, and every accepted one is there', async () => {
    const twice = event();
    const answer = await batch(event(), twice, twice, { event: '', distinct_id: 'x' }, { event: 'no id' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status: 1,
        accepted: 2,
        duplicates: 1,
        rejected: [
          { index: 3, uuid: null, code: 'required', detail: expect.any(String) },
          { index: 4, uuid: null, code: 'required', detail: expect.any(String) },
        ],
      },
    ]);
    expect((await eventsOf()).count).toBe(2);
    expect((await batch(twice)).body).toEqual({ status: 1, accepted: 0, duplicates: 1, rejected: [] });
    expect((await eventsOf()).count).toBe(2);
  });

  it('with an event over 1 MB has its neighbours stored, and says which event was not and why', async () => {
    const large = event({ properties: { text: 'x'.repeat(3_000_000) } });
    const batchAndResults = [
      await batch(event(), large, event()),
      await service.call('POST', '/i/v1/analytics/events', {
        key: project.api_token,
        body: { batch: [event(), large, event()] },
      }),
    ];
    for (const answer of batchAndResults)
      expect([answer.status, answer.body]).toMatchObject([
        200,
        {
          accepted: 2,
          duplicates: 0,
          rejected: [
            {
              index: 1,
              uuid: large.uuid,
              code: 'too_large',
              detail: expect.stringContaining('an event may have at most 1048576 bytes of JSON, this one has 3000'),
            },
          ],
        },
      ]);
    expect(batchAndResults[1]?.body).toMatchObject({ results: { [large.uuid]: { result: 'drop' } } });
    expect((await eventsOf()).count).toBe(4);
  });

  it('belongs to its project alone: the same uuid elsewhere is another event', async () => {
    const one = event();
    await batch(one);
    project = await service.newProject();
    expect((await batch(one)).body).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it.each([
    ['every event refused', () => batch({ event: '' }, { event: 'x' }), 400, 'required', 'batch.0'],
    ['no token', () => capture({ batch: [event()] }), 401, 'not_authenticated', undefined],
    [
      'an unknown token',
      () => capture({ api_key: 'phc_unknown', batch: [event()] }),
      401,
      'authentication_failed',
      'api_key',
    ],
    [
      'a personal key',
      () => capture({ api_key: service.key, batch: [event()] }),
      401,
      'authentication_failed',
      undefined,
    ],
    [
      'an event over 1 MB',
      () => batch(event({ properties: { text: 'x'.repeat(1_100_000) } })),
      413,
      'too_large',
      'batch.0',
    ],
    [
      '10,001 events',
      () => batch(...Array.from({ length: 10_001 }, () => ({ event: 'a', distinct_id: 'a' }))),
      413,
      'too_large',
      undefined,
    ],
  ])('with %s is refused', async (_name, send, status, code, attr) => {
    const answer = await send();
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ code, ...(attr ? { attr } : {}) }),
    ]);
    if (attr === 'batch.0' && status === 400)
      expect(answer.body).toMatchObject({ accepted: 0, duplicates: 0, rejected: [{ index: 0 }, { index: 1 }] });
    if (status === 413 && attr)
      expect(answer.body).toMatchObject({ accepted: 0, duplicates: 0, rejected: [{ index: 0, code }] });
  });

  it.each([
    ['events', 'batch is missing; "events" is not known here'],
    ['data', 'batch is missing; "data" is not known here'],
  ])('under the name %s is refused by its name', async (name, detail) => {
    const answer = await capture({ api_key: project.api_token, [name]: [event()] });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ code: 'required', attr: 'batch', detail }),
    ]);
  });

  it.each([
    ['/batch', { 'content-encoding': 'gzip' }, 'the body is not gzip although Content-Encoding: gzip says so'],
    ['/e/?compression=gzip-js', {}, 'the body is not gzip although ?compression=gzip-js says so'],
  ])('at %s that is not the gzip it says it is', async (path, headers, detail) => {
    for (const body of ['hello', 'event=seen&distinct_id=ada']) {
      const answer = await raw(path, body, headers);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'parse_error', detail: expect.stringContaining(detail) }),
      ]);
    }
  });

  it('that cannot be read is 400, over 20 MB is 413, a gzip bomb as well', async () => {
    expect((await raw('/batch', 'not json')).status).toBe(400);
    expect((await raw('/batch', Buffer.alloc(21 * 1024 * 1024, 32))).status).toBe(413);
    const endless = new ReadableStream({
      start: (controller) => {
        for (let n = 0; n < 21; n += 1) controller.enqueue(Buffer.alloc(1024 * 1024, 32));
        controller.close();
      },
    });
    const chunked = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
    expect((await fetch(`${service.url}/batch`, chunked)).status).toBe(413);
    expect((await raw('/batch', gzipSync(Buffer.alloc(64 * 1024 * 1024, 32)))).status).toBe(413);
  });
});

describe('what is accepted with a doubt', () => {
  it('has a warning in the answer and in the list of warnings', async () => {
    const [late, shared] = [event({ timestamp: '22.11.2026' }), event({ distinct_id: 'undefined' })];
    const answer = await batch(event(), late, shared);
    const warnings = [
      { index: 1, uuid: late.uuid, type: 'ignored_invalid_timestamp', detail: expect.stringContaining('2026-01-31T') },
      { index: 2, uuid: shared.uuid, type: 'illegal_distinct_id', detail: expect.stringContaining('"undefined"') },
    ];
    expect(answer.body).toEqual({ status: 1, accepted: 3, duplicates: 0, rejected: [], warnings });
    const listed = await service.call('GET', `/api/projects/${project.id}/ingestion_warnings`);
    expect((listed.body as Page<{ type: string }>).results.map(({ type }) => type).sort()).toEqual(
      ['ignored_invalid_timestamp', 'illegal_distinct_id'].sort(),
    );
  });

  it('has at most ten warnings in the answer', async () => {
    const { body } = await batch(...Array.from({ length: 30 }, () => event({ timestamp: 'yesterday' })));
    expect((body as { warnings: unknown[] }).warnings).toHaveLength(10);
  });
});

describe('what describes a group', () => {
  const groupIdentify = (more: object = {}) => ({
    ...event(),
    event: '$groupidentify',
    distinct_id: '$company_acme',
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 5 }, ...more },
  });
  const personNames = async () => {
    const { body } = await service.call('GET', `/api/projects/${project.id}/persons`);
    return (body as Page<{ name: string }>).results.map(({ name }) => name);
  };

  it('is an event and no person', async () => {
    expect((await batch(groupIdentify(), event())).body).toMatchObject({ accepted: 2 });
    expect((await eventsOf({ event: '$groupidentify' })).results).toMatchObject([
      { distinct_id: '$company_acme', properties: { $group_set: { seats: 5 } } },
    ]);
    expect(await personNames()).toEqual(['ada']);
  });

  it('belongs to the person that its distinct id has, before or later', async () => {
    await batch(event(), { ...groupIdentify(), distinct_id: 'ada' }, groupIdentify());
    await batch(event({ distinct_id: '$company_acme' }));
    expect((await personNames()).sort()).toEqual(['$company_acme', 'ada']);
    for (const distinct_id of ['ada', '$company_acme']) {
      const [first] = (await eventsOf({ distinct_id })).results;
      expect((await eventsOf({ person_id: first?.person_id ?? 0 })).count).toBe(2);
    }
  });

  it('makes a person if it sets properties of one', async () => {
    await batch({ ...groupIdentify({ $set_once: { first: 'a' } }), distinct_id: 'bob' });
    expect(await personNames()).toEqual(['bob']);
  });
});

describe('every path and form', () => {
  it.each(['/batch', '/batch/', '/capture/', '/e/', '/i/v0/e/', '/track', '/engage'])(
    'POST %s takes one event',
    async (path) => {
      const answer = await capture({ api_key: project.api_token, ...event() }, path);
      expect([answer.status, answer.body]).toEqual([200, { status: 1, accepted: 1, duplicates: 0, rejected: [] }]);
    },
  );

  it('GET takes ?data=, a beacon gets 204 without a body', async () => {
    const data = Buffer.from(JSON.stringify({ token: project.api_token, ...event() })).toString('base64');
    expect((await service.call('GET', '/e/', { key: null, query: { data } })).body).toMatchObject({ accepted: 1 });
    const beacon = await fetch(`${service.url}/e/?beacon=1&compression=base64`, {
      method: 'POST',
      body: `data=${encodeURIComponent(Buffer.from(JSON.stringify({ token: project.api_token, ...event() })).toString('base64'))}`,
    });
    expect([beacon.status, await beacon.text()]).toEqual([204, '']);
    expect((await eventsOf()).count).toBe(2);
  });

  it('answers browsers from any origin, with credentials and the headers they ask for', async () => {
    const origin = 'https://shop.example.test';
    const preflight = await fetch(`${service.url}/e/`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-custom' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-custom');
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
    const sent = await raw('/e/', JSON.stringify({ token: project.api_token, ...event() }), { origin });
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    const closed = await fetch(`${service.url}/api/projects`, { headers: { origin } });
    expect(closed.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('what official SDKs send', () => {
  interface Recording {
    readonly scenario: string;
    readonly method: string;
    readonly path: string;
    readonly query: Record<string, string>;
    readonly headers: Record<string, string>;
    readonly decoding: string;
    readonly body: unknown;
  }
  const recordings = JSON.parse(readFileSync('test/events/recordings.json', 'utf8')) as Recording[];

  it('is accepted with 200 as recorded, every request of it', async () => {
    expect(recordings.length).toBeGreaterThan(100);
    for (const { method, path, query, headers, decoding, body, scenario } of recordings) {
      const json = JSON.stringify(body).replaceAll('phc_testkey', project.api_token);
      const packed =
        decoding === 'gzip'
          ? gzipSync(json)
          : decoding === 'none'
            ? Buffer.from(json)
            : Buffer.from(`data=${encodeURIComponent(Buffer.from(json).toString('base64'))}`);
      const parameters = new URLSearchParams(query);
      parameters.delete('beacon');
      const answer = await fetch(`${service.url}${path}?${parameters.toString()}`, { method, headers, body: packed });
      expect([scenario, path, answer.status, await answer.json()]).toEqual([
        scenario,
        path,
        200,
        expect.objectContaining({ status: 1, rejected: [] }),
      ]);
    }
  });

  it('with the token as bearer gets a result for every uuid', async () => {
    const [one, two] = [event(), { ...event(), distinct_id: '' }];
    const answer = await service.call('POST', '/i/v1/analytics/events', {
      key: project.api_token,
      body: { created_at: new Date().toISOString(), batch: [one, two] },
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({
        accepted: 1,
        results: { [one.uuid]: { result: 'ok' }, [two.uuid]: { result: 'drop', details: expect.any(String) } },
      }),
    ]);
  });

  it.each([
    ['GET', '/array/phc_x/config'],
    ['GET', '/array/phc_x/config.js'],
    ['GET', '/api/surveys/?token=phc_x'],
    ['GET', '/api/early_access_features/?token=phc_x'],
    ['GET', '/static/array.js'],
    ['GET', '/static/1.434.18/surveys.js'],
    ['POST', '/s/'],
    ['OPTIONS', '/flags/?v=2'],
  ])('at start-up, %s %s, gets a valid answer', async (method, path) => {
    const answer = await fetch(service.url + path, { method, ...(method === 'POST' ? { body: '{}' } : {}) });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    if (answer.headers.get('content-type')?.includes('json')) expect(JSON.parse(text)).toBeInstanceOf(Object);
  });

  it('as a configuration script cannot carry a script of its own', async () => {
    const text = await (
      await fetch(`${service.url}/array/${encodeURIComponent('</script><script>alert(1)')}/config.js`)
    ).text();
    expect(text).not.toContain('</script>');
  });
});

describe('reading events', () => {
  it('lists them newest first and walks by next without skipping or repeating while more arrive', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    await batch(...Array.from({ length: 25 }, (_, n) => event({ timestamp: at(n), properties: { n } })));
    const seen: unknown[] = [];
    let page = await eventsOf({ limit: 10 });
    for (;;) {
      expect(page.count).toBeGreaterThanOrEqual(25);
      seen.push(...page.results.map(({ properties }) => (properties as { n: number }).n));
      if (!page.next) break;
      await batch(event({ timestamp: at(100 + seen.length), properties: { n: -1 } }));
      page = (await service.call('GET', page.next.slice(service.url.length))).body as Page<EventDto>;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => 24 - n));
    const back = (await service.call('GET', (page.previous ?? '').slice(service.url.length))).body as Page<EventDto>;
    expect(back.results.map(({ properties }) => (properties as { n: number }).n)).toEqual([
      14, 13, 12, 11, 10, 9, 8, 7, 6, 5,
    ]);
  });

  it('filters by name, distinct id, person and time; all combine', async () => {
    await batch(
      event({ event: 'a', distinct_id: 'ada', timestamp: '2026-01-01T00:00:00Z' }),
      event({ event: 'b', distinct_id: 'ada', timestamp: '2026-01-02T00:00:00Z' }),
      event({ event: 'a', distinct_id: 'bob', timestamp: '2026-01-03T00:00:00Z' }),
    );
    const [bob] = (await eventsOf({ distinct_id: 'bob' })).results;
    expect(await eventsOf({ event: 'a' })).toMatchObject({ count: 2 });
    expect(await eventsOf({ person_id: bob?.person_id ?? 0 })).toMatchObject({
      count: 1,
      results: [{ distinct_id: 'bob' }],
    });
    expect(await eventsOf({ after: '2026-01-01T12:00:00Z', before: '2026-01-02T12:00:00Z' })).toMatchObject({
      count: 1,
    });
    expect(await eventsOf({ event: 'b', distinct_id: 'bob' })).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
    expect(await eventsOf({ person_id: randomUUID() })).toMatchObject({ count: 0 });
    expect(await eventsOf({ after: '1000-01-01T00:00:00Z' })).toMatchObject({ count: 3 });
  });

  it('walks through the last day that can be stored', async () => {
    const at = (hour: number) => `2299-12-31T${hour}:00:00.000Z`;
    const lines = [11, 12, 13].map((hour) => ({ type: 'event', ...event({ timestamp: at(hour) }) }));
    await importLines(service, project.id, lines);
    const seen: string[] = [];
    for (let page = await eventsOf({ limit: 1 }); ;) {
      seen.push(...page.results.map(({ timestamp }) => timestamp));
      if (!page.next) break;
      const answer = await service.call('GET', page.next.slice(service.url.length));
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      page = answer.body as Page<EventDto>;
    }
    expect(seen).toEqual([at(13), at(12), at(11)]);
    expect(await eventsOf({ before: at(13) })).toMatchObject({ count: 2 });
    expect(await eventsOf({ after: at(11) })).toMatchObject({ count: 2 });
  });

  it('gives an event by a uuid that no version of the standard describes', async () => {
    const uuid = '00000000-1111-ffff-0000-000000000001';
    await batch(event({ uuid }));
    const answer = await service.call('GET', `/api/projects/${project.id}/events/${uuid}`);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ uuid })]);
  });

  it('gives one event exactly as it was sent, at once', async () => {
    const sent = event({
      properties: { 'a.b': 1, nested: { list: [1, 'two', null] }, big: 12345678901, text: 'ü\u2028"' },
    });
    await batch(sent);
    const answer = await service.call('GET', `/api/projects/${project.id}/events/${sent.uuid}`);
    expect(answer.body).toMatchObject({
      uuid: sent.uuid,
      event: 'seen',
      distinct_id: 'ada',
      properties: sent.properties,
    });
    expect((await service.call('GET', `/api/projects/${project.id}/events/${randomUUID()}`)).status).toBe(404);
    const other = await service.newProject();
    expect((await service.call('GET', `/api/projects/${other.id}/events/${sent.uuid}`)).status).toBe(404);
  });

  it('counts names', async () => {
    await batch(event({ event: 'a' }), event({ event: 'b' }), event({ event: 'b' }), event({ event: '$set' }));
    const names = `/api/projects/${project.id}/events/names`;
    expect((await service.call('GET', `${names}?include_internal=true`)).body).toMatchObject({ count: 3 });
    expect((await service.call('GET', names)).body).toMatchObject({
      count: 2,
      results: [
        { name: 'b', count: 2 },
        { name: 'a', count: 1 },
      ],
    });
  });

  it.each(['cursor=nonsense', 'person_id=x', 'after=yesterday', 'event='])('refuses %s by name', async (query) => {
    const answer = await service.call('GET', `/api/projects/${project.id}/events?${query}`);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr: query.split('=')[0] })]);
  });
});

describe('merging', () => {
  it('moves past events at once, and a refusal is a warning the project can list', async () => {
    await batch(event({ event: 'before', distinct_id: 'anon' }));
    await batch({
      event: '$identify',
      distinct_id: 'ada',
      properties: { $anon_distinct_id: 'anon', $set: { email: 'ada@example.test' } },
    });
    const { results } = await eventsOf({ event: 'before' });
    const person = results[0]?.person_id ?? 0;
    expect((await eventsOf({ person_id: person })).count).toBe(2);
    await batch({ event: '$identify', distinct_id: 'bob' });
    await batch({ event: '$identify', distinct_id: 'ada', properties: { $anon_distinct_id: 'bob' } });
    expect((await eventsOf({ person_id: person })).count).toBe(3);
    expect((await service.call('GET', `/api/projects/${project.id}/ingestion_warnings`)).body).toMatchObject({
      count: 1,
      results: [{ type: 'cannot_merge_already_identified', distinct_id: 'ada' }],
    });
  });
});
