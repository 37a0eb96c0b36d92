import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { type KeyDto } from '../../src/auth/keys/key.dto.js';
import { keyLookupSql } from '../../src/auth/access/key-lookup.js';
import { LiveClient } from '../support/live.js';
import { planWith } from '../support/plan-with.js';
import { type MadeKey, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { openSession } from '../support/signed-in.js';

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const post = (id: string, body: object = {}, key?: string) =>
  service.call('POST', `/api/personal_api_keys/${id}/rotate`, { key, body });
const rotate = async (id: string, body?: object, key?: string): Promise<KeyDto & { value: string }> => {
  const answer = await post(id, body, key);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body as KeyDto & { value: string };
};
const current = (key: string) => service.call('GET', '/api/personal_api_keys/@current', { key });
const works = async (...keys: string[]) =>
  (await Promise.all(keys.map(current))).map(({ status }) => ({ 200: true, 401: false })[status]);
const read = async (id: string) => (await service.call('GET', `/api/personal_api_keys/${id}`)).body as KeyDto;
const revoke = (id: string) => service.call('DELETE', `/api/personal_api_keys/${id}`);

describe('a rotation', () => {
  it('shows a new secret once, and both work until the overlap ends, by the clock of PostgreSQL', async () => {
    const key = await service.newKey({ scopes: ['person:read'] });
    const before = await read(key.id);
    const made = await rotate(key.id, { overlap_seconds: 2 });
    expect(made.value).toMatch(/^phx_[0-9A-Za-z]{49}$/);
    expect(made.value).not.toBe(key.text);
    const until = made.previous_value_until ?? '';
    const { rows } = await service.pool.query<{ left: number }>(
      'SELECT extract(epoch FROM $1::timestamptz - clock_timestamp())::float8 AS left',
      [until],
    );
    expect(rows[0]?.left).toBeGreaterThan(1);
    expect(rows[0]?.left).toBeLessThanOrEqual(2);
    expect(await works(key.text, made.value)).toEqual([true, true]);
    const shown = { ...before, mask_value: `phx_…${made.value.slice(-4)}`, previous_value_until: until };
    expect({ ...(await read(key.id)), last_used_at: null, created_by_key_id: null }).toEqual({
      ...shown,
      last_used_at: null,
      created_by_key_id: null,
    });
    await sleep((rows[0]?.left ?? 0) * 1000 + 50);
    expect(await works(key.text, made.value)).toEqual([false, true]);
    expect((await read(key.id)).previous_value_until).toBeNull();
  });

  it('refuses the previous secret with the words for an unknown key', async () => {
    const key = await service.newKey();
    await rotate(key.id, { overlap_seconds: 0 });
    const never = await service.newKey();
    await revoke(never.id);
    const [old, unknown] = await Promise.all([current(key.text), current(never.text)]);
    expect(old.status).toBe(401);
    expect({ ...(old.body as object), request_id: '' }).toEqual({ ...(unknown.body as object), request_id: '' });
  });

  it('lasts a day when the body says nothing', async () => {
    const { id } = await service.newKey();
    const made = await rotate(id);
    const { rows } = await service.pool.query<{ s: number }>(
      'SELECT extract(epoch FROM $1::timestamptz - clock_timestamp())::integer AS s',
      [made.previous_value_until],
    );
    expect(Math.abs((rows[0]?.s ?? 0) - 86_400)).toBeLessThan(30);
  });

  it('replaces the previous secret of the rotation before it at once', async () => {
    const key = await service.newKey();
    const second = await rotate(key.id);
    const third = await rotate(key.id);
    expect(await works(key.text, second.value, third.value)).toEqual([false, true, true]);
    await rotate(key.id, { overlap_seconds: 0 });
    expect(await works(key.text, second.value, third.value)).toEqual([false, false, false]);
  });

  it('leaves one key: what narrows or revokes it holds for both secrets', async () => {
    const key = await service.newKey({ scopes: ['person:read', 'cohort:read'] });
    const { value } = await rotate(key.id);
    await service.call('PATCH', `/api/personal_api_keys/${key.id}`, { body: { scopes: ['person:read'] } });
    for (const text of [key.text, value]) expect((await current(text)).body).toMatchObject({ scopes: ['person:read'] });
    await revoke(key.id);
    expect(await works(key.text, value)).toEqual([false, false]);
  });

  it('ends a live stream of the previous secret within a second after the overlap, and not that of the new one', async () => {
    const key = await service.newKey();
    const { value } = await rotate(key.id, { overlap_seconds: 2 });
    const rotatedAt = performance.now();
    const [old, fresh] = await Promise.all(
      [key.text, value].map((text) => LiveClient.open({ url: service.url, key: text, projectId: service.project.id })),
    );
    await old?.until(() => old.hasEnded, 5000);
    expect(performance.now() - rotatedAt).toBeGreaterThan(1900);
    expect(performance.now() - rotatedAt).toBeLessThan(3000);
    expect(fresh?.hasEnded).toBe(false);
    fresh?.close();
  });

  it.each([-1, 604_801, 1.5, '60', null, true])('refuses an overlap of %j', async (overlap) => {
    const key = await service.newKey();
    const answer = await post(key.id, { overlap_seconds: overlap });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr: 'overlap_seconds' })]);
    expect(await works(key.text)).toEqual([true]);
  });

  it('is logged without either secret', async () => {
    const key = await service.newKey();
    const made = await rotate(key.id, { overlap_seconds: 60 });
    const { body, text } = await service.call('GET', '/api/personal_api_keys/activity?limit=1000');
    const { results } = body as { results: ActivityEntryDto[] };
    const [entry] = results.filter(({ item_id }) => item_id === key.id);
    const { id: own } = (await current(service.key)).body as KeyDto;
    expect(entry).toMatchObject({
      activity: 'rotated',
      detail: {
        changes: [
          { field: 'mask_value', before: `phx_…${key.text.slice(-4)}`, after: made.mask_value },
          { field: 'previous_value_until', before: null, after: made.previous_value_until },
          { field: 'created_by_key_id', before: null, after: own },
          { field: 'changed_by_key_id', after: own },
        ],
      },
    });
    for (const secret of [key.text, made.value]) expect(text).not.toContain(secret.slice(4, 40));
  });

  it('of an expired key is refused', async () => {
    const key = await service.newKey({ expiresAt: new Date(Date.now() - 1000) });
    expect((await post(key.id)).status).toBe(409);
  });
});

