import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type NewAccountDto } from '../../src/auth/accounts/account.dto.js';
import { type NewInvitationDto } from '../../src/auth/invitations/invitation.dto.js';
import { type KeyDto } from '../../src/auth/keys/key.dto.js';
import { type MeDto } from '../../src/auth/users/me.dto.js';
import { scopesOfRole } from '../../src/kernel/access/roles.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { Browser, cookieOf, makeLink, makeUser, openSession, signedIn } from '../support/signed-in.js';

let service: ServiceHandle;
let project: string;

beforeAll(async () => {
  service = await sharedService();
  project = `/api/projects/${service.project.id}`;
});
afterAll(() => service.stop());

const password = 'correct horse battery staple';
const me = '/api/users/@me';
const tokenOf = (link: string | null): string => link?.split('=').at(-1) ?? '';
const accept = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  service.call('POST', '/api/invitations/accept', { key: null, body, headers });
const invite = async (by: Browser, email: string, role = 'member'): Promise<string> => {
  const answer = await by.call('POST', `${project}/invitations`, { body: { email, role } });
  expect(answer.status).toBe(201);
  return tokenOf((answer.body as NewInvitationDto).link);
};
const statusOf = async (call: Promise<Answer>): Promise<number> => (await call).status;
const roleOf = (role: 'viewer' | 'member' | 'admin') => ({ roles: { [service.project.id]: role } });

describe('a user', () => {
  it.each(['jörg@müller.example', 'root@localhost'])('has an e-mail that the API accepts, such as %s', async (text) => {
    const email = `${randomUUID()}${text}`;
    const owner = await signedIn(service, { isOwner: true });
    const made = (await owner.call('POST', '/api/users', { body: { email } })).body as NewAccountDto;
    const session = cookieOf(await accept({ token: tokenOf(made.link), password }));
    // Every answer is compared with the document.
    expect((await new Browser(service, made.id, '', session).call('GET', me)).body).toMatchObject({ email });
    const again = await service.call('POST', '/api/sessions', { key: null, body: { email, password } });
    expect(again.status).toBe(201);
  });
});

