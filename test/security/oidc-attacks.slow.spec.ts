import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { CookieBrowser } from '../support/oidc/cookie-browser.js';
import {
  type Claims,
  foreignKey,
  type HostileIssuer,
  type Hostility,
  signedByPublicKey,
  startHostileIssuer,
  unsigned,
} from '../support/oidc/hostile-issuer.js';
import { oidcSettings } from '../support/oidc/real-issuer.js';
import { startTestService, type TestService } from '../support/service.js';

let issuer: HostileIssuer;
let service: TestService;
const log: string[] = [];

beforeAll(async () => {
  issuer = await startHostileIssuer();
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => log.push(line) > 0 });
  const settings = { ...oidcSettings(issuer.url), SIGN_IN_ATTEMPTS: '2', OIDC_ASSUME_VERIFIED_EMAILS: '1' };
  service = await startTestService({ ...settings, TRUST_PROXY: '1' }, logger);
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const start = '/api/sessions/oidc/start';
const discovery = '/.well-known/openid-configuration';

let addresses = 0;
/** Each attack comes from an address of its own, so that the limit of failures stops none. */
const attack = async (hostility: Hostility): Promise<string | null> => {
  issuer.set(hostility);
  const from = { 'x-forwarded-for': `198.51.100.${(addresses += 1)}` };
  const browser = new CookieBrowser(service.url);
  const begun = await browser.visit(start, from);
  if (begun.location?.startsWith('/')) return begun.location;
  const callback = await browser.follow(begun, (url) => url.origin === service.url);
  const { location } = await browser.visit(callback, from);
  expect([hostility, location === '/', browser.cookie('kohort_session') !== undefined]).toEqual([
    hostility,
    location === '/',
    location === '/',
  ]);
  return location;
};

/** Without connections to PostgreSQL that a busy machine opens too slowly, which are reported with their stacks. */
const logged = (): string => log.filter((line) => !line.includes('timeout exceeded when trying to connect')).join('');

const down = '/sign-in?refused=provider_unavailable';
const notValid = '/sign-in?refused=answer_not_valid';

describe('a provider that is down', () => {
  it('is a clear answer to people and programs, and no stack', async () => {
    issuer.set({ broken: { [discovery]: 'close' } });
    const answer = await service.call('GET', start, { key: null });
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      503,
      '60',
      expect.objectContaining({ code: 'unavailable', detail: expect.stringContaining('try again in a minute') }),
    ]);
    for (const fault of ['close', 'error', 'page'] as const)
      expect([fault, await attack({ broken: { [discovery]: fault } })]).toEqual([fault, down]);
    expect(log.filter((line) => line.includes('single sign-on failed')).length).toBeGreaterThanOrEqual(4);
    expect(logged()).not.toMatch(/"stack"|secret page/);
  });

  it('is waited for at most 5 seconds', async () => {
    const began = Date.now();
    expect(await attack({ broken: { [discovery]: 'hang' } })).toBe(down);
    expect(Date.now() - began).toBeGreaterThan(4_000);
    expect(Date.now() - began).toBeLessThan(9_000);
  });

  it('leaves the people of an address their attempts', async () => {
    issuer.set({ broken: { [discovery]: 'close' } });
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const answers: (string | null)[] = [];
    for (let tries = 0; tries < 25; tries += 1)
      answers.push((await new CookieBrowser(service.url).visit(start, from)).location);
    expect(new Set(answers)).toEqual(new Set([down]));
  });
});

describe('a provider that describes itself wrongly', () => {
  it('is not used', async () => {
    const wrong: Claims[] = [
      { issuer: 'https://elsewhere.test' },
      { issuer: undefined },
      { code_challenge_methods_supported: ['plain'] },
      { code_challenge_methods_supported: [] },
    ];
    for (const metadata of wrong) expect([metadata, await attack({ metadata })]).toEqual([metadata, down]);
  });
});

describe('a provider that is honest', () => {
  it('signs in, and is described once', async () => {
    const before = issuer.requests.get(discovery) ?? 0;
    expect([await attack({}), await attack({}), await attack({})]).toEqual(['/', '/', '/']);
    expect((issuer.requests.get(discovery) ?? 0) - before).toBe(1);
  });
});

describe('an answer that leads the browser back', () => {
  const changes: Record<string, [NonNullable<Hostility['answer']>, string]> = {
    'without a code': [({ state, iss }) => ({ state: state ?? '', iss: iss ?? '' }), notValid],
    'with the state of another': [(honest) => ({ ...honest, state: 'x'.repeat(43) }), '/sign-in?refused=not_begun'],
    'from another issuer': [(honest) => ({ ...honest, iss: 'https://elsewhere.test' }), notValid],
    'from no issuer': [({ code, state }) => ({ code: code ?? '', state: state ?? '' }), notValid],
    'with a code of its own': [(honest) => ({ ...honest, code: 'made-up' }), notValid],
    'with an error': [
      ({ state, iss }) => ({
        state: state ?? '',
        iss: iss ?? '',
        error: 'access_denied',
        error_description: '<script>',
      }),
      '/sign-in?refused=provider_refused',
    ],
    'with an outage': [
      ({ state, iss }) => ({ state: state ?? '', iss: iss ?? '', error: 'temporarily_unavailable' }),
      down,
    ],
    'with an error of another issuer': [
      ({ state }) => ({ state: state ?? '', iss: 'https://elsewhere.test', error: 'access_denied' }),
      notValid,
    ],
    'as a token instead of a code': [
      ({ state, iss }) => ({ state: state ?? '', iss: iss ?? '', response: 'eyJhbGciOiJub25lIn0.e30.' }),
      notValid,
    ],
  };

  it.each(Object.entries(changes))('%s is refused', async (_name, [answer, expected]) => {
    expect(await attack({ answer })).toBe(expected);
  });
});

