import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { type SessionDto } from '../../src/auth/sessions/session.dto.js';
import { Routes } from '../../src/kernel/access/routes.js';
import { aliasesOf } from '../support/documented.js';
import { type Answer } from '../support/service-handle.js';
import { Browser, cookieOf, makeLink, makeUser, openSession, signedIn } from '../support/signed-in.js';
import { startTestService, type TestService } from '../support/service.js';
import { hashOf } from '../../src/auth/passwords/passwords.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ SIGN_IN_ATTEMPTS: '3', TRUST_PROXY: '1' });
});
afterAll(() => service.stop());

const password = 'correct horse battery staple';
const me = '/api/users/@me';

const withPassword = async (): Promise<{ id: number; email: string }> => {
  const user = await makeUser(service);
  await service.pool.query('UPDATE users SET password_hash = $1 WHERE id = $2', [await hashOf(password), user.id]);
  return user;
};

const signIn = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  service.call('POST', '/api/sessions', { key: null, body, headers });

const statusesOf = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const withoutId = ({ status, body }: Answer) => [status, { ...(body as object), request_id: '' }];

describe('signing in', () => {
  it('with a password opens a session, whose cookie only the browser can use', async () => {
    const user = await withPassword();
    const answer = await signIn({ email: user.email.toUpperCase(), password });
    expect([answer.status, answer.body]).toEqual([
      201,
      expect.objectContaining({ is_current: true, address: '127.0.0.0/24' }),
    ]);
    const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(
      /^kohort_session=[\w-]{43}; Max-Age=1209600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const browser = new Browser(service, user.id, user.email, cookieOf(answer));
    expect((await browser.call('GET', me)).body).toMatchObject({ email: user.email, has_password: true, projects: [] });
    const { rows } = await service.pool.query('SELECT * FROM sessions WHERE user_id = $1', [user.id]);
    expect(JSON.stringify(rows)).not.toContain(cookie.slice(15, 58));
  });

  it('answers alike, and hashes once, for an unknown account, one without a password and a wrong password', async () => {
    const [known, bare] = [await withPassword(), await makeUser(service)];
    const hashes = async () => {
      const { text } = await service.call('GET', '/metrics', { key: null });
      return Number(/^kohort_password_hashes_total (\d+)/m.exec(text)?.[1]);
    };
    const answers = [];
    for (const email of [known.email, bare.email, 'nobody@example.test']) {
      const before = await hashes();
      answers.push(withoutId(await signIn({ email, password: 'wrong' })));
      expect([email, (await hashes()) - before]).toEqual([email, 1]);
    }
    expect(answers).toEqual(Array(3).fill(answers[0]));
    expect(answers[0]).toEqual([
      401,
      expect.objectContaining({ code: 'authentication_failed', detail: 'The e-mail or the password is wrong' }),
    ]);
  });

  it('is refused for a while after failures of one account, whether it exists or not, and not after successes', async () => {
    const user = await withPassword();
    for (const email of [user.email, 'unknown@example.test']) {
      const statuses = [];
      for (let tries = 0; tries < 4; tries += 1) statuses.push((await signIn({ email, password: 'wrong' })).status);
      expect([email, statuses]).toEqual([email, [401, 401, 401, 429]]);
    }
    const refused = await signIn({ email: user.email, password });
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    const other = await withPassword();
    for (let times = 0; times < 5; times += 1)
      expect((await signIn({ email: other.email, password })).status).toBe(201);
  });

  it('is refused when many guess at once, whatever their addresses', async () => {
    const user = await withPassword();
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        signIn({ email: user.email, password: `guess ${n}` }, from(`198.51.100.${n + 1}`)),
      ),
    );
    expect(statusesOf(guesses)).toEqual({ 401: 3, 429: 37 });
    expect((await signIn({ email: user.email, password }, from('198.51.100.99'))).status).toBe(429);
  });

  it.each([
    ['an address', () => '203.0.113.7'],
    ['a network of IPv6', (n: number) => `2001:db8:1:2::${n.toString(16)}`],
  ])('is refused to %s that guesses at many accounts', async (_, address) => {
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_each, n) =>
        signIn({ email: `nobody-${n}@example.test`, password }, { 'x-forwarded-for': address(n) }),
      ),
    );
    expect(statusesOf(guesses)).toEqual({ 401: 30, 429: 30 });
  });

  it('by a link works once, also for two browsers at the same time', async () => {
    const user = await makeUser(service);
    const link_token = await makeLink(service, user.id);
    const answers = await Promise.all([signIn({ link_token }), signIn({ link_token })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect((await signIn({ link_token })).status).toBe(401);
    const late = { 'x-test-now': new Date(Date.now() + 11 * 60_000).toISOString() };
    expect((await signIn({ link_token: await makeLink(service, user.id) }, late)).status).toBe(401);
    const forPassword = await makeLink(service, user.id, 'set_password');
    expect((await signIn({ link_token: forPassword })).status).toBe(401);
  });

  it('ends the session that the browser had, and never takes a token that the browser brings', async () => {
    const [victim, user] = [await signedIn(service), await makeUser(service)];
    const answer = await signIn({ link_token: await makeLink(service, user.id) }, { cookie: victim.cookie });
    expect([answer.status, cookieOf(answer) === victim.cookie]).toEqual([201, false]);
    expect((await victim.call('GET', me)).status).toBe(401);
    const planted = `kohort_session=${'A'.repeat(43)}`;
    const again = await signIn({ link_token: await makeLink(service, user.id) }, { cookie: planted });
    expect(cookieOf(again)).not.toBe(planted);
    expect((await new Browser(service, user.id, '', planted).call('GET', me)).status).toBe(401);
  });

  it('is refused to pages of other origins, so that none can sign a user in as another', async () => {
    const user = await makeUser(service);
    const link_token = await makeLink(service, user.id);
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
    ];
    for (const headers of foreign) expect((await signIn({ link_token }, headers)).status).toBe(403);
    expect((await signIn({ link_token }, { origin: service.url })).status).toBe(201);
  });

  it('has a secure cookie behind TLS', async () => {
    const user = await makeUser(service);
    const answer = await signIn({ link_token: await makeLink(service, user.id) }, { 'x-forwarded-proto': 'https' });
    const [cookie] = answer.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  });
});