describe('a role', () => {
  it('decides what a session may do in a project, and is read anew by every request', async () => {
    const [admin, user] = [await signedIn(service, roleOf('admin')), await signedIn(service, roleOf('viewer'))];
    const other = await service.newProject();
    const make = () =>
      statusOf(user.call('POST', `${project}/cohorts`, { body: { name: 'x', is_static: true, person_ids: [] } }));
    const setTo = (role: string) =>
      statusOf(admin.call('PATCH', `${project}/members/${user.userId}`, { body: { role } }));
    const mine = async () => ((await user.call('GET', me)).body as MeDto).projects;
    expect(await mine()).toEqual([
      { id: service.project.id, name: 'Test', role: 'viewer', scopes: scopesOfRole('viewer') },
    ]);
    expect([await make(), await setTo('member'), await make()]).toEqual([403, 200, 201]);
    expect((await mine())[0]?.scopes).toEqual(scopesOfRole('member'));
    expect([await setTo('viewer'), await make()]).toEqual([200, 403]);
    expect(await statusOf(user.call('GET', `/api/projects/${other.id}/cohorts`))).toBe(404);
    expect(await statusOf(admin.call('DELETE', `${project}/members/${user.userId}`))).toBe(204);
    const gone = await user.call('GET', `${project}/persons`);
    expect([gone.status, gone.body]).toEqual([
      404,
      expect.objectContaining({ detail: expect.stringContaining('you are a member of none') }),
    ]);
  });

  it('is given and taken only by who can do as much', async () => {
    const [admin, member] = [await signedIn(service, roleOf('admin')), await signedIn(service, roleOf('member'))];
    const user = await makeUser(service, roleOf('viewer'));
    const setTo = (by: Browser, role: string) => by.call('PATCH', `${project}/members/${user.id}`, { body: { role } });
    expect(await statusOf(setTo(member, 'member'))).toBe(403);
    const weak = await service.newKey({ scopes: ['project:write', 'person:read'] });
    const byKey = { key: weak.text, body: { role: 'member' } };
    const refused = await service.call('PATCH', `${project}/members/${user.id}`, byKey);
    expect(refused.body).toMatchObject({ status: 403, attr: 'role' });
    expect(await statusOf(service.call('DELETE', `${project}/members/${admin.userId}`, { key: weak.text }))).toBe(403);
    expect(await statusOf(setTo(admin, 'admin'))).toBe(200);
  });

  it('is given to users of the installation by its owners only: others learn nothing of who there is', async () => {
    const [admin, owner] = [await signedIn(service, roleOf('admin')), await signedIn(service, { isOwner: true })];
    const stranger = await makeUser(service);
    const add = (by: Browser, who: object) =>
      by.call('POST', `${project}/members`, { body: { ...who, role: 'viewer' } });
    const named = [
      ...[{ user_id: stranger.id }, { user_id: 2_000_000_000 }],
      ...[{ email: stranger.email }, { email: 'unknown@example.test' }, { email: admin.email }],
    ];
    const answers = await Promise.all(named.map((who) => add(admin, who)));
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...(body as object), request_id: '' }))).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ status: 403, detail: expect.stringContaining('create an invitation') });
    const limited = await service.newKey({ scopes: ['*'], projectIds: [service.project.id] });
    const byKey = { key: limited.text, body: { user_id: stranger.id, role: 'viewer' } };
    expect(await statusOf(service.call('POST', `${project}/members`, byKey))).toBe(403);
    expect((await add(owner, { user_id: stranger.id })).body).toMatchObject({ user: { email: stranger.email } });
    expect((await add(owner, { email: stranger.email })).body).toMatchObject({ status: 409 });
    expect((await add(owner, { email: 'unknown@example.test' })).body).toMatchObject({ status: 400, attr: 'email' });
  });

  it('of the last admin stays while the installation has no owner', async () => {
    const { id } = await service.newProject();
    const admin = await signedIn(service, { roles: { [id]: 'admin' } });
    const leave = () => statusOf(admin.call('DELETE', `/api/projects/${id}/members/${admin.userId}`));
    const { rows } = await service.pool.query<{ id: number }>('SELECT id FROM users WHERE is_owner');
    await service.pool.query('UPDATE users SET is_owner = false');
    expect([
      await leave(),
      await statusOf(admin.call('PATCH', `/api/projects/${id}/members/${admin.userId}`, { body: { role: 'viewer' } })),
    ]).toEqual([409, 409]);
    const owner = await makeUser(service, { isOwner: true });
    await service.pool.query('UPDATE users SET is_owner = true WHERE id = ANY ($1)', [
      [...rows.map((row) => row.id), owner.id],
    ]);
    expect(await leave()).toBe(204);
  });
});

