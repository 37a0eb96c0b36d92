import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type MeDto } from '../../src/auth/users/me.dto.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { CookieBrowser } from '../support/oidc/cookie-browser.js';
import { clientOfTests, oidcSettings, type RealIssuer, startRealIssuer } from '../support/oidc/real-issuer.js';
import { startTestService, type TestService } from '../support/service.js';
import { Browser, makeLink, makeUser, openSession } from '../support/signed-in.js';

let issuer: RealIssuer;
let service: TestService;
const log: string[] = [];

beforeAll(async () => {
  issuer = await startRealIssuer();
  const settings = { ...oidcSettings(issuer.url), OIDC_NEW_USER_PROJECTS: '1, 999', TRUST_PROXY: '1' };
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => log.push(line) > 0 });
  service = await startTestService(settings, logger);
  issuer.serve(service.url);
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const start = '/api/sessions/oidc/start';
const newBrowser = () => new CookieBrowser(service.url);
const newSub = () => randomUUID();
const person = (sub: string, email = `${sub}@example.test`) => ({
  ...{ sub, email, email_verified: true },
  ...{ given_name: 'Ada', family_name: 'Lovelace' },
});

const sessionOf = (browser: CookieBrowser): Browser =>
  new Browser(service, 0, '', `kohort_session=${browser.cookie('kohort_session')}`);

const meOf = async (browser: CookieBrowser): Promise<MeDto> => {
  const { body, status } = await sessionOf(browser).call('GET', '/api/users/@me');
  expect(status).toBe(200);
  return body as MeDto;
};

/** The reason with which the browser is led back to the sign-in page; it has no session then. */
const refusal = async (claims: ReturnType<typeof person>, browser = newBrowser()): Promise<string> => {
  issuer.setAccount(claims);
  const before = browser.cookie('kohort_session');
  const location = await browser.signIn();
  expect(browser.cookie('kohort_session')).toBe(before);
  return location;
};

const activityOf = async (userId: number) => {
  const { rows } = await service.pool.query<{ scope: string; activity: string; detail: object }>(
    'SELECT scope, activity, detail FROM account_activity WHERE account_id = $1 ORDER BY created_at, id',
    [userId],
  );
  return rows;
};

