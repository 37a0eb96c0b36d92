import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Pool } from 'pg';
import { maxKeysPerUser } from '../../src/auth/keys/key-cap.js';
import { maxActions } from '../../src/actions/actions.service.js';
import { maxLiveCohorts } from '../../src/cohorts/record/cohorts.repository.js';
import { maxProjects } from '../../src/projects/projects.service.js';
import { maxDashboards } from '../../src/saved/dashboards/dashboards.service.js';
import { maxInsights } from '../../src/saved/insights/insights.service.js';
import { startTestService, type Answer, type TestService } from '../support/service.js';

let service: TestService;
let pool: Pool;

beforeAll(async () => {
  service = await startTestService();
  pool = service.pool;
});
afterAll(() => service.stop());

/** Ten requests at once where there is room for two. */
const statusesOfTen = async (call: (n: number) => Promise<Answer>): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => call(n)));
  for (const { status, body } of answers)
    if (status >= 400) expect(body).toMatchObject({ code: 'conflict', detail: expect.stringMatching(/\d/) });
  return answers.map(({ status }) => status).sort();
};
const twoMade = [201, 201, ...Array<number>(8).fill(409)];

const countOf = async (statement: string): Promise<number> =>
  Number((await pool.query<{ count: string }>(statement)).rows[0]?.count);

describe('keys of a user', () => {
  it('are capped, also when many are made at once', async () => {
    const { text, id } = await service.newKey({ email: 'mint@example.test' });
    await pool.query(
      `INSERT INTO personal_api_keys (id, user_id, label, digest, mask_value, scopes, created_at)
       SELECT gen_random_uuid(), user_id, 'filler', sha256(('filler' || n)::bytea), 'phx_…', scopes, created_at
       FROM personal_api_keys, generate_series(1, $2) n WHERE id = $1`,
      [id, maxKeysPerUser - 3],
    );
    const statuses = await statusesOfTen((n) =>
      service.call('POST', '/api/personal_api_keys', { key: text, body: { label: `k${n}`, scopes: ['person:read'] } }),
    );
    expect(statuses).toEqual(twoMade);
    const other = await service.call('POST', '/api/personal_api_keys', { body: { label: 'k', scopes: ['*'] } });
    expect(other.status).toBe(201);
  });

  it('have room again after one is revoked', async () => {
    const { text, id } = await service.newKey({ email: 'full@example.test' });
    await pool.query(
      `INSERT INTO personal_api_keys (id, user_id, label, digest, mask_value, scopes, created_at)
       SELECT gen_random_uuid(), user_id, 'filler', sha256(('full' || n)::bytea), 'phx_…', scopes, created_at
       FROM personal_api_keys, generate_series(1, $2) n WHERE id = $1`,
      [id, maxKeysPerUser - 1],
    );
    const make = () =>
      service.call('POST', '/api/personal_api_keys', { key: text, body: { label: 'k', scopes: ['person:read'] } });
    expect((await make()).status).toBe(409);
    const { rows } = await pool.query<{ id: string }>(
      `SELECT k.id FROM personal_api_keys k JOIN users u ON u.id = k.user_id WHERE u.email = 'full@example.test' AND k.id <> $1 LIMIT 1`,
      [id],
    );
    expect((await service.call('DELETE', `/api/personal_api_keys/${rows[0]?.id}`, { key: text })).status).toBe(204);
    expect((await make()).status).toBe(201);
  });
});

describe('projects of an installation', () => {
  it('are capped, also when many are made at once', async () => {
    await pool.query(
      `INSERT INTO projects (uuid, name, api_token, timezone, week_start_day, person_display_name_properties,
         test_account_filters, path_cleaning_filters, created_at)
       SELECT gen_random_uuid(), 'filler', 'phc_filler_' || n, timezone, week_start_day, person_display_name_properties,
         test_account_filters, path_cleaning_filters, created_at
       FROM projects, generate_series(1, $2) n WHERE id = $1`,
      [service.project.id, maxProjects - 2 - (await countOf('SELECT count(*) FROM projects'))],
    );
    const statuses = await statusesOfTen((n) =>
      service.call('POST', '/api/projects', { body: { name: `Project ${n}` } }),
    );
    expect(statuses).toEqual(twoMade);
    expect(await countOf('SELECT count(*) FROM projects')).toBe(maxProjects);
  });
});