describe('a key that a session makes', () => {
  const post = (by: Browser, body: object) =>
    by.call('POST', '/api/personal_api_keys', { body: { label: 'mine', scopes: ['person:write'], ...body } });

  it('has at most what its user has in the projects of the key', async () => {
    const [admin, owner] = [await signedIn(service, roleOf('admin')), await signedIn(service, { isOwner: true })];
    const limited = { scoped_projects: [service.project.id] };
    const other = await service.newProject();
    expect((await post(admin, {})).body).toMatchObject({ status: 403, attr: 'scoped_projects' });
    expect((await post(admin, { scoped_projects: [other.id] })).body).toMatchObject({ status: 403 });
    expect((await post(admin, { ...limited, scopes: ['*'] })).body).toMatchObject({ status: 403, attr: 'scopes' });
    expect((await post(admin, limited)).body).toMatchObject({ created_by_key_id: null });
    expect(await statusOf(post(owner, { scopes: ['*'] }))).toBe(201);
    expect(await statusOf(post(await signedIn(service, roleOf('member')), limited))).toBe(403);
  });

  it('is revoked with the role, with the keys it made; a key of an operator stays', async () => {
    const [admin, user] = [await signedIn(service, roleOf('admin')), await signedIn(service, roleOf('admin'))];
    const scopes = ['person:write', 'api_key:write'];
    const limited = { scopes, scoped_projects: [service.project.id] };
    const made = (await post(user, limited)).body as KeyDto;
    const child = await service.call('POST', '/api/personal_api_keys', {
      key: made.value ?? '',
      body: { label: 'child', ...limited },
    });
    const weak = (await post(user, { ...limited, scopes: ['person:read'] })).body as KeyDto;
    const operators = await service.newKey({ email: user.email, scopes: ['person:write'] });
    const keys = [made.value, (child.body as KeyDto).value, weak.value, operators.text];
    const statuses = () => Promise.all(keys.map((key) => statusOf(service.call('GET', me, { key }))));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await admin.call('PATCH', `${project}/members/${user.userId}`, { body: { role: 'viewer' } });
    expect(await statuses()).toEqual([401, 401, 200, 200]);
    await admin.call('DELETE', `${project}/members/${user.userId}`);
    expect(await statuses()).toEqual([401, 401, 401, 200]);
  });
});

