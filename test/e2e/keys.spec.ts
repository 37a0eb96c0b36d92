import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type KeyDto } from '../../src/auth/keys/key.dto.js';
import { Config } from '../../src/config/config.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const create = (body: object, key?: string) => service.call('POST', '/api/personal_api_keys', { body, key });
const current = async (key: string) =>
  (await service.call('GET', '/api/personal_api_keys/@current', { key })).body as KeyDto;

describe('creating a key', () => {
  it('shows its text once, and the key works', async () => {
    const made = await create({ label: 'ci', scopes: ['project:read'] });
    const { value, id, mask_value } = made.body as KeyDto;
    expect(made.status).toBe(201);
    expect(value).toMatch(/^phx_[0-9A-Za-z]{49}$/);
    expect(mask_value).toBe(`phx_…${value?.slice(-4)}`);
    expect((await service.call('GET', '/api/projects', { key: value })).status).toBe(200);
    expect((await service.call('GET', `/api/personal_api_keys/${id}`)).body).toMatchObject({
      id,
      value: null,
      label: 'ci',
    });
  });

  it.each([
    ['no label', { scopes: ['*'] }, 'label', 'required'],
    ['an empty label', { label: '', scopes: ['*'] }, 'label', 'invalid_input'],
    ['no scopes', { label: 'x' }, 'scopes', 'required'],
    ['an empty list of scopes', { label: 'x', scopes: [] }, 'scopes', 'invalid_input'],
    ['an unknown scope', { label: 'x', scopes: ['person:admin'] }, 'scopes', 'invalid_input'],
    ['scopes that are text', { label: 'x', scopes: '*' }, 'scopes', 'invalid_input'],
    [
      'an empty list of projects',
      { label: 'x', scopes: ['*'], scoped_projects: [] },
      'scoped_projects',
      'invalid_input',
    ],
    [
      'a project that is none',
      { label: 'x', scopes: ['*'], scoped_projects: [1, 999_999] },
      'scoped_projects.1',
      'invalid_input',
    ],
    ['an expiry that is no date', { label: 'x', scopes: ['*'], expires_at: 'soon' }, 'expires_at', 'invalid_input'],
    [
      'an expiry in the past',
      { label: 'x', scopes: ['*'], expires_at: '2020-01-01T00:00:00Z' },
      'expires_at',
      'invalid_input',
    ],
  ])('refuses %s', async (_name, body, attr, code) => {
    const answer = await create(body);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr, code })]);
  });
});

describe('a key cannot grant what it lacks', () => {
  const tomorrow = new Date(Date.now() + 86_400_000);

  it.each([
    ['scopes', { scopes: ['person:write'] }],
    ['scopes', { scopes: ['*'] }],
    ['scoped_projects', { scoped_projects: null }],
    ['scoped_projects', { scoped_projects: [999_999] }],
    ['expires_at', { expires_at: null }],
    ['expires_at', { expires_at: new Date(tomorrow.getTime() + 1000).toISOString() }],
  ])('%s: %j', async (attr, change) => {
    const { text } = await service.newKey({
      scopes: ['api_key:write', 'person:read'],
      projectIds: [service.project.id],
      expiresAt: tomorrow,
    });
    const within = {
      label: 'x',
      scopes: ['person:read'],
      scoped_projects: [service.project.id],
      expires_at: tomorrow.toISOString(),
    };
    expect((await create(within, text)).status).toBe(201);
    const answer = await create({ ...within, ...change }, text);
    expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ code: 'permission_denied', attr })]);
    const { id } = await service.newKey({
      scopes: ['person:read'],
      projectIds: [service.project.id],
      expiresAt: tomorrow,
    });
    const widened = await service.call('PATCH', `/api/personal_api_keys/${id}`, { key: text, body: change });
    expect([widened.status, widened.body]).toEqual([403, expect.objectContaining({ code: 'permission_denied', attr })]);
  });

  it('but may narrow and rename a stronger one', async () => {
    const strong = await service.newKey({ scopes: ['*'] });
    const { text } = await service.newKey({ scopes: ['api_key:write'] });
    const path = `/api/personal_api_keys/${strong.id}`;
    expect((await service.call('PATCH', path, { key: text, body: { label: 'renamed' } })).body).toMatchObject({
      label: 'renamed',
      scopes: ['*'],
    });
    expect((await service.call('PATCH', path, { key: text, body: { scopes: ['person:read'] } })).body).toMatchObject({
      scopes: ['person:read'],
    });
    expect((await service.call('PATCH', path, { key: text, body: { scopes: ['*'] } })).status).toBe(403);
  });

  it('and a key limited to projects cannot make a project', async () => {
    const { text } = await service.newKey({ projectIds: [service.project.id] });
    expect((await service.call('POST', '/api/projects', { key: text, body: { name: 'x' } })).status).toBe(403);
  });
});

describe('keys of another user', () => {
  it('do not exist: 404 on each route, and not in the list', async () => {
    const other = await service.newKey({ email: 'grace@example.test' });
    const path = `/api/personal_api_keys/${other.id}`;
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      expect([method, (await service.call(method, path, { body: {} })).status]).toEqual([method, 404]);
    }
    const { body } = await service.call('GET', '/api/personal_api_keys?limit=1000');
    const { count, results } = body as { count: number; results: KeyDto[] };
    expect(results.map(({ id }) => id)).not.toContain(other.id);
    expect(results).toHaveLength(count);
    expect((await current(other.text)).id).toBe(other.id);
  });

  it('and an id that is none is 404 as well', async () => {
    expect((await service.call('GET', '/api/personal_api_keys/17')).status).toBe(404);
  });
});

describe('last_used_at', () => {
  it('is written, and then left alone for an hour', async () => {
    const key = await service.newKey();
    await current(key.text);
    await untilTrue(async () => (await current(key.text)).last_used_at !== null);
    const first = (await current(key.text)).last_used_at;
    await current(key.text);
    expect((await current(key.text)).last_used_at).toBe(first);
  });
});

describe('a dump of the database', () => {
  it('holds no usable key', async () => {
    const { value } = (await create({ label: 'dumped', scopes: ['*'] })).body as KeyDto;
    const client = new Client({ connectionString: service.app.get(Config).databaseUrl?.href });
    await client.connect();
    const { rows } = await client.query<{ line: string }>('SELECT k::text AS line FROM personal_api_keys k');
    await client.end();
    const secret = value?.slice(4, 40) ?? '';
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ line }) => line.includes(secret))).toEqual([]);
  });
});

const untilTrue = async (check: () => Promise<boolean>): Promise<void> => {
  for (let n = 0; n < 100; n += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('did not happen within 2 s');
};