describe('an ID token', () => {
  const hour = 3600;
  const now = () => Math.floor(Date.now() / 1000);
  const changes: Record<string, Hostility> = {
    'of another issuer': { claims: (honest) => ({ ...honest, iss: 'https://elsewhere.test' }) },
    'for another client': { claims: (honest) => ({ ...honest, aud: 'another' }) },
    'for another client too, in whose name it was asked for': {
      claims: (honest) => ({ ...honest, aud: ['kohort', 'another'], azp: 'another' }),
    },
    'that has expired': { claims: (honest) => ({ ...honest, iat: now() - 2 * hour, exp: now() - hour }) },
    'that never expires': { claims: (honest) => ({ ...honest, exp: undefined }) },
    'from the future': { claims: (honest) => ({ ...honest, nbf: now() + hour }) },
    'with the nonce of another': { claims: (honest) => ({ ...honest, nonce: 'x'.repeat(43) }) },
    'without a nonce': { claims: (honest) => ({ ...honest, nonce: undefined }) },
    'without a subject': { claims: (honest) => ({ ...honest, sub: undefined }) },
    'with a subject that is no text': { claims: (honest) => ({ ...honest, sub: { $ne: null } }) },
    'with an endless subject': { claims: (honest) => ({ ...honest, sub: 'x'.repeat(5000) }) },
    'signed by another key': { sign: (claims, signed) => signed(claims, { alg: 'RS256', kid: 'one' }, foreignKey) },
    'signed by a key that is not published': { sign: (claims, signed) => signed(claims, { alg: 'RS256', kid: 'two' }) },
    'that brings its own key': {
      sign: (claims, signed) =>
        signed(claims, { alg: 'RS256', kid: 'two', jwk: foreignKey.publicKey.export({ format: 'jwk' }) }, foreignKey),
    },
    'without a signature': { sign: unsigned },
    'without a signature that claims one': { sign: (claims, signed) => signed(claims).replace(/[^.]+$/, '') },
    'signed by the public key': { sign: signedByPublicKey },
    'that is missing': { tokens: (honest) => ({ ...honest, id_token: undefined }) },
    'that is none': { tokens: (honest) => ({ ...honest, id_token: 'secret-that-is-no-token' }) },
    'of a user of whom the provider says other things elsewhere': {
      claims: (honest) => ({ ...honest, email: undefined }),
      userinfo: { sub: 'grace', email: 'ada@example.test', email_verified: true },
    },
  };

  it.each(Object.entries(changes))('%s is refused', async (_name, hostility) => {
    expect(await attack(hostility)).toBe(notValid);
  });

  it('and an e-mail count only as one document says them together', async () => {
    const claims = (honest: Claims) => ({
      ...honest,
      sub: 'mixed',
      email: 'boss@example.test',
      email_verified: undefined,
    });
    const userinfo = { sub: 'mixed', email: 'mixed@example.test', email_verified: false };
    expect(await attack({ claims, userinfo })).toBe('/sign-in?refused=email_not_verified');
    const silent = { sub: 'mixed', email_verified: true };
    await service.pool.query(
      `INSERT INTO users (uuid, distinct_id, first_name, last_name, email, is_email_verified, hedgehog_config, created_at)
       VALUES (gen_random_uuid(), 'boss', '', '', 'boss@example.test', false, '{}', now())`,
    );
    // The e-mail is assumed to be verified, which is not enough for a user that exists.
    expect(await attack({ claims, userinfo: silent })).toBe('/sign-in?refused=email_taken');
  });
});

describe('a token endpoint that fails', () => {
  it('is told from an answer that is not valid', async () => {
    for (const fault of ['close', 'error'] as const)
      expect([fault, await attack({ broken: { '/token': fault } })]).toEqual([fault, down]);
    expect(await attack({ broken: { '/token': 'page' } })).toBe(notValid);
    expect(
      await attack({ broken: { '/userinfo': 'close' }, claims: (honest) => ({ ...honest, email: undefined }) }),
    ).toBe(down);
  });
});

describe('a browser that fails again and again', () => {
  it('is stopped for a while, with its whole address', async () => {
    issuer.set({});
    const from = { 'x-forwarded-for': '203.0.113.7' };
    const locations: (string | null)[] = [];
    for (let tries = 0; tries < 22; tries += 1) {
      const { location } = await new CookieBrowser(service.url).visit('/api/sessions/oidc/callback?state=x', from);
      locations.push(location);
    }
    expect(locations.slice(18)).toEqual([
      ...Array<string>(2).fill('/sign-in?refused=not_begun'),
      ...Array<string>(2).fill('/sign-in?refused=too_many_attempts'),
    ]);
    const begun = await new CookieBrowser(service.url).visit(start, from);
    expect(begun.location).toBe('/sign-in?refused=too_many_attempts');
    const program = await service.call('GET', start, { key: null, headers: from });
    expect([program.status, program.headers['retry-after']]).toEqual([429, expect.any(String)]);
  });
});

it('writes no code, token or secret page into the log', () => {
  const text = log.join('');
  expect(text).toContain('single sign-on failed');
  expect(logged()).not.toContain('"stack"');
  for (const secret of ['secret-access-token', 'secret page', 'secret-that-is-no-token', 'made-up', 'eyJ', '<script>'])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
});
