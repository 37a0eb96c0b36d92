import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { CookieBrowser } from '../support/oidc/cookie-browser.js';
import { type Claims, type HostileIssuer, type Hostility, startHostileIssuer } from '../support/oidc/hostile-issuer.js';
import { oidcSettings } from '../support/oidc/real-issuer.js';
import { startTestService, type TestService } from '../support/service.js';

/** What a provider, or somebody between, sends besides wrong tokens: too much, too slowly, to elsewhere, of odd texts. */
let issuer: HostileIssuer;
let elsewhere: HostileIssuer;
let service: TestService;
const log: string[] = [];

beforeAll(async () => {
  [issuer, elsewhere] = [await startHostileIssuer(), await startHostileIssuer()];
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => log.push(line) > 0 });
  service = await startTestService({ ...oidcSettings(issuer.url), TRUST_PROXY: '1' }, logger);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([issuer.stop(), elsewhere.stop()]);
});

const discovery = '/.well-known/openid-configuration';
const down = '/sign-in?refused=provider_unavailable';
const notValid = '/sign-in?refused=answer_not_valid';

let addresses = 0;
const attack = async (hostility: Hostility): Promise<string | null> => {
  issuer.set(hostility);
  const from = { 'x-forwarded-for': `198.51.100.${(addresses += 1)}` };
  const browser = new CookieBrowser(service.url);
  const begun = await browser.visit('/api/sessions/oidc/start', from);
  if (begun.location?.startsWith('/') ?? true) return begun.location ?? `${begun.status} ${begun.body}`;
  const { location, status, body } = await browser.visit(
    await browser.follow(begun, (url) => url.origin === service.url),
    from,
  );
  return location ?? `${status} ${body}`;
};

const users = async (): Promise<string[]> =>
  (await service.pool.query<{ email: string }>('SELECT email FROM users ORDER BY id')).rows.map(({ email }) => email);

let before: string[] = [];
beforeEach(async () => {
  before = await users();
});

const mebibyte = 1024 ** 2;
let sentBytes = 0;

/** JSON that never ends, as fast as it is read. */
const endless = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"padding":"');
  const more = (): void => {
    while (!response.destroyed) {
      sentBytes += chunk.length;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
  };
  more();
};

/** A gibibyte that comes as one mebibyte. */
const inflating = (response: ServerResponse): void => {
  const packed = createGzip();
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  packed.on('error', () => undefined).pipe(response);
  response.on('close', () => packed.destroy());
  let rest = 1024;
  const more = (): void => {
    while (!packed.destroyed && rest > 0) {
      rest -= 1;
      sentBytes += mebibyte;
      if (!packed.write(Buffer.alloc(mebibyte, ' '))) return void packed.once('drain', more);
    }
    if (!packed.destroyed) packed.end('{}');
  };
  more();
};

const dripping = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};

const redirectTo = (location: string, status: number) => (response: ServerResponse) =>
  void response.writeHead(status, { location }).end();

const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