describe('who may rotate a key', () => {
  it('a key rotates itself, by its previous secret too, and no stronger key', async () => {
    const weak = await service.newKey({ scopes: ['api_key:write', 'person:read'] });
    const strong = await service.newKey({ scopes: ['api_key:write', 'person:write'] });
    const foreign = await service.newKey({ email: 'grace-rotates@example.test' });
    for (const { id } of [strong, foreign]) expect((await post(id, {}, weak.text)).status).toBe(404);
    expect(await works(strong.text, foreign.text)).toEqual([true, true]);
    const second = await rotate(weak.id, {}, weak.text);
    const third = await rotate(weak.id, {}, weak.text);
    expect(await works(weak.text, second.value, third.value)).toEqual([false, true, true]);
    const reader = await service.newKey({ scopes: ['api_key:read'] });
    expect((await post(reader.id, {}, reader.text)).status).toBe(403);
  });

  it('a session learns no secret that its role does not cover', async () => {
    const { body } = await service.call('GET', '/api/users/@me');
    const user = body as { id: number; email: string };
    const session = await openSession(service, user);
    const strong = await service.newKey({ scopes: ['*'] });
    const answer = await session.call('POST', `/api/personal_api_keys/${strong.id}/rotate`, { body: {} });
    expect([answer.status, await works(strong.text)]).toEqual([403, [true]]);
  });

  it('a key that another key has rotated is revoked with that key', async () => {
    const thief = await service.newKey();
    const [victim, bystander] = [await service.newKey(), await service.newKey()];
    const { value, created_by_key_id } = await rotate(victim.id, {}, thief.text);
    expect(created_by_key_id).toBe(thief.id);
    await revoke(thief.id);
    expect(await works(victim.text, value, bystander.text)).toEqual([false, false, true]);
  });

  it('a key that a descendant has made keeps its maker, and none rotates a key that it descends from', async () => {
    const make = async (key?: string): Promise<MadeKey> => {
      const options = { body: { label: 'made', scopes: ['*'] }, key };
      const { id, value } = (await service.call('POST', '/api/personal_api_keys', options)).body as KeyDto;
      return { id, text: value ?? '' };
    };
    const first = await make();
    const second = await make(first.text);
    const third = await make(second.text);
    expect((await rotate(third.id, {}, first.text)).created_by_key_id).toBe(second.id);
    for (const ancestor of [first, second]) expect((await post(ancestor.id, {}, third.text)).status).toBe(409);
    expect(await works(first.text, second.text, third.text)).toEqual([true, true, true]);
  });
});

describe('the look-up of a key', () => {
  const planFor = (digest: Buffer): Promise<string> => {
    const { text, values } = keyLookupSql(digest, null);
    return planWith(service.pool, 'off', { text: `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`, values });
  };

  it('needs one probe of an index for a current secret, and two for a previous one', async () => {
    const key = await service.newKey();
    const { value } = await rotate(key.id);
    const digestOf = (text: string) => createHash('sha256').update(text).digest();
    const [fresh, old] = [await planFor(digestOf(value)), await planFor(digestOf(key.text))];
    expect(fresh).toMatch(/personal_api_keys_previous_digest_key\w* on (?:public\.)?personal_api_keys.*never executed/);
    expect(old).toMatch(/personal_api_keys_previous_digest_key\w* on (?:public\.)?personal_api_keys.*rows=1/);
    for (const plan of [fresh, old]) expect(plan).not.toContain('Seq Scan');
  });
});