describe('actions of a project', () => {
  it('are capped, also when many are made at once', async () => {
    const path = `/api/projects/${service.project.id}/actions`;
    const make = (n: number) => service.call('POST', path, { body: { name: `Action ${n}`, steps: [{}] } });
    const { id } = (await make(0)).body as { id: number };
    await pool.query(
      `INSERT INTO actions (project_id, name, description, steps, created_by, created_at)
       SELECT project_id, 'filler ' || n, '', steps, created_by, created_at FROM actions, generate_series(1, $2) n WHERE id = $1`,
      [id, maxActions - 3],
    );
    expect(await statusesOfTen(make)).toEqual(twoMade);
    expect(await countOf(`SELECT count(*) FROM actions WHERE project_id = ${service.project.id}`)).toBe(maxActions);
  });
});

describe('insights and dashboards of a project', () => {
  it.each([
    ['insights', maxInsights, { question: { type: 'trends', params: {} } }],
    ['dashboards', maxDashboards, {}],
  ] as const)('are capped, also when many are made at once: %s', async (table, most, body) => {
    const { id: projectId } = service.project;
    const make = (n: number) =>
      service.call('POST', `/api/projects/${projectId}/${table}`, { body: { name: `Number ${n}`, ...body } });
    const { id } = (await make(0)).body as { id: number };
    const columns =
      table === 'insights' ? 'type, params, events, event_properties, person_properties' : 'date_from, date_to';
    await pool.query(
      `INSERT INTO ${table} (project_id, name, description, ${columns}, created_by, created_at, updated_at)
       SELECT project_id, 'filler ' || n, '', ${columns}, created_by, created_at, updated_at
       FROM ${table}, generate_series(1, $2) n WHERE id = $1`,
      [id, most - 3],
    );
    expect(await statusesOfTen(make)).toEqual(twoMade);
    expect(await countOf(`SELECT count(*) FROM ${table} WHERE project_id = ${projectId}`)).toBe(most);
  });
});

describe('live cohorts of a project', () => {
  const path = () => `/api/projects/${service.project.id}/cohorts`;
  const make = (n: number) =>
    service.call('POST', path(), { body: { name: `Cohort ${n}`, is_static: true, distinct_ids: [`nobody ${n}`] } });

  it('are capped, also when many are made, copied or restored at once', async () => {
    const first = (await make(0)).body as { id: number };
    const deleted = (await make(1)).body as { id: number };
    expect((await service.call('PATCH', `${path()}/${deleted.id}`, { body: { deleted: true } })).status).toBe(200);
    await pool.query(
      `INSERT INTO cohorts (project_id, name, description, groups, filters, is_static, deleted, created_by, created_at, version,
         is_calculating, errors_calculating, calculation_now, depends_on, updated_at, pending_version)
       SELECT project_id, 'filler ' || n, '', groups, filters, is_static, false, created_by, created_at, version,
         false, errors_calculating, calculation_now, depends_on, updated_at, pending_version
       FROM cohorts, generate_series(1, $2) n WHERE id = $1`,
      [first.id, maxLiveCohorts - 3],
    );
    const statuses = await statusesOfTen(make);
    expect(statuses).toEqual(twoMade);
    const live = `SELECT count(*) FROM cohorts WHERE project_id = ${service.project.id} AND NOT deleted`;
    expect(await countOf(live)).toBe(maxLiveCohorts);

    const restored = await service.call('PATCH', `${path()}/${deleted.id}`, { body: { deleted: false } });
    const copied = await service.call('GET', `${path()}/${first.id}/duplicate_as_static_cohort`);
    expect([restored.status, copied.status]).toEqual([409, 409]);
    expect(await countOf(live)).toBe(maxLiveCohorts);

    expect((await service.call('PATCH', `${path()}/${first.id}`, { body: { deleted: true } })).status).toBe(200);
    const again = await service.call('PATCH', `${path()}/${deleted.id}`, { body: { deleted: false } });
    expect(again.status).toBe(200);
    expect((await service.call('PATCH', `${path()}/${deleted.id}`, { body: { name: 'renamed' } })).status).toBe(200);
  });
});
