import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { type KeyDto } from '../../src/auth/keys/key.dto.js';
import { KeysService } from '../../src/auth/keys/keys.service.js';
import { Config } from '../../src/platform/config/config.js';
import { type NewKey, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

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

const path = (id: string, query = '') => `/api/personal_api_keys/${id}${query}`;
const change = (id: string, body: object, key?: string) => service.call('PATCH', path(id), { key, body });
const revoke = (id: string, key?: string, query = '') => service.call('DELETE', path(id, query), { key });
const isAlive = async (key: string) =>
  (await service.call('GET', '/api/personal_api_keys/@current', { key })).status === 200;
const make = async (body: object, key?: string) => {
  const made = (await create({ label: 'made', scopes: ['*'], ...body }, key)).body as KeyDto;
  return { id: made.id, text: made.value ?? '' };
};

describe('a key that can do less than another of its user', () => {
  const soon = new Date(Date.now() + 3_600_000);
  const stronger: [string, () => NewKey][] = [
    ['in scopes', () => ({ scopes: ['*'], projectIds: [service.project.id], expiresAt: soon })],
    ['in projects', () => ({ scopes: ['api_key:write'], projectIds: null, expiresAt: soon })],
    ['in time', () => ({ scopes: ['api_key:write'], projectIds: [service.project.id], expiresAt: null })],
  ];

  it.each(stronger)('cannot see, change or revoke it: stronger %s', async (_name, grant) => {
    const strong = await service.newKey(grant());
    const weak = await service.newKey({
      scopes: ['api_key:write'],
      projectIds: [service.project.id],
      expiresAt: soon,
    });
    const unknown = '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e';
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { label: 'taken' }],
      ['PATCH', { expires_at: expiresAt }],
      ['PATCH', { scopes: ['api_key:write'], scoped_projects: [service.project.id], expires_at: expiresAt }],
      ['DELETE', undefined],
    ] as const) {
      const answers = await Promise.all(
        [strong.id, unknown].map((id) => service.call(method, path(id), { key: weak.text, body })),
      );
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      const [refused, missing] = answers.map((answer, at) => ({
        ...(answer.body as object),
        detail: (answer.body as { detail: string }).detail.replace([strong.id, unknown][at] ?? '', 'it'),
        request_id: '',
      }));
      expect(refused).toEqual(missing);
    }
    const listed = (await service.call('GET', '/api/personal_api_keys?limit=1000', { key: weak.text })).body as {
      count: number;
      results: KeyDto[];
    };
    expect(listed.results.map(({ id }) => id)).not.toContain(strong.id);
    expect(listed.results.map(({ id }) => id)).toContain(weak.id);
    expect(listed.count).toBe(listed.results.length);
    expect(await current(strong.text)).toMatchObject({ label: 'test', scopes: grant().scopes });
  });

  it('may read, rename, narrow and revoke itself and what can do no more', async () => {
    const weak = await service.newKey({ scopes: ['api_key:write', 'person:write'] });
    const weaker = await service.newKey({ scopes: ['person:read'] });
    expect((await service.call('GET', path(weaker.id), { key: weak.text })).status).toBe(200);
    expect((await change(weaker.id, { label: 'renamed' }, weak.text)).body).toMatchObject({ label: 'renamed' });
    expect((await change(weak.id, { scopes: ['api_key:write'] }, weak.text)).status).toBe(200);
    expect((await service.call('GET', path(weaker.id), { key: weak.text })).status).toBe(404);
    expect((await change(weak.id, { scopes: ['api_key:write', 'person:write'] }, weak.text)).status).toBe(403);
    expect((await revoke(weak.id, weak.text)).status).toBe(204);
    expect(await isAlive(weak.text)).toBe(false);
  });
});

describe('a key that is narrowed while it is in use', () => {
  it('stays narrow, whatever it sends meanwhile: 40 rounds', async () => {
    for (let round = 0; round < 40; round += 1) {
      const leaked = await service.newKey();
      const thief = [0, 1, 2].map((at) => change(leaked.id, { label: `thief ${at}` }, leaked.text));
      const copy = create({ label: 'copy', scopes: ['*'] }, leaked.text);
      const owner = await change(leaked.id, { scopes: ['person:read'] });
      expect(owner.status).toBe(200);
      expect(
        (await Promise.all(thief)).map(({ status }) => status).filter((status) => ![200, 403].includes(status)),
      ).toEqual([]);
      const copied = await copy;
      expect([round, (await current(leaked.text)).scopes]).toEqual([round, ['person:read']]);
      if (copied.status === 201) expect(await isAlive((copied.body as KeyDto).value ?? '')).toBe(false);
      else expect(copied.status).toBe(403);
    }
  });

  it('changes only what was sent, when two requests change different fields at once', async () => {
    const key = await service.newKey({ scopes: ['person:write'] });
    await Promise.all([
      change(key.id, { label: 'renamed' }),
      change(key.id, { scopes: ['person:read'] }),
      change(key.id, { scoped_projects: [service.project.id] }),
    ]);
    expect(await current(key.text)).toMatchObject({
      label: 'renamed',
      scopes: ['person:read'],
      scoped_projects: [service.project.id],
    });
  });

  it('does nothing more once it is revoked, whatever it sent before: 20 rounds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const leaked = await service.newKey();
      const copies = [0, 1, 2].map(() => create({ label: 'copy', scopes: ['*'] }, leaked.text));
      expect((await revoke(leaked.id)).status).toBe(204);
      for (const copy of await Promise.all(copies)) {
        if (copy.status === 201) expect(await isAlive((copy.body as KeyDto).value ?? '')).toBe(false);
        else expect(copy.status).toBe(401);
      }
    }
  });
});

