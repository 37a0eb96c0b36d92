import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { connect, type Socket } from 'node:net';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import {
  exported,
  exportedLines,
  importBytes,
  linesOf,
  readParquet,
  type Kind,
  type Line,
} from '../support/exports.js';
import { importLines, personLine } from '../support/import.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { until } from '../support/until.js';

let service: ServiceHandle;
let project: ProjectDto;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const event = (n: number, more: object = {}) => ({
  type: 'event',
  event: 'paid',
  distinct_id: `p${n % 7}`,
  timestamp: new Date(Date.UTC(2024, 0, 1) + ((n * 7919) % 100_000) * 1000).toISOString(),
  uuid: uuid(n),
  properties: { n },
  ...more,
});

const load = (...lines: object[]) => importLines(service, project.id, lines);
const lines = (kind: Kind, query = {}) => exportedLines(service, project.id, kind, query);
const path = (rest: string) => `/api/projects/${project.id}/${rest}`;

const cells = (csv: Buffer): string[][] => parse(csv);

describe('exported events', () => {
  it('are lines that an import takes, with their properties as they are stored', async () => {
    await load(
      personLine(['ada', 'ada-2'], { plan: 'pro' }, { created_at: '2024-01-01T00:00:00Z', is_identified: true }),
      event(1, { distinct_id: 'ada-2', properties: { a: null, list: [1, { b: '"\n' }] } }),
    );
    const answer = await exported(service, project.id, 'events');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="events.ndjson"');
    expect(linesOf(answer.bytes)).toEqual([
      {
        type: 'event',
        uuid: uuid(1),
        event: 'paid',
        distinct_id: 'ada-2',
        timestamp: event(1).timestamp,
        changes_persons: false,
        properties: { a: null, list: [1, { b: '"\n' }] },
      },
    ]);
    const [person] = await lines('persons');
    expect(person).toEqual({
      type: 'person',
      id: expect.any(Number),
      uuid: expect.any(String),
      distinct_ids: ['ada', 'ada-2'],
      created_at: '2024-01-01T00:00:00.000Z',
      is_identified: true,
      properties: { plan: 'pro' },
    });
  });

  it('must say of an import truly whether they change persons', async () => {
    const answer = await fetch(service.url + path('import'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(event(1, { changes_persons: 'no' })),
    });
    expect(await answer.json()).toMatchObject({
      events: 0,
      rejected: [{ line: 1, code: 'invalid_input', detail: 'changes_persons must be true or false' }],
    });
  });

  it('are those between two times, which are not included themselves', async () => {
    const at = (n: number, timestamp: string) => event(n, { timestamp });
    await load(
      at(1, '2024-01-01T00:00:00.000Z'),
      at(2, '2024-01-01T00:00:00.001Z'),
      at(3, '2024-01-01T12:00:00.000Z'),
      at(4, '2024-01-01T23:59:59.999Z'),
      at(5, '2024-01-02T00:00:00.000Z'),
    );
    const range = { after: '2024-01-01T00:00:00Z', before: '2024-01-02T00:00:00Z' };
    expect((await lines('events', range)).map((line) => line.uuid)).toEqual([uuid(2), uuid(3), uuid(4)]);
    expect((await lines('events', { after: range.before })).length).toBe(0);
    expect((await lines('events', { after: '-1h' })).length).toBe(0);
    expect((await lines('events', { after: '2024-01-01', before: '-1h' })).length).toBe(4);
    expect((await lines('events', { before: range.after, after: '1800-01-01T00:00:00Z' })).length).toBe(0);
    const csv = cells((await exported(service, project.id, 'events', { ...range, format: 'csv' })).bytes);
    expect(csv.map(([id]) => id)).toEqual(['uuid', uuid(2), uuid(3), uuid(4)]);
    const listed = await service.call('GET', path('events'), { query: range });
    expect((listed.body as { count: number }).count).toBe(3);
    const recent = await service.call('GET', path('events'), { query: { after: '-1h' } });
    expect((recent.body as { count: number }).count).toBe(0);
  });

  it('are each there once when a client continues after a cut connection, in every format', async () => {
    const text = 'x'.repeat(400);
    await load(...Array.from({ length: 3000 }, (_, n) => event(n, { properties: { n, text } })));
    const all = Array.from({ length: 3000 }, (_, n) => uuid(n));
    expect((await lines('events')).map((line) => line.uuid)).toEqual(all);
    for (const format of ['ndjson', 'csv'] as const) {
      const got: string[] = [];
      for (let cursor: string | undefined, cuts = 0; cuts < 20; cuts += 1) {
        const complete = await cutOff(
          path(`export/events?format=${format}${cursor ? `&cursor=${cursor}` : ''}`),
          200_000,
        );
        const ids = [...complete.text.matchAll(/^(?:\{"type":"event","uuid":)?"([0-9a-f-]{36})".*\n/gm)].map(
          ([, id]) => id ?? '',
        );
        got.push(...ids);
        if (complete.isWhole) break;
        cursor = ids.at(-1) ?? cursor;
      }
      expect(got.length).toBe(3000);
      expect([...got].sort()).toEqual(all);
    }
  });

  it('have the person to whom they belong now in CSV, after merges and splits', async () => {
    await load(
      personLine('ada', {}),
      personLine(['ben', 'ben-2'], {}),
      event(1, { distinct_id: 'ada' }),
      event(2, { distinct_id: 'ben' }),
      event(3, { distinct_id: 'ben-2' }),
      event(4, { distinct_id: 'none', changes_persons: false }),
    );
    const of = new PersonsOf(service, project.id);
    const [ada, ben] = [await of.ofDistinctId('ada'), await of.ofDistinctId('ben')];
    await of.call('POST', `persons/${ben.id}/split`, { body: { distinct_ids_to_split: ['ben-2'] } });
    await of.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: ['ben'] } });
    const other = await of.ofDistinctId('ben-2');
    const csv = cells((await exported(service, project.id, 'events', { format: 'csv' })).bytes);
    expect(csv[0]).toEqual(['uuid', 'event', 'distinct_id', 'person_id', 'timestamp', 'received_at', 'properties']);
    const owners = Object.fromEntries(csv.slice(1).map(([, , distinctId = '', person = '']) => [distinctId, person]));
    expect(owners).toEqual({ ada: String(ada.id), ben: String(ada.id), 'ben-2': String(other.id), none: '' });
  });

  it('are files of Parquet, one after the other', async () => {
    await load(...Array.from({ length: 25 }, (_, n) => event(n, { properties: { n, s: 'ü' } })));
    const rows: Record<string, unknown>[] = [];
    let next: string | null = path('export/events?format=parquet&limit=10');
    for (let files = 0; next !== null && files < 5; files += 1) {
      const answer: Response = await fetch(new URL(next, service.url), {
        headers: { authorization: `Bearer ${service.key}` },
      });
      expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet');
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
      rows.push(...(await readParquet(bytes)));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(rows.map((row) => row.uuid).sort()).toEqual(Array.from({ length: 25 }, (_, n) => uuid(n)));
    expect(rows.find((row) => row.uuid === uuid(3))).toMatchObject({
      event: 'paid',
      distinct_id: 'p3',
      timestamp: event(3).timestamp,
      properties: '{"n":3,"s":"ü"}',
    });
  });

  it('have lists, objects and keys with dots in their tables as they were sent', async () => {
    const properties = {
      'a.b': 1,
      '50%': 2,
      'a%2Eb': 3,
      list: [1, { x: 'ü' }],
      inner: { y: [] },
      text: '{"',
      at: ':"[',
    };
    await load(
      personLine('ada', properties),
      personLine('ben', { plan: 'pro' }),
      event(1, { distinct_id: 'ada', properties }),
    );
    for (const [kind, expected] of [
      ['events', [properties]],
      ['persons', [properties, { plan: 'pro' }]],
    ] as const) {
      const csv = cells((await exported(service, project.id, kind, { format: 'csv' })).bytes).slice(1);
      const parquet = await readParquet((await exported(service, project.id, kind, { format: 'parquet' })).bytes);
      expect(csv.map((row) => JSON.parse(row.at(-1) ?? '') as unknown)).toEqual(expected);
      expect(parquet.map((row) => JSON.parse(String(row.properties)) as unknown)).toEqual(expected);
    }
  });

  it('of none are an empty file with its columns', async () => {
    expect((await exported(service, project.id, 'events')).bytes.length).toBe(0);
    for (const kind of ['events', 'persons'] as const) {
      const csv = await exported(service, project.id, kind, { format: 'csv' });
      expect([csv.status, cells(csv.bytes).length]).toEqual([200, 1]);
      const parquet = await exported(service, project.id, kind, { format: 'parquet' });
      expect([parquet.status, await readParquet(parquet.bytes)]).toEqual([200, []]);
    }
  });

  it('are not those of another project, whose uuid is no cursor either', async () => {
    await load(event(1));
    const own = project;
    project = await service.newProject();
    await load(event(2));
    expect((await exportedLines(service, own.id, 'events')).map((line) => line.uuid)).toEqual([uuid(1)]);
    const details = await Promise.all(
      [uuid(2), uuid(3)].map(async (cursor) => {
        const query = { format: 'csv', cursor };
        const { status, body } = await service.call('GET', `/api/projects/${own.id}/export/events`, { query });
        return [status, (body as { detail: string }).detail.replace(cursor, '…')];
      }),
    );
    expect(details[0]).toEqual([
      400,
      'there is no event …, it may have been deleted: send the uuid of the event before it',
    ]);
    expect(details[1]).toEqual(details[0]);
  });

  it('name the field of a fault', async () => {
    for (const [kind, query] of [
      ['events', { cursor: '17' }],
      ['persons', { cursor: uuid(1) }],
      ['events', { format: 'xml' }],
      ['events', { after: 'yesterday' }],
      ['persons', { before: '2024' + '-13-01' }],
      ['events', { limit: '0' }],
    ] as const) {
      const { status, body } = await service.call('GET', path(`export/${kind}`), { query });
      expect([status, (body as { attr: string }).attr]).toEqual([400, Object.keys(query)[0]]);
    }
  });

  it('need the scope of events, and persons that of persons', async () => {
    const [events, persons] = await Promise.all([
      service.newKey({ scopes: ['event:read'] }),
      service.newKey({ scopes: ['person:read'] }),
    ]);
    const status = async (rest: string, key: string) => (await service.call('GET', path(rest), { key })).status;
    expect(await status('export/events', events.text)).toBe(200);
    expect(await status('export/events', persons.text)).toBe(403);
    expect(await status('export/persons', persons.text)).toBe(200);
    expect(await status('export/persons', events.text)).toBe(403);
    for (const key of [events, persons]) expect(await status('persons/1/export', key.text)).toBe(403);
  });

  it('leave an entry in the activity log', async () => {
    await load(event(1));
    for (const format of ['ndjson', 'csv', 'parquet']) await exported(service, project.id, 'events', { format });
    const entries = () => new PersonsOf(service, project.id).activity('activity', { scope: 'Export' });
    for (let n = 0; n < 50 && (await entries()).length < 3; n += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const after = (await entries()).map(({ item_id, detail }) => [item_id, detail.changes[0]?.after]);
    expect(after.map((entry) => JSON.stringify(entry)).sort()).toEqual(
      ['csv', 'ndjson', 'parquet'].map((format) => JSON.stringify(['export/events', { format, complete: true }])),
    );
  });

  it('take constant memory, also for a client that does not read, whose place is soon free', async () => {
    // 200 MB of lines, which only PostgreSQL needs to have.
    await service.pool.query(
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
       SELECT $1, gen_random_uuid(), 'paid', 'p' || n, now(), now(), jsonb_build_object('text', repeat(md5(n::text), 640))
       FROM generate_series(1, 10000) AS n`,
      [project.id],
    );
    await exported(service, project.id, 'events', { limit: 200 });
    const before = await residentBytes();
    let highest = before;
    const look = async () => {
      highest = Math.max(highest, await residentBytes());
    };
    let bytes = 0;
    const answer = await request('export/events');
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      if (Math.floor(bytes / 20_000_000) < Math.floor((bytes += chunk.length) / 20_000_000)) await look();
    }
    expect(bytes).toBeGreaterThan(200_000_000);
    const stalled = [path('export/events'), path('export/events')].map(stall);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await look();
    expect(highest - before).toBeLessThan(96 * 1024 ** 2);
    // Background work has a transaction for a moment, a stalled export for as long as it has its place.
    await until(
      async () => {
        const { rows } = await service.pool.query<{ n: number }>(
          `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()`,
        );
        return rows[0]?.n === 0;
      },
      { withinMs: 5_000 },
    );
    // Both still have their places.
    const refused = await service.call('GET', path('export/events'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
    for (const socket of stalled) socket.destroy();
    const isFree = async () => (await exported(service, project.id, 'events', { limit: 1 })).status === 200;
    for (let n = 0; n < 100 && !(await isFree()); n += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await isFree()).toBe(true);
    await service.pool.query('DELETE FROM events WHERE project_id = $1', [project.id]);
  });

  it('beyond the budget of a read are written one by one, and all of them come back', async () => {
    const text = 'y'.repeat(900_000);
    const numbers = Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`k${n}`, n % 2 ? 1e300 : n]));
    await load(
      event(1),
      event(2, { properties: { text } }),
      event(3, { properties: numbers }),
      event(4),
      event(5, { properties: { text } }),
    );
    const { bytes } = await exported(service, project.id, 'events');
    const before = linesOf(bytes);
    expect(before.map((line) => line.uuid)).toEqual([1, 2, 3, 4, 5].map(uuid));
    const copy = await service.newProject();
    await importBytes(service, copy.id, bytes);
    expect(await exportedLines(service, copy.id, 'events')).toEqual(before);
    const csv = await exported(service, project.id, 'events', { format: 'csv' });
    expect(csv.bytes.toString().split('\n').length).toBe(7);
  });
});

describe('exported persons', () => {
  const everyId = (from: readonly Line[]) => from.flatMap(({ distinct_ids }) => distinct_ids);

  it('have all their distinct ids and properties, in lines that an import takes', async () => {
    const ids = Array.from({ length: 2500 }, (_, n) => `many-${n}`);
    const properties = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`${prefix}${n}`, { n: [n] }]));
    await load(personLine('ada', { plan: 'pro' }, { created_at: '2024-01-01T00:00:00Z' }));
    for (let from = 0; from < 2500; from += 500)
      await load(personLine(['many-0', ...ids.slice(from, from + 500)], { m: 1 }));
    for (const prefix of ['a', 'b']) {
      const entries = Object.entries(properties(prefix));
      for (let from = 0; from < 6000; from += 2000)
        await load(personLine('large', Object.fromEntries(entries.slice(from, from + 2000))));
    }
    const { bytes } = await exported(service, project.id, 'persons');
    const before = linesOf(bytes);
    expect(before.filter(({ id }) => id !== undefined).map(({ distinct_ids }) => distinct_ids[0])).toEqual([
      'ada',
      'many-0',
      'large',
    ]);
    expect(new Set(everyId(before))).toEqual(new Set(['ada', 'large', ...ids]));
    const copy = await service.newProject();
    await importBytes(service, copy.id, bytes);
    const [from, to] = [new PersonsOf(service, project.id), new PersonsOf(service, copy.id)];
    for (const id of ['large', 'many-0', 'many-2499']) {
      const [left, right] = await Promise.all(
        [from, to].map(async (of) => {
          const { body } = await of.call('GET', 'persons', { query: { distinct_id: id } });
          const [person] = (body as { results: { properties: object; distinct_id_count: number }[] }).results;
          return { properties: person?.properties, count: person?.distinct_id_count };
        }),
      );
      expect(right).toEqual(left);
    }
  });

  it('continue after an id, and are those created between two times', async () => {
    await load(
      ...Array.from({ length: 1500 }, (_, n) =>
        personLine(`p${n}`, { n }, { created_at: new Date(n * 1000).toISOString() }),
      ),
    );
    const all = await lines('persons');
    expect(all.map(({ properties }) => properties.n)).toEqual(Array.from({ length: 1500 }, (_, n) => n));
    for (const format of ['ndjson', 'csv'] as const) {
      const cursor = all[700]?.id ?? 0;
      const { bytes } = await exported(service, project.id, 'persons', { format, cursor });
      const ids = format === 'csv' ? cells(bytes).map(([id]) => Number(id)) : linesOf(bytes).map(({ id }) => id);
      expect(ids).toEqual(all.slice(701).map(({ id }) => id));
      const range = { after: new Date(10_000).toISOString(), before: new Date(20_000).toISOString() };
      const some = (await exported(service, project.id, 'persons', { format, ...range })).bytes;
      expect(format === 'csv' ? cells(some).length - 1 : linesOf(some).length).toBe(9);
    }
  });

  it('are the same in Parquet, read by ClickHouse', async () => {
    await load(
      personLine(['ada', 'ada-2'], { plan: 'pro' }, { created_at: '2024-01-01T00:00:00Z', is_identified: true }),
    );
    const { bytes } = await exported(service, project.id, 'persons', { format: 'parquet' });
    const [person] = await lines('persons');
    expect(await readParquet(bytes)).toEqual([
      {
        id: person?.id,
        uuid: person?.uuid,
        created_at: '2024-01-01T00:00:00.000Z',
        is_identified: true,
        distinct_ids: ['ada', 'ada-2'],
        properties: '{"plan":"pro"}',
      },
    ]);
  });
});

describe('the document of a person', () => {
  it('has everything that is kept: events, distinct ids, merges, cohorts and activity', async () => {
    await load(
      personLine('ada', { plan: 'pro' }, { created_at: '2024-01-01T00:00:00Z' }),
      personLine('ada-old', { city: 'Bern' }),
      event(1, { distinct_id: 'ada', timestamp: '2024-01-02T00:00:00Z' }),
      event(2, { distinct_id: 'ada-old', timestamp: '2024-01-01T00:00:00Z' }),
      event(3, { distinct_id: 'ben' }),
    );
    const of = new PersonsOf(service, project.id);
    const [ada, old] = [await of.ofDistinctId('ada'), await of.ofDistinctId('ada-old')];
    await of.call('PATCH', `persons/${old.id}`, { body: { properties: { city: 'Basel' } } });
    await of.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: ['ada-old'] } });
    const cohort = (
      await of.call('POST', 'cohorts', { body: { name: 'Friends', is_static: true, person_ids: [ada.id] } })
    ).body as { id: number };
    for (let n = 0; n < 200; n += 1) {
      const { body } = await of.call('GET', `cohorts/${cohort.id}`);
      if (!(body as { is_calculating: boolean }).is_calculating) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const answer = await of.call('GET', `persons/${ada.id}/export`);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="person-${ada.id}.json"`);
    const document = answer.body as Record<string, Record<string, unknown>[]>;
    expect(document).toMatchObject({
      person: { id: ada.id, uuid: ada.uuid, properties: { plan: 'pro', city: 'Basel' } },
      distinct_ids: ['ada', 'ada-old'],
      merged: [{ id: old.id, uuid: old.uuid }],
      cohorts: [{ id: cohort.id, name: 'Friends', is_static: true }],
    });
    expect(document.events?.map((one) => one.event)).toEqual(['paid', 'paid', '$set']);
    expect(document.events?.slice(0, 2).map((one) => one.uuid)).toEqual([uuid(2), uuid(1)]);
    expect(document.activity?.map((entry) => entry.item_id)).toContain(String(old.id));
    expect(document.activity?.map((entry) => entry.item_id)).toContain(String(ada.id));
    const merged = await of.call('GET', `persons/${old.id}/export`);
    expect([merged.status, (merged.body as { code: string }).code]).toEqual([404, 'merged']);
  });

  it('is JSON for a person with nothing else, and for one with very many events', async () => {
    await load(
      personLine('ada', {}),
      ...Array.from({ length: 3500 }, (_, n) =>
        event(n, { distinct_id: 'ben', properties: { text: 'x\n'.repeat(500) } }),
      ),
    );
    const of = new PersonsOf(service, project.id);
    const { body } = await of.call('GET', 'persons', { query: { distinct_id: 'ada' } });
    const [ada] = (body as { results: { id: number }[] }).results;
    const small = (await of.call('GET', `persons/${ada?.id}/export`)).body;
    expect(small).toMatchObject({ merged: [], cohorts: [], activity: [], events: [] });
    const ben = await of.ofDistinctId('ben');
    const { events } = (await of.call('GET', `persons/${ben.id}/export`)).body as { events: Line[] };
    expect(new Set(events.map((one) => one.uuid)).size).toBe(3500);
  });

  it('holds no transaction while a client does not read', async () => {
    const of = new PersonsOf(service, project.id);
    await load(event(1, { distinct_id: 'ada' }));
    const ada = await of.ofDistinctId('ada');
    await service.pool.query(
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
       SELECT $1, gen_random_uuid(), 'paid', 'ada', now(), now(), jsonb_build_object('text', repeat(md5(n::text), 640))
       FROM generate_series(1, 2000) AS n`,
      [project.id],
    );
    const stalled = stall(path(`persons/${ada.id}/export`));
    await new Promise((resolve) => stalled.once('readable', resolve));
    const { rows } = await service.pool.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()
         AND state LIKE 'idle in transaction%' AND datname = current_database()`,
    );
    expect(rows[0]?.n).toBe(0);
    stalled.destroy();
    const { events } = (await of.call('GET', `persons/${ada.id}/export`)).body as { events: Line[] };
    expect(events.length).toBe(2001);
    await service.pool.query('DELETE FROM events WHERE project_id = $1', [project.id]);
  });
});

/** Reads so many bytes at most, then cuts the connection; returns the complete lines. */
const cutOff = async (url: string, most: number): Promise<{ text: string; isWhole: boolean }> => {
  const cut = new AbortController();
  const answer = await fetch(service.url + url, {
    headers: { authorization: `Bearer ${service.key}`, 'accept-encoding': 'identity' },
    signal: cut.signal,
  });
  expect(answer.status).toBe(200);
  let bytes = Buffer.alloc(0);
  let isWhole = false;
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      isWhole = true;
      break;
    }
    bytes = Buffer.concat([bytes, value]);
    if (bytes.length > most) break;
  }
  const kept = isWhole ? bytes : bytes.subarray(0, most);
  if (!isWhole) cut.abort();
  return { text: kept.subarray(0, kept.lastIndexOf(10) + 1).toString('utf8'), isWhole };
};

const request = (rest: string): Promise<Response> =>
  fetch(service.url + path(rest), {
    headers: { authorization: `Bearer ${service.key}`, 'accept-encoding': 'identity' },
  });

const residentBytes = async (): Promise<number> => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
};

/** Sends a request and reads nothing of the answer. */
const stall = (url: string): Socket => {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
  return socket.pause();
};