describe('a session', () => {
  it('is listed to its user, and ended by its user only', async () => {
    const user = await makeUser(service);
    const [first, second] = [await openSession(service, user), await openSession(service, user)];
    const stranger = await signedIn(service);
    const listed = async (browser: Browser) =>
      ((await browser.call('GET', '/api/sessions')).body as { results: SessionDto[] }).results;
    const [current, other] = await listed(second);
    expect([current?.is_current, other?.is_current, (await listed(second)).length]).toEqual([true, false, 2]);
    expect((await stranger.call('DELETE', `/api/sessions/${other?.id}`)).status).toBe(404);
    expect((await second.call('DELETE', `/api/sessions/${other?.id}`)).status).toBe(204);
    expect((await second.call('DELETE', `/api/sessions/${other?.id}`)).status).toBe(404);
    expect([(await first.call('GET', me)).status, (await second.call('GET', me)).status]).toEqual([401, 200]);
  });

  it('that signed out is of no use to who has its cookie', async () => {
    const browser = await signedIn(service);
    const answer = await browser.call('DELETE', '/api/sessions/@current');
    expect([answer.status, cookieOf(answer)]).toEqual([204, 'kohort_session=']);
    for (const path of [me, '/api/sessions', `/api/projects/${service.project.id}/persons`])
      expect((await browser.call('GET', path)).status).toBe(401);
  });

  it('lasts for 14 days after its last request', async () => {
    const browser = await signedIn(service);
    const after = (days: number) => ({
      headers: { 'x-test-now': new Date(Date.now() + days * 86_400_000).toISOString() },
    });
    const kept = await browser.call('GET', me, after(13.9));
    expect([kept.status, cookieOf(kept)]).toEqual([200, browser.cookie]);
    for (let tries = 0; tries < 100; tries += 1) {
      const { rows } = await service.pool.query<{ days: number }>(
        `SELECT extract(epoch FROM expires_at - now()) / 86400 AS days FROM sessions WHERE user_id = $1`,
        [browser.userId],
      );
      if (Number(rows[0]?.days) > 27) break;
    }
    expect((await browser.call('GET', me, after(27.8))).status).toBe(200);
    expect((await (await signedIn(service)).call('GET', me, after(14.1))).status).toBe(401);
  });

  it('yields to a key in the same request, and is no key itself', async () => {
    const browser = await signedIn(service);
    const key = await service.newKey();
    const byKey = await browser.call('GET', me, { key: key.text });
    expect((byKey.body as { email: string }).email).toBe(service.email);
    expect((await browser.call('GET', me, { key: 'phx_wrong' })).status).toBe(401);
    expect((await service.call('GET', '/api/sessions')).status).toBe(403);
    expect((await service.call('DELETE', '/api/sessions/@current')).status).toBe(403);
    expect((await browser.call('GET', '/api/personal_api_keys/@current')).status).toBe(404);
  });

  it('is not guessed from two cookies, one of which a neighbouring host may have set', async () => {
    const [browser, attacker] = [await signedIn(service), await signedIn(service)];
    const both = new Browser(service, 0, '', `${attacker.cookie}; ${browser.cookie}`);
    expect((await both.call('GET', me)).status).toBe(401);
  });
});