describe('keys that a key made', () => {
  it('name it, and are revoked with it, and so are those that they made', async () => {
    const parent = await make({});
    const child = await make({}, parent.text);
    const grandchild = await make({ scopes: ['person:read'] }, child.text);
    expect((await current(grandchild.text)).created_by_key_id).toBe(child.id);
    const bystander = await make({});
    expect((await revoke(parent.id)).status).toBe(204);
    expect(await Promise.all([parent, child, grandchild, bystander].map(({ text }) => isAlive(text)))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('stay with children=keep, and are revoked with the key before it', async () => {
    const first = await make({});
    const second = await make({}, first.text);
    const third = await make({}, second.text);
    expect((await revoke(second.id, undefined, '?children=keep')).status).toBe(204);
    expect((await current(third.text)).created_by_key_id).toBe(first.id);
    await revoke(first.id);
    expect(await isAlive(third.text)).toBe(false);
    expect((await revoke(first.id, undefined, '?children=eat')).status).toBe(400);
  });

  it('are revoked when it is narrowed and they go beyond it; the others stay', async () => {
    const parent = await make({ scopes: ['*'] });
    const strong = await make({ scopes: ['api_key:write', 'person:write'] }, parent.text);
    const weak = await make({ scopes: ['person:read'] }, strong.text);
    expect((await change(parent.id, { scopes: ['person:read', 'api_key:write'] })).status).toBe(200);
    expect(await Promise.all([parent, strong, weak].map(({ text }) => isAlive(text)))).toEqual([true, false, true]);
    expect((await current(weak.text)).created_by_key_id).toBe(parent.id);
  });

  it('cannot revoke or narrow it in a way that would revoke themselves, and can replace it', async () => {
    const old = await make({});
    const replacement = await make({}, old.text);
    const answers = [
      await revoke(old.id, replacement.text),
      await change(old.id, { scopes: ['person:read'] }, replacement.text),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    expect([await isAlive(old.text), await isAlive(replacement.text)]).toEqual([true, true]);
    expect((await revoke(old.id, replacement.text, '?children=keep')).status).toBe(204);
    expect([await isAlive(old.text), await isAlive(replacement.text)]).toEqual([false, true]);
  });

  it('are revoked by the operator too', async () => {
    const parent = await make({});
    const child = await make({}, parent.text);
    const revoked = await service.app.get(KeysService).revokeByOperator(parent.id, 'revoke', new Date());
    expect(revoked).toEqual([parent.id, child.id]);
    expect(await isAlive(child.text)).toBe(false);
  });
});

describe('what happens to keys', () => {
  const log = async (key?: string) =>
    (await service.call('GET', '/api/personal_api_keys/activity?limit=1000', { key })) as {
      status: number;
      body: { results: ActivityEntryDto[] };
    };

  it('is in a log of its user: creation, change and revocation, with who did it and never the text', async () => {
    const headers = { 'X-Request-Id': 'req-keys' };
    const made = await service.call('POST', '/api/personal_api_keys', {
      body: { label: 'audited', scopes: ['person:read'] },
      headers,
    });
    const { id, value, mask_value } = made.body as KeyDto;
    const child = await make({ scopes: ['person:read'] });
    await service.call('PATCH', path(id), { body: { scopes: ['person:write'], label: 'audited' }, headers });
    await service.call('PATCH', path(id), { body: { label: 'audited' }, headers });
    await service.call('DELETE', path(id), { headers });
    const { results } = (await log()).body;
    const own = results.filter(({ item_id }) => item_id === id);
    const facts = {
      label: 'audited',
      mask_value,
      scoped_projects: null,
      expires_at: null,
      created_by_key_id: expect.any(String),
    };
    expect(own).toMatchObject([
      {
        activity: 'revoked',
        detail: {
          name: 'audited',
          changes: [{ before: { ...facts, scopes: ['person:write'] }, after: { reason: 'revoked' } }],
        },
      },
      {
        activity: 'updated',
        detail: {
          changes: [
            { field: 'scopes', before: ['person:read'], after: ['person:write'] },
            { field: 'changed_by_key_id' },
          ],
        },
      },
      { activity: 'created', detail: { changes: [{ before: null, after: { ...facts, scopes: ['person:read'] } }] } },
    ]);
    expect(own[0]).toMatchObject({
      request_id: 'req-keys',
      scope: 'PersonalApiKey',
      user: { email: 'ada@example.test' },
    });
    expect(JSON.stringify(results)).not.toContain(value?.slice(4, 40));
    expect(results.map(({ item_id }) => item_id)).toContain(child.id);
  });

  it('is not shown to keys that are limited to projects, nor to another user', async () => {
    const limited = await service.newKey({ scopes: ['*'], projectIds: [service.project.id] });
    expect((await log(limited.text)).status).toBe(403);
    const grace = await service.newKey({ email: 'grace@example.test' });
    const owners = new Set((await log(grace.text)).body.results.map(({ user }) => user.email));
    expect(owners).toEqual(new Set([null]));
  });

  it('has no entry for what was refused', async () => {
    const weak = await service.newKey({ scopes: ['api_key:write'] });
    const before = (await log()).body.results.length;
    await create({ label: 'x', scopes: ['*'] }, weak.text);
    await revoke((await current(service.key)).id, weak.text);
    expect((await log()).body.results).toHaveLength(before);
  });
});

describe('last_used_at', () => {
  it('is written, and then left alone for an hour', async () => {
    const key = await service.newKey();
    await current(key.text);
    await until(async () => (await current(key.text)).last_used_at !== null, { withinMs: 2_000 });
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
