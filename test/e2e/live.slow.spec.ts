import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { streamLimits } from '../../src/platform/work/stream-permits.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { LiveClient, type Watched } from '../support/live.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let project: ProjectDto;
let clients: LiveClient[] = [];

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  project = await service.newProject();
});
afterEach(() => {
  for (const client of clients) client.close();
  clients = [];
});
afterAll(() => service.stop());

const watch = async (watched: Partial<Watched> = {}): Promise<LiveClient> => {
  const client = await LiveClient.open({ url: service.url, key: service.key, projectId: project.id, ...watched });
  clients.push(client);
  return client;
};

/** Acknowledged when it resolves. All events of a call are one transaction. */
const capture = async (events: readonly object[], { api_token }: ProjectDto = project): Promise<void> => {
  const body = { api_key: api_token, batch: events };
  const answer = await service.call('POST', '/batch', { key: null, body });
  expect(answer.status).toBe(200);
};

const named = (...names: string[]) => names.map((event) => ({ event, distinct_id: 'ada' }));

const path = (rest = '') => `/api/projects/${project.id}/events/live${rest}`;

describe('a live stream', () => {
  it('shows an event within a second of its acknowledgement, as the list of events shows it', async () => {
    const client = await watch();
    expect(client.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const properties = { plan: 'pro', 'Straße "1"\n': [1, null, { deep: 'ß\u2028\n\n' }] };
    await capture([{ event: 'signed\nup', distinct_id: 'ada', properties }]);
    expect(await client.until(() => client.events.length === 1)).toBeLessThan(1000);
    const [shown] = client.events;
    const { body } = await service.call('GET', `/api/projects/${project.id}/events/${shown?.uuid}`);
    expect(shown).toEqual(body);
    expect(shown).toMatchObject({ event: 'signed\nup', properties });
    expect(client.text).toMatch(/^retry: 2000\n\n: heart-beat\nid: [\w-]+\n\nid: [\w-]+\nevent: event\ndata: \{/);
  });

  it('shows events in the order of their transactions, each once, and none from before', async () => {
    await capture(named('before'));
    const client = await watch();
    for (const name of ['a', 'b', 'c']) await capture(named(name));
    await client.until(() => client.events.length >= 3);
    await sleep(700);
    expect(client.names()).toEqual(['a', 'b', 'c']);
  });

  it('shows no event that was known already', async () => {
    const [event] = named('once').map((one) => ({ ...one, uuid: uuidv7() }));
    const client = await watch();
    await capture([event ?? {}]);
    await capture([event ?? {}]);
    await capture(named('end'));
    await client.until(() => client.names().includes('end'));
    expect(client.names()).toEqual(['once', 'end']);
  });

  it('shows imported events and edits of persons too', async () => {
    const people = new PersonsOf(service, project.id);
    const client = await watch();
    const person = await people.make(['ada']);
    await people.call('PATCH', `persons/${person.id}`, { body: { properties: { plan: 'pro' } } });
    await client.until(() => client.events.length === 2);
    expect(client.names()).toEqual(['seen', '$set']);
  });

  it('filters by event, distinct id and person', async () => {
    const person = await new PersonsOf(service, project.id).make(['ada', 'ada-2']);
    const byEvent = await watch({ query: { event: 'paid' } });
    const byId = await watch({ query: { distinct_id: 'ada' } });
    const byPerson = await watch({ query: { person_id: person.uuid } });
    const byAll = await watch({ query: { person_id: person.id, event: 'paid', distinct_id: 'ada-2' } });
    const all = await watch();
    await capture([
      { event: 'seen', distinct_id: 'ada' },
      { event: 'paid', distinct_id: 'ada-2', properties: { nth: 1 } },
      { event: 'paid', distinct_id: 'bob' },
    ]);
    await capture([{ event: 'paid', distinct_id: 'ada' }]);
    const shown = ({ events }: LiveClient) => events.map(({ event, distinct_id }) => `${event} ${distinct_id}`).sort();
    await all.until(() => all.events.length === 4);
    expect(shown(byEvent)).toEqual(['paid ada', 'paid ada-2', 'paid bob']);
    expect(shown(byId)).toEqual(['paid ada', 'seen ada']);
    expect(shown(byPerson)).toEqual(['paid ada', 'paid ada-2', 'seen ada']);
    expect(shown(byAll)).toEqual(['paid ada-2']);
    expect([byEvent, byId, byPerson, byAll, all].map(({ skipped }) => skipped)).toEqual([0, 0, 0, 0, 0]);
  });

  it('shows the person into which the person of a distinct id was merged', async () => {
    const people = new PersonsOf(service, project.id);
    const [ada, other] = [await people.make(['ada']), await people.make(['device'])];
    const ofAda = await watch({ query: { person_id: ada.id } });
    const merged = await people.call('POST', `persons/${ada.id}/merge`, { body: { persons: [other.id] } });
    expect([merged.status, merged.text]).toEqual([200, expect.any(String)]);
    await capture([{ event: 'paid', distinct_id: 'device' }]);
    await ofAda.until(() => ofAda.names().includes('paid'));
    const shown = ofAda.events.find(({ event }) => event === 'paid');
    expect(shown).toMatchObject({ distinct_id: 'device', person_id: ada.id });
    expect(shown).toEqual((await people.events({ event: 'paid' }))[0]);
    const refused = await service.call('GET', path(), { query: { person_id: other.id } });
    expect(refused.body).toMatchObject({ status: 404, code: 'merged', attr: 'person_id' });
  });

  it('never shows an event of another project, whatever its cursor', async () => {
    const other = await service.newProject();
    const [client, ofOther] = [await watch(), await watch({ projectId: other.id })];
    await capture(named('ours'));
    await capture(named('theirs', 'theirs too'), other);
    await ofOther.until(() => ofOther.events.length === 2);
    await client.until(() => client.events.length === 1);
    const crossed = await watch({ query: { cursor: ofOther.messages[0]?.id ?? '' } });
    await capture(named('ours too'));
    await crossed.until(() => crossed.names().includes('ours too'));
    expect([client.names(), ofOther.names()]).toEqual([
      ['ours', 'ours too'],
      ['theirs', 'theirs too'],
    ]);
    expect(crossed.names().filter((name) => name.startsWith('theirs'))).toEqual([]);
  });

  it('shows fifty events of a burst and says how many it skips', async () => {
    const [client, filtered] = [await watch(), await watch({ query: { event: 'rare' } })];
    await capture(
      Array.from({ length: 1000 }, (_, n) => ({ event: n % 100 === 99 ? 'rare' : 'often', distinct_id: 'a' })),
    );
    await client.until(() => client.skipped > 0);
    await filtered.until(() => filtered.events.length === 10);
    expect([client.events.length, client.skipped]).toEqual([50, 950]);
    expect(client.messages.at(-1)).toMatchObject({ event: 'skipped', data: { count: 950 } });
    await sleep(1100);
    await capture(named('later'));
    await client.until(() => client.names().includes('later'));
    expect([client.events.length, client.skipped, filtered.skipped]).toEqual([51, 950, 0]);
  });
});

describe('a live stream that is resumed', () => {
  it('gets each event once, from the middle of a transaction too', async () => {
    const client = await watch();
    await capture(named('a', 'b', 'c', 'd'));
    await capture(named('e'));
    await client.until(() => client.events.length === 5);
    client.close();
    await capture(named('f'));
    const order = client.events.map(({ uuid }) => uuid);
    for (const [nth, { id }] of client.messages.entries()) {
      const resumed = await watch({ headers: { 'last-event-id': id } });
      const byCursor = await watch({ query: { cursor: id } });
      for (const again of [resumed, byCursor]) {
        await again.until(() => again.events.length === 5 - nth);
        expect(again.events.slice(0, -1).map(({ uuid }) => uuid)).toEqual(order.slice(nth + 1));
        expect([again.names().at(-1), again.skipped]).toEqual(['f', 0]);
      }
    }
  });

  it('gets what came while it was away, also when nothing had arrived before', async () => {
    const client = await watch();
    await client.until(() => client.lastId !== '');
    client.close();
    await capture(named('missed'));
    const resumed = await watch({ headers: { 'last-event-id': client.lastId } });
    await resumed.until(() => resumed.names().includes('missed'));
  });

  it('gets what was committed later by a transaction that began earlier', async () => {
    const slow = await service.pool.connect();
    try {
      await slow.query('BEGIN');
      const slowUuid = uuidv7();
      await slow.query(
        `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
         VALUES ($1, $2, 'slow', 'ada', now(), now(), '{}')`,
        [project.id, slowUuid],
      );
      await slow.query(
        `INSERT INTO arrivals (project_id, xid, uuids, size, received_at)
         VALUES ($1, pg_current_xact_id()::text::bigint, ARRAY[$2::uuid], 1, now())`,
        [project.id, slowUuid],
      );
      const client = await watch();
      await capture(named('fast'));
      await client.until(() => client.events.length === 1);
      const leaves = await watch();
      await capture(named('faster'));
      await leaves.until(() => leaves.events.length === 1);
      leaves.close();
      await slow.query('COMMIT');
      await client.until(() => client.events.length === 3);
      await capture(named('last'));
      const resumed = await watch({ headers: { 'last-event-id': leaves.lastId } });
      await Promise.all([client, resumed].map((one) => one.until(() => one.names().includes('last'))));
      expect(client.names()).toEqual(['fast', 'faster', 'slow', 'last']);
      expect(resumed.names()).toEqual(['slow', 'last']);
    } finally {
      slow.release();
    }
  });

  it('gets up to a thousand events that it has missed, and the number of the others', async () => {
    const client = await watch({ query: { limit: 1 } });
    await capture(named('first'));
    await client.until(() => client.hasEnded);
    await capture(Array.from({ length: 700 }, (_, n) => ({ event: `a${n}`, distinct_id: 'ada' })));
    await capture(Array.from({ length: 700 }, (_, n) => ({ event: `b${n}`, distinct_id: 'ada' })));
    const resumed = await watch({ query: { cursor: client.lastId } });
    await resumed.until(() => resumed.skipped > 0);
    expect([resumed.events.length, resumed.skipped]).toEqual([1000, 400]);
    expect(new Set(resumed.events.map(({ uuid }) => uuid)).size).toBe(1000);
    expect(resumed.names().filter((name) => name.startsWith('a'))).toHaveLength(700);
  });

  it('is told that events may be missing when it comes too late', async () => {
    const old = Buffer.from(`1:1:   ${Date.now() - 10 * 60_000}`).toString('base64url');
    const client = await watch({ query: { cursor: old } });
    await client.until(() => client.messages.length > 0);
    expect(client.messages[0]).toMatchObject({ event: 'skipped', data: { count: null } });
    const ofOther = Buffer.from(`900000000000:900000000000:   ${Date.now()}`).toString('base64url');
    const restored = await watch({ query: { cursor: ofOther } });
    await capture(named('new'));
    await restored.until(() => restored.events.length > 0);
    expect(restored.messages.map(({ event, data }) => (event === 'event' ? (data as EventDto).event : data))).toEqual([
      { count: null },
      'new',
    ]);
  });
});

describe('a request for a live stream', () => {
  it('ends by itself after its events or its time', async () => {
    const started = performance.now();
    const brief = await service.call('GET', path(), { query: { max_seconds: 1 } });
    expect([brief.status, brief.text]).toEqual([
      200,
      expect.stringMatching(/^retry: 2000\n\n: heart-beat\nid: [\w-]+\n\n$/),
    ]);
    expect(performance.now() - started).toBeGreaterThan(900);
    const client = await watch({ query: { limit: 2 } });
    await capture(named('a', 'b', 'c'));
    await client.until(() => client.hasEnded);
    expect([client.events.length, client.skipped]).toEqual([2, 0]);
  });

  it('is answered at once when it asks for the headers only', async () => {
    const answer = await service.call('HEAD', path());
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it.each([
    [{ cursor: 'nonsense' }, 400, 'cursor'],
    [{ limit: '0' }, 400, 'limit'],
    [{ max_seconds: '3601' }, 400, 'max_seconds'],
    [{ person_id: 'ada' }, 400, 'person_id'],
    [{ person_id: '2000000000' }, 404, null],
    [{ events: 'paid' }, 400, 'events'],
    [{ after: '2026-01-01' }, 400, 'after'],
  ] as const)('is refused: %p', async (query, status, attr) => {
    const answer = await service.call('GET', path(), { query });
    expect(answer.body).toMatchObject({ status, attr });
  });

  it('is refused with a damaged Last-Event-ID', async () => {
    const answer = await service.call('GET', path(), { headers: { 'last-event-id': 'x' } });
    expect(answer.body).toMatchObject({ status: 400, attr: 'Last-Event-ID' });
  });

  it('is refused when the caller has many streams, until one is closed', async () => {
    const { text: key } = await service.newKey({ email: `bob-${project.id}@example.test` });
    const open = await Promise.all(Array.from({ length: streamLimits.caller }, () => watch({ key })));
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await service.call('GET', path(), { key, query: { max_seconds: 1 } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
    open[0]?.close();
    await sleep(300);
    expect((await service.call('GET', path(), { key, query: { max_seconds: 1 } })).status).toBe(200);
  });
});
