import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { ArrivalsSweep } from '../../src/events/live/arrivals-sweep.js';
import { EventSealing } from '../../src/events/sealing/event-sealing.js';
import { sealProject } from '../../src/events/sealing/seal-on-walk.js';
import { EventDeletions } from '../../src/persons/event-deletions.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { fromBody } from '../../src/projection/sealed/block-body.js';
import { rebuildProjection } from '../../src/projection/rebuild/follow.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { Postgres } from '../../src/stores/postgres/postgres.js';
import { deletePersonWithEvents } from '../support/deletions.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let project: ProjectDto;
let pool: Pool;

beforeAll(async () => {
  service = await startTestService();
  pool = service.app.get(Postgres).pool;
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString();

interface Sent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties: Record<string, unknown>;
}

const sent = (minute: number, distinct_id: string, properties: Record<string, unknown> = {}, event = 'seen'): Sent => ({
  uuid: randomUUID(),
  event,
  distinct_id,
  timestamp: at(minute),
  properties,
});

const capture = async (events: readonly Sent[]) => {
  const body = { api_key: project.api_token, batch: events };
  const answer = await service.call('POST', '/batch', { key: null, body });
  expect(answer.status).toBe(200);
  return answer.body as { accepted: number; duplicates: number };
};

const path = (rest: string): string => `/api/projects/${project.id}/${rest}`;
const seal = async (): Promise<number> => {
  let events = 0;
  await sealProject(service.app.get(Postgres), project.id, (sealed) => {
    events += sealed;
  });
  return events;
};
const personOf = async (distinct_id: string): Promise<PersonDto> => {
  const { body } = await service.call('GET', path('persons'), { query: { distinct_id } });
  return (body as { results: [PersonDto] }).results[0];
};

interface Rows {
  readonly in_rows: number;
  readonly in_blocks: number;
}
const rows = async (): Promise<Rows> => {
  const found = await pool.query<Rows>(
    `SELECT count(properties)::integer AS in_rows, count(block)::integer AS in_blocks FROM events WHERE project_id = $1`,
    [project.id],
  );
  return found.rows[0] as Rows;
};
/** The uuids and properties that all blocks of the project have. */
const inBlocks = async () => {
  const found = await pool.query<{ body: Buffer }>('SELECT body FROM event_blocks WHERE project_id = $1', [project.id]);
  return (await Promise.all(found.rows.map(({ body }) => fromBody(body)))).flat();
};

/** What no compression may change: each way to read the properties of events. */
const everyAnswer = async (events: readonly Sent[], distinctIds: readonly string[]) => {
  const answers: unknown[] = [];
  const read = async (rest: string, query: Record<string, string> = {}) => {
    const { status, text } = await service.call('GET', path(rest), { query });
    expect([rest, status]).toEqual([rest, 200]);
    answers.push(text.replace(/"exported_at":"[^"]*"/, ''));
  };
  for (const { uuid } of events) await read(`events/${uuid}`);
  await read('events', { limit: '100' });
  await read('export/events');
  await read('export/events', { after: at(2), limit: '7' });
  for (const id of distinctIds) {
    const { id: person } = await personOf(id);
    await read(`persons/${person}/export`);
    await read(`persons/${person}/properties_timeline`, { date_from: '2026-01-01', date_to: '2026-01-31' });
  }
  return answers;
};

const hostile = {
  text: 'line\nbreak, "quotes", \\ and \u2028',
  emoji: '👩‍🚀',
  numbers: [0.1, -0, 1e21, 1e-7, 9007199254740991],
  nested: { a: { b: [null, true, { c: '' }] } },
  empty: {},
  '': 'empty name',
};

describe('properties in blocks', () => {
  it('are answered as before, wherever events are read', async () => {
    const events = [
      sent(1, 'ada', hostile),
      sent(2, 'ada', { $set: { plan: 'free' } }),
      sent(3, 'bob', { $set_once: { plan: 'pro' } }),
      sent(4, 'ada', { large: randomBytes(60_000).toString('base64') }),
      sent(5, 'ada', { $set: { plan: 'team' } }),
      ...Array.from({ length: 40 }, (_, n) => sent(6 + n, n % 2 ? 'ada' : 'bob', { n, page: `/products/${n}` })),
    ];
    expect(await capture(events)).toMatchObject({ accepted: 45 });
    const before = await everyAnswer(events, ['ada', 'bob']);
    expect(await rows()).toEqual({ in_rows: 45, in_blocks: 0 });
    expect(await seal()).toBe(44);
    // The large event stays.
    expect(await rows()).toEqual({ in_rows: 1, in_blocks: 44 });
    expect(await everyAnswer(events, ['ada', 'bob'])).toEqual(before);
  });

  it('are found again by a rebuild, which makes the same projection of them', async () => {
    const events = Array.from({ length: 70 }, (_, n) => sent(n % 60, `id-${n % 7}`, { n, big: 'x'.repeat(n * 10) }));
    await capture(events);
    const question = {
      query: { kind: 'HogQLQuery', query: 'SELECT uuid, properties.n, properties.big FROM events ORDER BY uuid' },
    };
    const ask = async () => {
      const answer = await service.call('POST', path('query'), { body: question });
      return (answer.body as { results: unknown[] }).results;
    };
    const before = await ask();
    expect(before.length).toBe(70);
    expect(await seal()).toBe(70);
    await rebuildProjection(service.app.get(Postgres), new Date());
    expect(await ask()).toEqual(before);
  });

  it('are no reason to accept an event twice', async () => {
    const event = sent(1, 'ada', { n: 1 });
    await capture([event]);
    await seal();
    expect(await capture([event])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await rows()).toEqual({ in_rows: 0, in_blocks: 1 });
  });

  it('tell the undoing of a merge what was set since', async () => {
    await capture([sent(1, 'ada', { $set: { plan: 'free' } }), sent(2, 'bob', { $set: { plan: 'pro', city: 'Ulm' } })]);
    const [ada, bob] = [await personOf('ada'), await personOf('bob')];
    const merged = await service.call('POST', path(`persons/${ada.id}/merge`), { body: { persons: [bob.id] } });
    expect([merged.status, merged.text]).toEqual([200, expect.any(String)]);
    await capture([sent(3, 'bob', { $set: { city: 'Bonn' } })]);
    await seal();
    const merges = await service.call('GET', path(`persons/${ada.id}/merges`));
    const [merge] = (merges.body as { results: { id: number }[] }).results;
    const undone = await service.call('POST', path(`persons/${ada.id}/merges/${merge?.id}/undo`));
    expect([undone.status, undone.text]).toEqual([200, expect.any(String)]);
    expect((await personOf('bob')).properties).toMatchObject({ plan: 'pro', city: 'Bonn' });
    expect((await personOf('ada')).properties).toMatchObject({ plan: 'free' });
  });
});

describe('the deletion of events', () => {
  it('removes them from their blocks before the receipt says that it is done', async () => {
    const events = Array.from({ length: 64 }, (_, n) => sent(n % 60, n % 2 ? 'ada' : 'bob', { secret: `of-${n % 2}` }));
    await capture(events);
    await seal();
    expect((await inBlocks()).length).toBe(64);
    await deletePersonWithEvents(service.app.get(EventDeletions), pool, project.id, 'ada');
    await service.app.get(DeletionsJob).run();
    const left = await inBlocks();
    expect(left.length).toBe(32);
    expect(left.filter(({ properties }) => properties.includes('of-1'))).toEqual([]);
    const bobs = events.filter(({ distinct_id }) => distinct_id === 'bob').map(({ uuid }) => uuid);
    expect(left.map(({ uuid }) => uuid).sort()).toEqual(bobs.sort());
    const { body } = await service.call('GET', path(`events/${bobs[0]}`));
    expect((body as { properties: object }).properties).toMatchObject({ secret: 'of-0' });
  });

  it('removes blocks that have no other events', async () => {
    await capture([sent(1, 'ada'), sent(2, 'ada')]);
    await seal();
    await deletePersonWithEvents(service.app.get(EventDeletions), pool, project.id, 'ada');
    await service.app.get(DeletionsJob).run();
    expect(await inBlocks()).toEqual([]);
  });
});

describe('events', () => {
  it('come from their arrival into blocks after some minutes, or after a day where there are few', async () => {
    await capture(Array.from({ length: 1500 }, (_, n) => sent(n % 60, `id-${n % 50}`, { n })));
    const minutesLater = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
    const sealing = service.app.get(EventSealing);
    await service.app.get(ArrivalsSweep).run(new Date());
    await sealing.seal(new Date());
    expect(await rows()).toEqual({ in_rows: 1500, in_blocks: 0 });
    await service.app.get(ArrivalsSweep).run(minutesLater(11));
    await sealing.seal(minutesLater(11));
    expect(await rows()).toEqual({ in_rows: 0, in_blocks: 1500 });
    await capture([sent(1, 'late')]);
    await service.app.get(ArrivalsSweep).run(minutesLater(22));
    await sealing.seal(minutesLater(22));
    expect(await rows()).toEqual({ in_rows: 1, in_blocks: 1500 });
    await sealing.seal(minutesLater(24 * 60 + 22));
    expect(await rows()).toEqual({ in_rows: 0, in_blocks: 1501 });
  });
});