describe('an invitation', () => {
  it('makes a user, a member and a session, once', async () => {
    const admin = await signedIn(service, roleOf('admin'));
    const email = `${randomUUID()}@example.test`;
    const token = await invite(admin, email);
    expect((await accept({ token })).body).toMatchObject({ status: 400, attr: 'password' });
    const answers = await Promise.all([accept({ token, password, first_name: 'Grace' }), accept({ token, password })]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await statusOf(accept({ token, password }))).toBe(401);
    const accepted = answers.find(({ status }) => status === 201) as Answer;
    expect(accepted.body).toMatchObject({ project_id: service.project.id, is_current: true });
    const browser = new Browser(service, 0, email, cookieOf(accepted));
    expect((await browser.call('GET', me)).body).toMatchObject({
      email,
      has_password: true,
      projects: [{ role: 'member' }],
    });
    const { rows } = await service.pool.query('SELECT * FROM invitations');
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('does not tell the member who has the link whether the e-mail has an account', async () => {
    const [admin, other] = [await signedIn(service, roleOf('admin')), await makeUser(service)];
    const answersTo = async (email: string) => {
      const body = { token: await invite(admin, email, 'viewer') };
      const preview = await service.call('POST', '/api/invitations/preview', { key: null, body });
      const { status, detail } = (await accept(body)).body as { status: number; detail: string };
      return [{ ...(preview.body as object), email: '' }, status, detail];
    };
    const unknown = await answersTo(`${randomUUID()}@example.test`);
    expect(unknown).toEqual([
      { email: '', role: 'viewer', needs: 'password', project: { id: service.project.id, name: 'Test' } },
      400,
      expect.stringContaining('a new one if you have none'),
    ]);
    expect(await answersTo(other.email)).toEqual(unknown);
  });

  it('does not open the account of a user to the member who has the link', async () => {
    const [admin, owner] = [await signedIn(service, roleOf('admin')), await signedIn(service, { isOwner: true })];
    const token = await invite(admin, owner.email, 'viewer');
    for (const headers of [{}, { cookie: admin.cookie, 'sec-fetch-site': 'same-origin' }])
      expect(await statusOf(accept({ token }, headers as Record<string, string>))).toBe(400);
    expect(await statusOf(accept({ token, password }))).toBe(401);
    const own = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' };
    const accepted = await accept({ token }, own);
    expect([accepted.status, await statusOf(owner.call('GET', me))]).toEqual([201, 401]);
  });

  it('ends when it is revoked, replaced, a week old, or its maker leaves', async () => {
    const admin = await signedIn(service, roleOf('admin'));
    const email = () => `${randomUUID()}@example.test`;
    const usable = async (token: string, at = Date.now()) =>
      statusOf(
        service.call('POST', '/api/invitations/preview', {
          key: null,
          body: { token },
          headers: { 'x-test-now': new Date(at).toISOString() },
        }),
      );
    const revoked = email();
    const token = await invite(admin, revoked);
    const { results } = (await admin.call('GET', `${project}/invitations`)).body as { results: NewInvitationDto[] };
    const { id } = results.find((one) => one.email === revoked) as NewInvitationDto;
    expect(results[0]).not.toHaveProperty('link');
    expect(await usable(token)).toBe(200);
    expect(await statusOf(admin.call('DELETE', `${project}/invitations/${id}`))).toBe(204);
    expect(await usable(token)).toBe(401);
    const again = email();
    const [first, second] = [await invite(admin, again), await invite(admin, again.toUpperCase())];
    expect([await usable(first), await usable(second)]).toEqual([401, 200]);
    expect(await usable(second, Date.now() + 7.1 * 86_400_000)).toBe(401);
    await service.call('DELETE', `${project}/members/${admin.userId}`);
    expect(await usable(second)).toBe(401);
  });
});

describe('an owner of the installation', () => {
  it('makes, changes and removes users; others do not', async () => {
    const [owner, admin] = [await signedIn(service, { isOwner: true }), await signedIn(service, roleOf('admin'))];
    const email = `${randomUUID()}@example.test`;
    expect(await statusOf(admin.call('POST', '/api/users', { body: { email } }))).toBe(403);
    const limited = await service.newKey({ projectIds: [service.project.id] });
    expect(await statusOf(service.call('GET', '/api/users', { key: limited.text }))).toBe(403);
    const made = (await owner.call('POST', '/api/users', { body: { email, is_owner: true } })).body as NewAccountDto;
    expect((await owner.call('POST', '/api/users', { body: { email: email.toUpperCase() } })).body).toMatchObject({
      status: 409,
      attr: 'email',
    });
    const accepted = await accept({ token: tokenOf(made.link), password });
    const user = new Browser(service, made.id, email, cookieOf(accepted));
    expect((await user.call('GET', me)).body).toMatchObject({ is_owner: true, has_password: true });
    const key = (
      (await user.call('POST', '/api/personal_api_keys', { body: { label: 'all', scopes: ['*'] } })).body as KeyDto
    ).value;
    const cohort = (
      await user.call('POST', `${project}/cohorts`, { body: { name: 'left', is_static: true, person_ids: [] } })
    ).body as { id: number };
    await owner.call('PATCH', `/api/users/${made.id}`, { body: { is_owner: false, last_name: 'Hopper' } });
    expect([await statusOf(user.call('GET', '/api/users')), await statusOf(service.call('GET', me, { key }))]).toEqual([
      403, 401,
    ]);
    expect(await statusOf(owner.call('DELETE', `/api/users/${owner.userId}`))).toBe(409);
    expect((await owner.call('GET', `/api/users/${made.id}/sessions`)).body).toMatchObject({ count: 1 });
    expect(await statusOf(owner.call('DELETE', `/api/users/${made.id}`))).toBe(204);
    expect(await statusOf(user.call('GET', me))).toBe(401);
    expect((await service.call('GET', `${project}/cohorts/${cohort.id}`)).body).toMatchObject({ created_by: null });
    const log = (await owner.call('GET', `/api/users/${made.id}/activity`)).body as {
      results: { scope: string; activity: string }[];
    };
    expect(log.results.map((entry) => `${entry.scope} ${entry.activity}`)).toEqual([
      ...['User deleted', 'Session ended', 'PersonalApiKey revoked', 'User updated', 'PersonalApiKey created'],
      ...['Session opened', 'User updated', 'User created'],
    ]);
  });

  it('is never the last one to go', async () => {
    const owner = await signedIn(service, { isOwner: true });
    const { rows } = await service.pool.query<{ id: number }>('SELECT id FROM users WHERE is_owner AND id <> $1', [
      owner.userId,
    ]);
    await service.pool.query('UPDATE users SET is_owner = false WHERE id <> $1', [owner.userId]);
    const giveUp = { body: { is_owner: false } };
    expect(await statusOf(owner.call('PATCH', `/api/users/${owner.userId}`, giveUp))).toBe(409);
    expect(await statusOf(service.call('DELETE', `/api/users/${owner.userId}`))).toBe(409);
    await service.pool.query('UPDATE users SET is_owner = true WHERE id = ANY ($1)', [rows.map((row) => row.id)]);
    expect(await statusOf(owner.call('PATCH', `/api/users/${owner.userId}`, giveUp))).toBe(rows.length > 0 ? 200 : 409);
  });

  it('ends the sessions of another user', async () => {
    const [owner, user] = [await signedIn(service, { isOwner: true }), await signedIn(service)];
    expect(await statusOf(user.call('DELETE', `/api/users/${owner.userId}/sessions`))).toBe(403);
    expect(await statusOf(owner.call('DELETE', `/api/users/${user.userId}/sessions`))).toBe(204);
    expect(await statusOf(user.call('GET', me))).toBe(401);
  });
});

describe('a new password', () => {
  it('is the first one only soon after signing in: a stolen session must not become an account', async () => {
    const browser = await signedIn(service);
    const setIn = (minutes: number) =>
      browser.call('PATCH', me, {
        body: { password },
        headers: { 'x-test-now': new Date(Date.now() + minutes * 60_000).toISOString() },
      });
    const late = await setIn(11);
    expect(late.body).toMatchObject({
      status: 403,
      attr: 'password',
      detail: expect.stringContaining('sign in again'),
    });
    const renamed = await browser.call('PATCH', me, { body: { first_name: 'Ada' } });
    expect([renamed.status, (renamed.body as MeDto).has_password]).toEqual([200, false]);
    const again = await openSession(service, { id: browser.userId, email: browser.email });
    expect(await statusOf(again.call('PATCH', me, { body: { password } }))).toBe(200);
    expect(((await again.call('GET', me)).body as MeDto).has_password).toBe(true);
  });

  it('needs the old one, and ends the other sessions and the links of the user', async () => {
    const user = await makeUser(service);
    const [first, second] = [await openSession(service, user), await openSession(service, user)];
    const link = await makeLink(service, user.id, 'set_password');
    const record = (await first.call('GET', me)).body as MeDto;
    expect(await statusOf(first.call('PATCH', me, { body: record }))).toBe(200);
    expect((await first.call('PATCH', me, { body: { ...record, is_owner: true } })).body).toMatchObject({
      status: 400,
      attr: 'is_owner',
    });
    expect(await statusOf(service.call('PATCH', me, { body: { password } }))).toBe(403);
    expect((await first.call('PATCH', me, { body: { password: 'short' } })).body).toMatchObject({ attr: 'password' });
    expect(await statusOf(first.call('PATCH', me, { body: { password } }))).toBe(200);
    expect([await statusOf(first.call('GET', me)), await statusOf(second.call('GET', me))]).toEqual([200, 401]);
    expect(await statusOf(accept({ token: link, password }))).toBe(401);
    const next = 'another horse, another battery';
    expect((await first.call('PATCH', me, { body: { password: next } })).body).toMatchObject({
      attr: 'current_password',
    });
    const wrong = { password: next, current_password: 'not the password' };
    expect((await first.call('PATCH', me, { body: wrong })).body).toMatchObject({
      status: 400,
      attr: 'current_password',
    });
    const { rows } = await service.pool.query(`SELECT detail FROM account_activity WHERE account_id = $1`, [user.id]);
    expect(JSON.stringify(rows)).not.toMatch(/horse|scrypt/);
  });
});