describe('an answer of a provider', () => {
  /** Without an e-mail in the token, the service asks for the details, too. */
  const claims = (honest: Claims) => ({ ...honest, email: undefined });

  // The answers before it are known once the provider was honest, so discovery is first.
  it.each([discovery, '/token', '/jwks', '/userinfo'])('at %s that never ends is not read to its end', async (path) => {
    for (const answer of [endless, inflating]) {
      sentBytes = 0;
      const began = Date.now();
      expect(await attack({ claims, answers: { [path]: answer } })).toBe(down);
      // The buffers of both sides of a connection take some of it, which is then sent, but not read.
      expect(sentBytes).toBeLessThan(256 * mebibyte);
      expect(Date.now() - began).toBeLessThan(4_000);
    }
    expect(await users()).toEqual(before);
  });

  it('that comes byte by byte is waited for 5 seconds', async () => {
    const began = Date.now();
    expect(await attack({ answers: { '/token': dripping } })).toBe(down);
    expect(Date.now() - began).toBeLessThan(9_000);
    expect(await users()).toEqual(before);
  });

  it('that leads elsewhere is not followed', async () => {
    for (const [path, status] of [
      ['/token', 307],
      ['/token', 302],
      ['/userinfo', 307],
      ['/userinfo', 301],
    ] as const) {
      const target = redirectTo(`${elsewhere.url}${path}`, status);
      expect([path, await attack({ claims, answers: { [path]: target } })]).toEqual([path, down]);
    }
    expect([...elsewhere.requests]).toEqual([]);
    expect(await users()).toEqual(before);
  });

  it('that is nested deeper than any reader needs is no fault of the service', async () => {
    const deep = (response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(nested);
    expect(await attack({ answers: { '/token': deep } })).toBe(notValid);
    expect(await attack({ claims, answers: { '/userinfo': deep } })).toMatch(/^\/sign-in\?refused=/);
    expect(await users()).toEqual(before);
  });
});

describe('claims of an account', () => {
  const refused: [string, Claims][] = [
    ['/sign-in?refused=email_missing', { email: ['ada@example.test'] }],
    ['/sign-in?refused=email_missing', { email: { toString: 'ada@example.test' } }],
    ['/sign-in?refused=email_missing', { email: 'ada@example.test@' }],
    ['/sign-in?refused=email_missing', { email: 'ada@example.test\nBcc: x@example.test' }],
    ['/sign-in?refused=email_missing', { email: 'ada\u0000@example.test' }],
    ['/sign-in?refused=email_missing', { email: 'ada\ud800@example.test' }],
    ['/sign-in?refused=email_missing', { email: `${'a'.repeat(400)}@example.test` }],
    ['/sign-in?refused=domain_not_allowed', { email: 'ada@evil.test' }],
    ['/sign-in?refused=domain_not_allowed', { email: 'ada@example.test.evil.test' }],
    ['/sign-in?refused=domain_not_allowed', { email: 'ada@еxample.test' }],
    ['/sign-in?refused=domain_not_allowed', { email: 'ada@ｅxample.test' }],
    ['/sign-in?refused=domain_not_allowed', { email: 'ada@example.test.' }],
    ['/sign-in?refused=email_not_verified', { email_verified: false }],
    ['/sign-in?refused=email_not_verified', { email_verified: 1 }],
    ['/sign-in?refused=email_not_verified', { email_verified: ['true'] }],
    [notValid, { sub: 'ada\u0000' }],
    [notValid, { sub: 'ada\ud800' }],
    [notValid, { sub: '' }],
    [notValid, { sub: ['ada'] }],
  ];

  it.each(refused)('are refused (%s)', async (reason, wrong) => {
    expect(await attack({ claims: (honest) => ({ ...honest, ...wrong }) })).toBe(reason);
    expect(await users()).toEqual(before);
  });

  it('may have names of any characters, which stay texts', async () => {
    const names = { given_name: '<img src=x onerror=alert(1)>\u0000\u202e', family_name: '\ud800{{7*7}}' };
    const person = { sub: 'odd', email: 'odd@example.test' };
    expect(await attack({ claims: (honest) => ({ ...honest, ...person, ...names }) })).toBe('/');
    const { rows } = await service.pool.query(
      `SELECT first_name, last_name FROM users WHERE email = 'odd@example.test'`,
    );
    expect(rows).toEqual([{ first_name: '<img src=x onerror=alert(1)> \u202e', last_name: '\ufffd{{7*7}}' }]);
  });
});

it('none of them is an error of the service, and no log has a token or a person', () => {
  const text = log.join('');
  // Background work may find no connection at a slow start; that is no error of a sign-on.
  const ofRequests = log.filter((line) => !line.includes('"retryMs":')).join('');
  expect(ofRequests).not.toMatch(/"stack"|"level":(?:50|"error")/);
  for (const secret of ['secret-access-token', 'eyJ', 'example.test', 'onerror'])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
});