describe('a first sign-in by the provider', () => {
  it('makes a user with the names of the account, and opens the page from which it came', async () => {
    issuer.setAccount(person('first'));
    const browser = newBrowser();
    const location = await browser.signIn(`${start}?return_to=${encodeURIComponent('/p/1/insights/trends?a=1#b')}`);
    expect(location).toBe('/p/1/insights/trends?a=1#b');
    expect(await meOf(browser)).toMatchObject({
      ...{ email: 'first@example.test', first_name: 'Ada', last_name: 'Lovelace' },
      ...{ is_email_verified: true, has_password: false, has_single_sign_on: true, is_owner: false },
      projects: [{ id: 1, role: 'viewer' }],
    });
    const { id } = await meOf(browser);
    expect((await activityOf(id)).map(({ scope, activity }) => `${scope} ${activity}`)).toEqual([
      'User created',
      'Session opened',
    ]);
  });

  it('does nothing twice when two browsers finish it at the same time', async () => {
    const sub = newSub();
    issuer.setAccount(person(sub));
    const browsers = [newBrowser(), newBrowser(), newBrowser()];
    const callbacks: URL[] = [];
    for (const browser of browsers) callbacks.push(await browser.toCallback());
    const visits = await Promise.all(browsers.map((browser, at) => browser.visit(callbacks[at] ?? '')));
    expect(visits.map(({ location }) => location)).toEqual(['/', '/', '/']);
    const ids = await Promise.all(browsers.map(async (browser) => (await meOf(browser)).id));
    expect(new Set(ids).size).toBe(1);
  });

  it('leaves a cookie for 10 minutes that only the routes of the sign-in get', async () => {
    const { setCookies, location, status } = await newBrowser().visit(start);
    expect(setCookies).toEqual([
      expect.stringMatching(
        /^kohort_sign_on=[\w-]{43}; Max-Age=600; Path=\/api\/sessions\/oidc; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const { searchParams } = new URL(location ?? '');
    expect([status, Object.fromEntries(searchParams)]).toEqual([
      303,
      {
        ...{ client_id: clientOfTests.id, response_type: 'code', scope: 'openid email profile' },
        redirect_uri: `${service.url}/api/sessions/oidc/callback`,
        ...{ code_challenge_method: 'S256', code_challenge: expect.stringMatching(/^[\w-]{43}$/) },
        ...{ state: expect.stringMatching(/^[\w-]{43}$/), nonce: expect.stringMatching(/^[\w-]{43}$/) },
      },
    ]);
    const { rows } = await service.pool.query('SELECT * FROM sign_on_attempts');
    expect(JSON.stringify(rows)).not.toContain(searchParams.get('state'));
    const overTls = await newBrowser().visit(start, { 'x-forwarded-proto': 'https' });
    expect(overTls.setCookies[0]).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  });
});

describe('a session that was planted in a browser', () => {
  it('does not become the session of the person who signs in', async () => {
    issuer.setAccount(person(newSub()));
    const browser = newBrowser();
    const callback = await browser.toCallback();
    const planted = `kohort_session=${'A'.repeat(43)}`;
    const cookie = `${planted}; kohort_sign_on=${browser.cookie('kohort_sign_on')}`;
    expect((await browser.visit(callback, { cookie })).location).toBe('/');
    expect(sessionOf(browser).cookie).not.toBe(planted);
    expect((await new Browser(service, 0, '', planted).call('GET', '/api/users/@me')).status).toBe(401);
  });
});

describe('a later sign-in', () => {
  it('finds the user by the subject, whatever became of its e-mail', async () => {
    const sub = newSub();
    issuer.setAccount(person(sub));
    const [first, second] = [newBrowser(), newBrowser()];
    await first.signIn();
    issuer.setAccount(person(sub, `renamed-${sub}@other.test`));
    await second.signIn();
    const [before, after] = [await meOf(first), await meOf(second)];
    expect([after.id, after.email]).toEqual([before.id, before.email]);
  });

  it('opens a new session each time, and ends the one that the browser had', async () => {
    issuer.setAccount(person(newSub()));
    const browser = newBrowser();
    await browser.signIn();
    const earlier = sessionOf(browser);
    await browser.signIn();
    expect(sessionOf(browser).cookie).not.toBe(earlier.cookie);
    expect((await earlier.call('GET', '/api/users/@me')).status).toBe(401);
    expect((await meOf(browser)).has_single_sign_on).toBe(true);
  });

  it('is refused once the account is in a domain that is not allowed, or its e-mail is not verified', async () => {
    const sub = newSub();
    issuer.setAccount(person(sub));
    await newBrowser().signIn();
    expect(await refusal(person(sub, `${sub}@elsewhere.test`))).toBe('/sign-in?refused=domain_not_allowed');
    expect(await refusal({ ...person(sub), email_verified: false })).toBe('/sign-in?refused=email_not_verified');
  });
});

describe('an account that may not sign in', () => {
  it('is refused, and makes no user', async () => {
    const sub = newSub();
    const strange: [object, string][] = [
      [{ email: `${sub}@elsewhere.test` }, 'domain_not_allowed'],
      [{ email: `${sub}@example.test.elsewhere.test` }, 'domain_not_allowed'],
      [{ email: `${sub}@sub.example.test` }, 'domain_not_allowed'],
      [{ email: `${sub}@example.test@elsewhere.test` }, 'email_missing'],
      [{ email: `${sub}@eхample.test` }, 'domain_not_allowed'],
      [{ email: undefined }, 'email_missing'],
      [{ email: 'no address' }, 'email_missing'],
      [{ email_verified: false }, 'email_not_verified'],
      [{ email_verified: undefined }, 'email_not_verified'],
      [{ email_verified: 'false' }, 'email_not_verified'],
      [{ email_verified: 1 }, 'email_not_verified'],
    ];
    for (const [claims, reason] of strange)
      expect([claims, await refusal({ ...person(sub), ...claims })]).toEqual([claims, `/sign-in?refused=${reason}`]);
    const { rows } = await service.pool.query('SELECT 1 FROM users WHERE email LIKE $1', [`%${sub}%`]);
    expect(rows).toEqual([]);
  });

  it('tells a program what is wrong and what helps', async () => {
    issuer.setAccount(person(newSub(), 'x@elsewhere.test'));
    const browser = newBrowser();
    const { status, body } = await browser.visit(await browser.toCallback(), { accept: '*/*' });
    expect([status, JSON.parse(body)]).toEqual([
      403,
      expect.objectContaining({
        code: 'permission_denied',
        detail:
          'Accounts with the domain of your e-mail may not sign in: use your account at work, or ask an administrator to allow the domain',
      }),
    ]);
  });

  it('that says no at the provider is led back', async () => {
    issuer.setAccount(person(newSub()));
    issuer.denyNext();
    expect(await newBrowser().signIn()).toBe('/sign-in?refused=provider_refused');
  });
});

describe('a user that exists with the e-mail of the account', () => {
  const setPassword = (id: number) =>
    service.pool.query(`UPDATE users SET password_hash = 'set by somebody' WHERE id = $1`, [id]);

  it('is not opened when it has a password, which another person may have set', async () => {
    const sub = newSub();
    const user = await makeUser(service, { email: `${sub}@example.test` });
    await setPassword(user.id);
    expect(await refusal(person(sub))).toBe('/sign-in?refused=email_taken');
    expect(await activityOf(user.id)).toEqual([]);
  });

  it('is connected when this browser is signed in as the user, and stays so', async () => {
    const sub = newSub();
    const user = await makeUser(service, { email: `${sub}@example.test` });
    const session = await openSession(service, user);
    await setPassword(user.id);
    const signedIn = { cookie: '' };
    issuer.setAccount(person(sub, `${sub.toUpperCase()}@example.test`));
    const browser = newBrowser();
    const callback = await browser.toCallback();
    signedIn.cookie = `${session.cookie}; kohort_sign_on=${browser.cookie('kohort_sign_on')}`;
    expect((await browser.visit(callback, signedIn)).location).toBe('/');
    expect(await meOf(browser)).toMatchObject({ id: user.id, has_password: true, has_single_sign_on: true });
    const later = newBrowser();
    await later.signIn();
    expect((await meOf(later)).id).toBe(user.id);
    expect(await activityOf(user.id)).toContainEqual(
      expect.objectContaining({
        activity: 'updated',
        detail: expect.objectContaining({ changes: [expect.objectContaining({ field: 'single_sign_on' })] }),
      }),
    );
  });

  it('is not connected when this browser is signed in as another user', async () => {
    const sub = newSub();
    const user = await makeUser(service, { email: `${sub}@example.test` });
    await setPassword(user.id);
    const session = await openSession(service, await makeUser(service));
    issuer.setAccount(person(sub));
    const browser = newBrowser();
    const callback = await browser.toCallback();
    const cookie = `${session.cookie}; kohort_sign_on=${browser.cookie('kohort_sign_on')}`;
    expect((await browser.visit(callback, { cookie })).location).toBe('/sign-in?refused=email_taken');
    expect((await session.call('GET', '/api/users/@me')).status).toBe(200);
  });

  it('is connected when it has no password; other ways into it end', async () => {
    const sub = newSub();
    const user = await makeUser(service, { email: `${sub}@example.test`, isOwner: true });
    const session = await openSession(service, user);
    const link = await makeLink(service, user.id, 'set_password');
    issuer.setAccount(person(sub));
    const browser = newBrowser();
    expect(await browser.signIn()).toBe('/');
    expect(await meOf(browser)).toMatchObject({ id: user.id, is_owner: true, is_email_verified: true });
    expect((await session.call('GET', '/api/users/@me')).status).toBe(401);
    const body = { token: link, password: 'correct horse battery staple' };
    expect((await service.call('POST', '/api/invitations/accept', { key: null, body })).status).toBe(401);
  });

  it('is not opened by an e-mail that only PostgreSQL takes for the same', async () => {
    const sub = newSub();
    const user = await makeUser(service, { email: `k${sub}@example.test` });
    // The sign of Kelvin, whose small letter is k, except in a database whose locale is C.
    const email = `\u212a${sub}@example.test`;
    const { rows } = await service.pool.query<{ same: boolean }>('SELECT lower($1) = $2 AS same', [email, user.email]);
    if (rows[0]?.same) {
      expect(await refusal(person(sub, email))).toBe('/sign-in?refused=email_taken');
    } else {
      issuer.setAccount(person(sub, email));
      const browser = newBrowser();
      await browser.signIn();
      expect((await meOf(browser)).id).not.toBe(user.id);
    }
    expect(await activityOf(user.id)).toEqual([]);
  });

  it('has one account of the provider, until an operator disconnects it', async () => {
    const [sub, other] = [newSub(), newSub()];
    issuer.setAccount(person(sub));
    const browser = newBrowser();
    await browser.signIn();
    const { id } = await meOf(browser);
    expect(await refusal(person(other, `${sub}@example.test`))).toBe('/sign-in?refused=other_account');
    const { UsersService } = await import('../../src/auth/users/users.service.js');
    expect(await service.app.get(UsersService).disconnect(id, new Date())).toBe(1);
    issuer.setAccount(person(other, `${sub}@example.test`));
    const later = newBrowser();
    await later.signIn();
    expect((await meOf(later)).id).toBe(id);
    expect(await refusal(person(sub))).toBe('/sign-in?refused=other_account');
  });
});

describe('an answer of the provider', () => {
  const notStarted = '/sign-in?refused=not_begun';

  it('is of use once, and only in the browser that began', async () => {
    issuer.setAccount(person(newSub()));
    const [browser, stranger] = [newBrowser(), newBrowser()];
    const callback = await browser.toCallback();
    const secret = browser.cookie('kohort_sign_on');
    await stranger.toCallback();
    expect((await stranger.visit(callback)).location).toBe(notStarted);
    expect((await newBrowser().visit(callback)).location).toBe(notStarted);
    expect((await browser.visit(callback)).location).toBe('/');
    expect(browser.cookie('kohort_sign_on')).toBeUndefined();
    const replayed = { cookie: `kohort_sign_on=${secret}` };
    expect((await newBrowser().visit(callback, replayed)).location).toBe(notStarted);
  });

  it('opens one session when it arrives twice at the same time', async () => {
    issuer.setAccount(person(newSub()));
    const browser = newBrowser();
    const callback = await browser.toCallback();
    const headers = { cookie: `kohort_sign_on=${browser.cookie('kohort_sign_on')}` };
    const visits = await Promise.all([browser.visit(callback, headers), newBrowser().visit(callback, headers)]);
    expect(visits.map(({ location }) => location).sort()).toEqual(['/', notStarted]);
  });

  it('needs its state, unchanged and once', async () => {
    issuer.setAccount(person(newSub()));
    const browser = newBrowser();
    const callback = await browser.toCallback();
    const code = callback.searchParams.get('code') ?? '';
    const state = callback.searchParams.get('state') ?? '';
    for (const wrong of [
      `code=${code}`,
      `code=${code}&state=`,
      `code=${code}&state=${'x'.repeat(43)}`,
      'state[]=x',
      '',
    ])
      expect((await browser.visit(`${callback.pathname}?${wrong}`)).location).toBe(notStarted);
    expect((await browser.visit(`${callback.pathname}?code=${code}&state=${state}&state=${state}`)).location).toBe(
      notStarted,
    );
    // None of them has used up the sign-in of this browser.
    expect((await browser.visit(callback)).location).toBe('/');
  });

  it('cannot be given to another sign-in: its code belongs to the verifier of one', async () => {
    issuer.setAccount(person(newSub()));
    const [browser, attacker] = [newBrowser(), newBrowser()];
    const callback = await browser.toCallback();
    const stolen = (await attacker.toCallback()).searchParams.get('code') ?? '';
    callback.searchParams.set('code', stolen);
    expect((await browser.visit(callback)).location).toBe('/sign-in?refused=answer_not_valid');
  });

  it('is refused when PKCE was removed on the way to the provider', async () => {
    issuer.setAccount(person(newSub()));
    for (const change of [
      (url: URL) => ['code_challenge', 'code_challenge_method'].forEach((name) => url.searchParams.delete(name)),
      (url: URL) => url.searchParams.set('code_challenge', 'x'.repeat(43)),
      (url: URL) => url.searchParams.set('code_challenge_method', 'plain'),
    ]) {
      const browser = newBrowser();
      const begun = new URL((await browser.visit(start)).location ?? '');
      change(begun);
      const isBack = (url: URL) => url.origin === service.url;
      const callback = await browser.follow(await browser.visit(begun), isBack);
      expect((await browser.visit(callback)).location).toMatch(/refused=(answer_not_valid|provider_refused)$/);
      expect(browser.cookie('kohort_session')).toBeUndefined();
    }
  });

  it('comes within 10 minutes', async () => {
    issuer.setAccount(person(newSub()));
    const browser = newBrowser();
    const callback = await browser.toCallback();
    const late = { 'x-test-now': new Date(Date.now() + 11 * 60_000).toISOString() };
    expect((await browser.visit(callback, late)).location).toBe(notStarted);
  });

  it('is not taken from two cookies, one of which a neighbouring host may have set', async () => {
    issuer.setAccount(person(newSub()));
    const [browser, attacker] = [newBrowser(), newBrowser()];
    const callback = await attacker.toCallback();
    await browser.toCallback();
    const planted = ['attacker', 'browser'].map(
      (who) => `kohort_sign_on=${(who === 'browser' ? browser : attacker).cookie('kohort_sign_on')}`,
    );
    expect((await browser.visit(callback, { cookie: planted.join('; ') })).location).toBe(notStarted);
  });
});

describe('the page to return to', () => {
  it('is one of this service, however it is written', async () => {
    const elsewhere = [
      ...[
        '//evil.test',
        '/\\evil.test',
        '\\\\evil.test',
        'https://evil.test',
        'https:evil.test',
        'javascript:alert(1)',
      ],
      ...['/p/..//evil.test', '/p/%2e%2e//evil.test', '/p/x/../..//evil.test', '/\t/evil.test', '/%09/evil.test'],
      ...['/api/sessions/oidc/start', '/docs', 'p/1/live', '', ' /p/1', '/p/1\n', `/p/${'x'.repeat(2000)}`],
      service.url.replace('http:', ''),
      `${service.url}/p/1/live`,
    ];
    const led: unknown[] = [];
    for (const text of elsewhere) {
      const { status, body } = await newBrowser().visit(`${start}?return_to=${encodeURIComponent(text)}`);
      // What a browser reads as a page of this service after all leads there.
      if (status === 303 && /^ ?\/p\/1\n?$/.test(text)) continue;
      if (status !== 400 || (JSON.parse(body) as { attr: string }).attr !== 'return_to') led.push([text, status]);
    }
    expect(led).toEqual([]);
  });
});

describe('single sign-on', () => {
  it('is announced to the console by its name', async () => {
    const { body } = await service.call('GET', '/api/console', { key: null });
    expect(body).toMatchObject({ oidc: { name: 'Test Identity' } });
  });

  it('takes no parameter that it does not know, and any that a provider adds', async () => {
    expect((await service.call('GET', start, { key: null, query: { returnto: '/' } })).status).toBe(400);
    const { location } = await newBrowser().visit(
      '/api/sessions/oidc/callback?session_state=1&authuser=0&hd=example.test',
    );
    expect(location).toBe('/sign-in?refused=not_begun');
  });

  it('logs neither code nor state nor token', async () => {
    issuer.setAccount(person(newSub()));
    const browser = newBrowser();
    const callback = await browser.toCallback();
    await browser.visit(callback);
    const again = newBrowser();
    const bad = await again.toCallback();
    bad.searchParams.set('code', 'a-code-that-does-not-exist');
    await again.visit(bad);
    const text = log.join('');
    expect(text).toContain('/api/sessions/oidc/callback');
    expect(text).toContain('"code":"invalid_grant"');
    const secrets = [...callback.searchParams.values(), clientOfTests.secret, 'a-code-that-does-not-exist', 'eyJ'];
    // The issuer is no secret: answers name it.
    for (const secret of secrets.filter((value) => value !== issuer.url))
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    expect(text).not.toContain('example.test');
  });
});
