import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouseServer } from '../support/clickhouse/server.mjs';
import { CohortsOf, all, where } from '../support/cohorts/cohorts-of.js';
import { FaultyLink } from '../support/faulty-link.js';
import { freshStores } from '../support/fresh-stores.js';
import { importLines, personLine } from '../support/import.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let folder: string;
let server: Awaited<ReturnType<typeof startClickHouseServer>>;
let link: FaultyLink;
let database: Awaited<ReturnType<typeof freshStores>>;
let service: TestService;

const start = (): Promise<TestService> =>
  startTestService({ DATABASE_URL: database.databaseUrl.href, CLICKHOUSE_URL: new URL('/flags', link.url).href });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-flags-'));
  server = await startClickHouseServer({ path: folder });
  link = await FaultyLink.to(server.url);
  database = await freshStores();
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await link.close();
  await server.close();
  await database.remove();
  await rm(folder, { recursive: true, force: true });
});

const valuesOf = async (token: string, distinctId: string): Promise<unknown> => {
  const body = JSON.stringify({ token, distinct_id: distinctId });
  const answer = await fetch(`${service.url}/flags?v=2`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { featureFlags: unknown }).featureFlags;
};

describe('a flag', () => {
  it('is right directly after a restart, and needs no ClickHouse', async () => {
    const project = await service.newProject();
    const of = new CohortsOf(service, project.id);
    await importLines(service, project.id, [personLine('ada', { plan: 'pro' }), personLine('bob', { plan: 'free' })]);
    const { id } = await of.create({ filters: all(where('plan', 'pro')) });
    const filters = { groups: [{ properties: [{ type: 'cohort', key: 'id', value: id }] }] };
    await of.call('POST', 'feature_flags', { body: { key: 'pros', filters } });
    await service.stop();
    service = await start();
    await link.set('refusing');
    expect(await valuesOf(project.api_token, 'ada')).toEqual({ pros: true });
    expect(await valuesOf(project.api_token, 'bob')).toEqual({ pros: false });
    expect(await valuesOf(project.api_token, 'nobody')).toEqual({ pros: false });
    // A flag that is made now counts, too.
    const everyone = { key: 'everyone', filters: { groups: [{ properties: [] }] } };
    expect((await new CohortsOf(service, project.id).call('POST', 'feature_flags', { body: everyone })).status).toBe(
      201,
    );
    await until(async () => 'everyone' in ((await valuesOf(project.api_token, 'ada')) as object));
    expect(await valuesOf(project.api_token, 'bob')).toEqual({ pros: false, everyone: true });
  });
});
