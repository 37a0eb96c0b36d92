import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { type NewAccountDto } from '../../src/auth/accounts/account.dto.js';
import { type NewInvitationDto } from '../../src/auth/invitations/invitation.dto.js';
import { type KeyCreationsDto } from '../../src/auth/keys/key-creations.dto.js';
import { batchExport } from '../support/valid-bodies.js';
import { type WebhookDto } from '../../src/webhooks/webhook.dto.js';
import { type Answer, type MadeKey, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { makeUser, openSession } from '../support/signed-in.js';

let service: ServiceHandle;
let project: string;

beforeAll(async () => {
  service = await sharedService();
  project = `/api/projects/${service.project.id}`;
});
afterAll(() => service.stop());

const receiver = 'https://receiver.example.test/kohort';
const password = 'correct horse battery staple';
const post = (path: string, body: object, key?: string) => service.call('POST', path, { key, body });
const patch = (path: string, body: object, key?: string) => service.call('PATCH', path, { key, body });
const email = () => `${randomUUID()}@example.test`;
const tokenOf = ({ body }: Answer): string => (body as { link: string }).link.split('=').at(-1) ?? '';
const preview = (token: string) => service.call('POST', '/api/invitations/preview', { key: null, body: { token } });
const accept = (token: string, headers: Record<string, string> = {}, more: object = {}) =>
  service.call('POST', '/api/invitations/accept', { key: null, body: { token, ...more }, headers });
const ofKey = ({ id }: MadeKey, more = '') => `/api/personal_api_keys/${id}${more}`;
const revoke = async (key: MadeKey) => expect((await service.call('DELETE', ofKey(key))).status).toBe(204);
const creationsOf = async (key: MadeKey) =>
  (await service.call('GET', ofKey(key, '/creations'))).body as KeyCreationsDto;
/** What the entry of the revocation says the key has made. */
const madeBy = async ({ id }: MadeKey): Promise<Partial<KeyCreationsDto>> => {
  const answer = await service.call('GET', '/api/personal_api_keys/activity?limit=1000');
  const entries = (answer.body as { results: ActivityEntryDto[] }).results;
  const entry = entries.find(({ item_id, activity }) => item_id === id && activity === 'revoked');
  return (entry?.detail.changes[0]?.after as { made?: KeyCreationsDto }).made ?? {};
};

describe('a key that expires', () => {
  it('gives nobody access that would outlive it, and goes on with the rest', async () => {
    const { text } = await service.newKey({ expiresAt: new Date(Date.now() + 60_000) });
    const [stranger, viewer] = [
      await makeUser(service),
      await makeUser(service, { roles: { [service.project.id]: 'viewer' } }),
    ];
    const { id: webhook } = (await post(`${project}/webhooks`, { url: receiver })).body as WebhookDto;
    const refused = [
      await post(`${project}/invitations`, { email: email(), role: 'viewer' }, text),
      await post(`${project}/members`, { user_id: stranger.id, role: 'viewer' }, text),
      await patch(`${project}/members/${viewer.id}`, { role: 'admin' }, text),
      await post('/api/users', { email: email() }, text),
      await patch(`/api/users/${stranger.id}`, { is_owner: true }, text),
      await post(`/api/users/${stranger.id}/password_link`, {}, text),
      await post(`${project}/webhooks`, { url: receiver }, text),
      await patch(`${project}/webhooks/${webhook}`, { url: 'https://thief.example.test/' }, text),
    ];
    const refusal = { status: 403, detail: expect.stringContaining('outlive') };
    expect(refused.map(({ body }) => body)).toEqual(refused.map(() => expect.objectContaining(refusal)));
    const { rows } = await service.pool.query<{ role: string; is_owner: boolean }>(
      `SELECT m.role, u.is_owner FROM project_members m, users u WHERE m.user_id = $1 AND u.id = $2`,
      [viewer.id, stranger.id],
    );
    expect(rows).toEqual([{ role: 'viewer', is_owner: false }]);
    const done = [
      await patch(`${project}/webhooks/${webhook}`, { paused: true }, text),
      await service.call('DELETE', `${project}/members/${viewer.id}`, { key: text }),
    ];
    expect(done.map(({ status }) => status)).toEqual([200, 204]);
  });
});

describe('a key that is revoked', () => {
  it('takes its open links with it, and what it made besides is listed, before and after', async () => {
    const key = await service.newKey();
    const invited = await post(`${project}/invitations`, { email: email(), role: 'admin' }, key.text);
    const accepted = await post(`${project}/invitations`, { email: email(), role: 'admin' }, key.text);
    expect((await accept(tokenOf(accepted), {}, { password })).status).toBe(201);
    const { rows } = await service.pool.query<{ id: number }>('SELECT id FROM users WHERE email = $1', [
      (accepted.body as NewInvitationDto).email,
    ]);
    const member = { user_id: rows[0]?.id ?? 0 };
    const user = await post('/api/users', { email: email() }, key.text);
    const userId = (user.body as NewAccountDto).id;
    await patch(`/api/users/${member.user_id}`, { is_owner: true }, key.text);
    const moved = (await post(`${project}/webhooks`, { url: receiver })).body as WebhookDto;
    await patch(`${project}/webhooks/${moved.id}`, { url: 'https://elsewhere.example.test/' }, key.text);
    const webhook = (await post(`${project}/webhooks`, { url: receiver }, key.text)).body as WebhookDto;
    const files = (await post(`${project}/batch_exports`, batchExport, key.text)).body as { id: number };
    const here = { project_id: service.project.id };
    const made = {
      invitations: [{ ...here, id: (invited.body as NewInvitationDto).id }],
      members: [{ ...here, user_id: member.user_id }],
      users: [{ id: member.user_id }, { id: userId }],
      batch_exports: [{ ...here, id: files.id }],
      webhooks: [
        { ...here, id: moved.id },
        { ...here, id: webhook.id },
      ],
    };
    expect(await creationsOf(key)).toEqual(made);
    expect([(await preview(tokenOf(invited))).status, (await preview(tokenOf(user))).status]).toEqual([200, 200]);
    await revoke(key);
    for (const answer of [invited, user]) {
      expect((await preview(tokenOf(answer))).status).toBe(401);
      expect((await accept(tokenOf(answer), {}, { password })).status).toBe(401);
    }
    const open = (await service.call('GET', `${project}/invitations?limit=1000`)).body as { results: { id: string }[] };
    expect(open.results.map(({ id }) => id)).not.toContain((invited.body as NewInvitationDto).id);
    expect(await madeBy(key)).toEqual(made);
  });

  it('leaves no member out of its list who accepts at the same moment', async () => {
    for (let round = 0; round < 12; round += 1) {
      const key = await service.newKey();
      const browser = await openSession(service, await makeUser(service));
      const link = await post(`${project}/invitations`, { email: browser.email, role: 'viewer' }, key.text);
      const own = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' };
      const [answer] = await Promise.all([accept(tokenOf(link), own), revoke(key)]);
      const { members = [] } = await madeBy(key);
      const joined = answer.status === 201 ? [{ project_id: service.project.id, user_id: browser.userId }] : [];
      expect([[201, 401].includes(answer.status), members]).toEqual([true, joined]);
    }
  });

  it('takes the links of the keys that it made with it', async () => {
    const parent = await service.newKey();
    const child = (await post('/api/personal_api_keys', { label: 'child', scopes: ['*'] }, parent.text)).body;
    const { value, id } = child as { value: string; id: string };
    const invited = await post(`${project}/invitations`, { email: email(), role: 'viewer' }, value);
    await revoke(parent);
    expect((await preview(tokenOf(invited))).status).toBe(401);
    expect((await madeBy({ id, text: value })).invitations).toHaveLength(1);
  });
});

describe('a key that is narrowed', () => {
  it.each([
    { scopes: ['project:write', 'api_key:read'] },
    { expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  ])('to %j ends its open links', async (narrow) => {
    const key = await service.newKey();
    const invited = await post(`${project}/invitations`, { email: email(), role: 'admin' }, key.text);
    expect((await patch(ofKey(key), narrow)).status).toBe(200);
    expect((await preview(tokenOf(invited))).status).toBe(401);
  });
});