describe('a page of another origin', () => {
  it('makes a browser change nothing, on any route that changes something', async () => {
    const owner = await signedIn(service, { isOwner: true });
    const unsafe = service.app
      .get(Routes)
      .all()
      .filter(
        ({ rules, method, path }) =>
          rules[0]?.kind === 'key' && (method !== 'GET' || path.endsWith('duplicate_as_static_cohort')),
      );
    expect(unsafe.length).toBeGreaterThan(30);
    const foreign: readonly Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
      { 'sec-fetch-site': 'same-site', origin: service.url },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: service.url.replace('127.0.0.1', 'localhost') },
      {},
    ];
    const admitted = [];
    for (const { method, path } of unsafe)
      for (const headers of foreign) {
        const url = service.url + path.replace(':project_id', String(service.project.id)).replace(/:\w+/g, '1');
        const answer = await fetch(url, { method, headers: { cookie: owner.cookie, ...headers } });
        if (answer.status !== 403) admitted.push([method, path, headers, answer.status]);
        await answer.arrayBuffer();
      }
    expect(admitted).toEqual([]);
  });

  it('meets a route with a rule wherever the document has one that changes something', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    const open: string[] = [];
    let guarded = 0;
    for (const [path, item] of Object.entries(document.paths))
      for (const method of ['post', 'put', 'patch', 'delete'] as const) {
        const security = item[method]?.security;
        if (!security) continue;
        if (security.length > 0) guarded += 1;
        else open.push(...[path, ...aliasesOf(item)].map((each) => `${method} ${each}`));
      }
    expect(guarded).toBeGreaterThan(30);
    // On the others no cookie counts: events of any page are taken by the token in them. Two open a session, three read
    // what the token in their body names.
    const links = ['invitations/accept', 'invitations/preview', 'shared_dashboard', 'shared_dashboard/answers'];
    const ofPeople = ['sessions', ...links].map((path) => `post /api/${path}`);
    expect(open.filter((each) => each.includes('/api/')).sort()).toEqual(ofPeople.sort());
    const user = await signedIn(service);
    const link = await makeLink(service, user.userId, 'set_password');
    const body = JSON.stringify({ token: link, password });
    const sites: readonly Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ];
    for (const site of sites) {
      const headers = { 'content-type': 'application/json', cookie: user.cookie, ...site };
      const answer = await fetch(`${service.url}/api/invitations/accept`, { method: 'POST', body, headers });
      expect([site, answer.status, answer.headers.get('set-cookie')]).toEqual([site, 403, null]);
    }
    const { rows } = await service.pool.query('SELECT password_hash FROM users WHERE id = $1', [user.userId]);
    expect(rows).toEqual([{ password_hash: null }]);
  });

  it('is told apart by the host of its Origin where the browser says no more', async () => {
    const owner = await signedIn(service, { isOwner: true });
    const path = `/api/projects/${service.project.id}/cohorts`;
    const send = (headers: Record<string, string>) =>
      fetch(service.url + path, { method: 'POST', headers: { cookie: owner.cookie, ...headers } });
    expect((await send({ origin: service.url })).status).toBe(400);
    expect((await send({ origin: service.url, 'sec-fetch-site': 'same-origin' })).status).toBe(400);
  });

  it('gets no permission to send cookies', async () => {
    const owner = await signedIn(service, { isOwner: true });
    // SDKs of any origin may send cookies to what they call, where no cookie counts.
    const ofAccounts = /^\/api\/(sessions|invitations|console|shared_dashboard)/;
    const routes = service.app.get(Routes).all();
    const guarded = routes.filter(({ path, rules: [rule] }) => rule?.kind === 'key' || ofAccounts.test(path));
    expect(guarded.length).toBeGreaterThan(100);
    for (const { path } of guarded) {
      const answer = await fetch(service.url + path.replace(/:\w+/g, '1'), {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST', cookie: owner.cookie },
      });
      await answer.arrayBuffer();
      expect([path, answer.headers.get('access-control-allow-credentials')]).toEqual([path, null]);
    }
  });
});
