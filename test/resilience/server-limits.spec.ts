import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { sql } from '../../src/platform/clickhouse/sql.js';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import { Scene } from '../support/projection-scene.js';
import { startTestService, type TestService } from '../support/service.js';

/** A ClickHouse server takes 1,000 parameters of 131,072 characters and statements of 262,144. */
let folder: string;
let server: ClickHouseServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-limits-'));
  server = await startClickHouseServer({ path: folder });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the projection on a ClickHouse server', () => {
  let scene: Scene;
  let project: number;

  beforeAll(async () => {
    const fresh = await freshStores();
    scene = await Scene.at({ ...fresh.env, CLICKHOUSE_URL: new URL('/projection', server.url).href }, () =>
      fresh.remove(),
    );
    project = await scene.newProject();
  });
  afterAll(() => scene.close());

  it('removes ten thousand events at once', async () => {
    const uuids = await scene.addEvents(
      project,
      Array.from({ length: 10_001 }, () => ({})),
    );
    await scene.shipAll();
    const [kept = '', ...removed] = uuids;
    await scene.write(async (client) => {
      await client.query('DELETE FROM events WHERE project_id = $1 AND uuid <> $2', [project, kept]);
      await scene.tell(client, project, { kind: 'removed_events', refs: removed });
    });
    await scene.shipAll();
    expect([...(await scene.actors(project)).keys()]).toEqual([kept]);
  });

  it('removes thousands of members of as many static cohorts, and only those', async () => {
    const members = Array.from({ length: 4_000 }, (_, at) => ({ cohort_id: at + 1, actor: 100 + at }));
    const rows = members.map((member) => ({ project_id: project, version: 1, ...member }));
    await scene.clickhouse.insert('cohort_members', [
      ...rows,
      { project_id: project, version: 1, cohort_id: 1, actor: 101 },
    ]);
    const refs = members.map(({ cohort_id: cohort, actor }) => `${cohort}:${actor}`);
    await scene.write((client) => scene.tell(client, project, { kind: 'static_cohorts', refs }));
    await scene.shipAll();
    const left = sql`SELECT cohort_id, toInt32(actor) AS actor FROM cohort_members`;
    expect(await scene.clickhouse.query(left, { project: 'system' })).toEqual([{ cohort_id: 1, actor: 101 }]);
  });
});

describe('the service on a ClickHouse server', () => {
  let service: TestService;
  let api: string;

  const capture = async (batch: readonly object[]) => {
    const body = { api_key: service.project.api_token, batch };
    const answer = await fetch(`${service.url}/batch`, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  };
  const count = async (event: string): Promise<number> => {
    const query = { include: 'insight', events: JSON.stringify([{ id: event }]) };
    const { body } = await service.call('GET', `${api}/persons/trends`, { query });
    return (body as { insight: { series: [{ count: number }] } }).insight.series[0].count;
  };
  const emails = Array.from({ length: 8_000 }, (_, at) => `person-${at}@some-longer-domain.example.test`);

  beforeAll(async () => {
    service = await startTestService({ CLICKHOUSE_URL: new URL('/service', server.url).href });
    api = `/api/projects/${service.project.id}`;
    const urls = Array.from({ length: 300 }, (_, at) => ({
      event: 'page',
      distinct_id: `visitor ${at}`,
      properties: { $process_person_profile: false, url: `https://kohort.test/${'x'.repeat(680)}/${at}` },
    }));
    const anonymous = Array.from({ length: 1_200 }, (_, at) => ({
      event: 'seen',
      distinct_id: `nobody ${at}`,
      properties: { $process_person_profile: false },
    }));
    const people = [3, 4_999].map((at) => ({
      event: 'paid',
      distinct_id: `p${at}`,
      properties: { $set: { email: emails[at] } },
    }));
    await capture([...urls, ...anonymous, ...people]);
  });
  afterAll(() => service.stop());

  it('lists a page and a CSV of more than a thousand actors without a profile', async () => {
    const query = { events: JSON.stringify([{ id: 'seen' }]), limit: 1_000 };
    const page = await service.call('GET', `${api}/persons/trends`, { query });
    expect(page.status).toBe(200);
    expect((page.body as { results: object[] }).results).toHaveLength(1_000);
    const csv = await service.call('GET', `${api}/persons/trends`, { query: { ...query, format: 'csv' } });
    expect(csv.status).toBe(200);
  });

  it('compares with thousands of values, and breaks down by long ones', async () => {
    const properties = [{ key: 'email', type: 'person', operator: 'exact', value: emails.slice(0, 5_000) }];
    const paid = { events: [{ id: 'paid' }, { id: 'never' }], properties, funnel_step: 1 };
    const filtered = await service.call('POST', `${api}/persons/funnel`, { body: paid });
    expect(filtered).toMatchObject({ status: 200, body: { count: 2 } });
    const query = {
      include: 'insight',
      events: JSON.stringify([{ id: 'page' }]),
      breakdown: 'url',
      breakdown_limit: 300,
    };
    const { status, body } = await service.call('GET', `${api}/persons/trends`, { query });
    expect(status).toBe(200);
    expect((body as { insight: { series: object[] } }).insight.series).toHaveLength(300);
  });

  it('fills a static cohort from thousands of e-mails, and calculates a dynamic one with as many', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: 'Up', is_static: 'true' })) form.set(name, value);
    form.set('csv', new Blob([`email\n${emails.join('\n')}\n`], { type: 'text/csv' }), 'members.csv');
    const headers = { authorization: `Bearer ${service.key}` };
    const uploaded = await fetch(`${service.url}${api}/cohorts`, { method: 'POST', headers, body: form });
    expect(uploaded.status).toBe(201);
    const filters = {
      properties: {
        type: 'AND',
        values: [{ key: 'email', type: 'person', operator: 'exact', value: emails.slice(0, 5_000) }],
      },
    };
    const made = await service.call('POST', `${api}/cohorts`, { body: { name: 'Mail', filters } });
    const ids = [((await uploaded.json()) as { id: number }).id, (made.body as { id: number }).id];
    for (const id of ids) {
      const cohort = async () =>
        (await service.call('GET', `${api}/cohorts/${id}`)).body as { is_calculating: boolean };
      for (let look = 0; look < 150 && (await cohort()).is_calculating; look += 1) await sleep(200);
      expect(await cohort()).toMatchObject({ is_calculating: false, count: 2, errors_calculating: 0 });
    }
  });

  it('deletes six thousand events of a person, and counts new ones at once', async () => {
    const events = Array.from({ length: 6_000 }, () => ({
      event: 'bulk',
      distinct_id: 'ada',
      uuid: randomUUID(),
      properties: { $set: { a: 1 } },
    }));
    for (let from = 0; from < events.length; from += 2_000) await capture(events.slice(from, from + 2_000));
    expect(await count('bulk')).toBe(6_000);
    const found = await service.call('GET', `${api}/persons`, { query: { distinct_id: 'ada' } });
    const [person] = (found.body as { results: { uuid: string }[] }).results;
    await service.call('DELETE', `${api}/persons/${person?.uuid}`, { query: { delete_events: 'true' } });
    await service.app.get(DeletionsJob).run();
    await capture([{ event: 'bulk', distinct_id: 'grace' }]);
    expect(await count('bulk')).toBe(1);
  });
});
