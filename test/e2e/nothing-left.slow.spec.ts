import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { requestRun } from '../../src/deletions/job/deletion-runs.repository.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { PersonsOf } from '../support/persons.js';
import { startTestService, type TestService } from '../support/service.js';
import { projectedTablesWith, tablesWith } from '../support/traces.js';
import { until } from '../support/until.js';

let service: TestService;
let people: PersonsOf;
let pool: Pool;
let token: string;
/** In the distinct ids, the e-mail address and the properties of the person, and nowhere else. */
const marker = `trace${randomUUID().replaceAll('-', '')}`;

beforeAll(async () => {
  service = await startTestService();
  pool = service.app.get(Postgres).pool;
  const { id, api_token } = await service.newProject();
  people = new PersonsOf(service, id);
  token = api_token;
});
afterAll(() => service.stop());

const inPostgres = () => tablesWith(pool, marker);
const inClickHouse = () => projectedTablesWith(service.app.get(ClickHouse), marker);

const isShipped = async () => (await pool.query('SELECT 1 FROM outbox LIMIT 1')).rowCount === 0;

const leaveTraces = async (): Promise<PersonDto[]> => {
  const ids = [`${marker}-a`, `${marker}-b`, `${marker}-c`];
  const ada = await people.make(ids, { email: `${marker}@example.test`, plan: `plan ${marker}` });
  await service.call('POST', '/batch', {
    key: null,
    body: {
      api_key: token,
      batch: [
        { event: 'seen', distinct_id: ids[0], timestamp: '2999-01-01T00:00:00Z', properties: { page: marker } },
        { event: '$create_alias', distinct_id: ids[0], properties: { alias: 'null' } },
      ],
    },
  });
  await people.call('PATCH', `persons/${ada.id}`, { body: { properties: { city: marker } } });
  await people.call('POST', 'cohorts', { body: { name: 'some', is_static: true, person_ids: [ada.id] } });
  const split = await people.call('POST', `persons/${ada.id}/split`, {
    body: { main_distinct_id: null },
    headers: { 'Idempotency-Key': 'split' },
  });
  expect(split.status).toBe(200);
  const bob = await people.make([`${marker}-d`], { email: `${marker}@other.test` });
  const merged = await people.call('POST', `persons/${ada.id}/merge`, {
    body: { persons: [bob.id] },
    headers: { 'Idempotency-Key': 'merge' },
  });
  expect(merged.status).toBe(200);
  return [ada, ...(split.body as { split_persons: PersonDto[] }).split_persons];
};

describe('a deleted person', () => {
  it('is in no row of any table once the job has run and nothing can arrive any more', async () => {
    const persons = await leaveTraces();
    await until(isShipped);
    const before = await inPostgres();
    for (const table of ['persons', 'person_distinct_ids', 'events', 'ingestion_warnings'])
      expect(before).toContain(`public.${table}`);
    expect((await inClickHouse()).length).toBeGreaterThan(1);

    const body = { distinct_ids: ['a', 'b', 'c'].map((end) => `${marker}-${end}`), delete_events: true };
    const deleted = await people.call('POST', 'persons/bulk_delete', {
      body,
      headers: { 'Idempotency-Key': 'delete' },
    });
    expect(deleted.body).toMatchObject({ deleted: persons.length });
    await service.app.get(DeletionsJob).run();
    expect((await inPostgres()).filter((table) => !table.endsWith('.deletion_request_ids'))).toEqual([]);

    // An hour later what was under way has arrived or failed, and the job looks a second time.
    await pool.query(`
      UPDATE deletion_requests SET created_at = (created_at AT TIME ZONE 'UTC' - interval '2 hours') AT TIME ZONE 'UTC', swept_at = (swept_at AT TIME ZONE 'UTC' - interval '2 hours') AT TIME ZONE 'UTC',
        verified_at = (verified_at AT TIME ZONE 'UTC' - interval '2 hours') AT TIME ZONE 'UTC'`);
    await requestRun(pool, 'second look', new Date());
    await until(
      async () => (await pool.query('SELECT 1 FROM deletion_requests WHERE settled_at IS NULL')).rowCount === 0,
    );
    await until(isShipped);
    expect(await inPostgres()).toEqual([]);
    // The uuid of a merged person follows from its distinct id.
    expect((await pool.query('SELECT 1 FROM person_redirects')).rowCount).toBe(0);
    expect(await inClickHouse()).toEqual([]);
  });
});
