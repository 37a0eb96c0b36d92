import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/platform/config/config.js';
import { newKeyText } from '../../src/auth/keys/key-text.js';
import { ProjectTokens } from '../../src/kernel/projects/project-tokens.js';
import { startTestService, type Answer, type TestService } from '../support/service.js';

const statusesOf = async (times: number, call: () => Promise<Answer>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push((await call()).status);
  return statuses;
};

const throttledBody = { type: 'throttled_error', code: 'throttled' };

describe('by default', () => {
  it('every limit is on, and above what one honest client reaches', () => {
    const config = loadConfig({});
    expect(config.rateLimitPerMinute).toBe(6000);
    expect(config.rateLimitUnauthenticatedPerMinute).toBe(600);
    expect(config.captureEventsPerSecond).toBe(20_000);
  });
});

const ofOneOrAll = [
  ['this process', {}],
  ['all processes', { RATE_LIMIT_SHARED: 'true' }],
] as const;

describe.each(ofOneOrAll)('the rate limit of a user in %s', (_which, shared) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ RATE_LIMIT_PER_MINUTE: '3', ALLOW_TEST_CLOCK: '0', ...shared });
  });
  afterAll(() => service.stop());

  it('is stated in every authenticated answer, and answers 429 beyond', async () => {
    const [one, other] = [await service.newKey(), await service.newKey({ email: 'grace@example.test' })];
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n += 1) {
      const answer = await service.call('GET', '/api/users/@me', { key: one.text });
      statuses.push(answer.status);
      expect(answer.headers['ratelimit-policy']).toBe('"user";q=3;w=60');
      expect(answer.headers.ratelimit).toMatch(new RegExp(`^"user";r=${Math.max(0, 3 - n)};t=\\d+$`));
      if (answer.status === 429) {
        expect(answer.body).toMatchObject(throttledBody);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await service.call('GET', '/api/users/@me', { key: other.text })).status).toBe(200);
  });

  it('cannot be walked round with more keys', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { text } = await service.newKey({ email: 'mint@example.test' });
      statuses.push((await service.call('GET', '/api/users/@me', { key: text })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
  });

  it('also counts what is refused: 404 and 403 carry the headers', async () => {
    const key = await service.newKey({ scopes: ['person:read'], email: 'joan@example.test' });
    const lost = await service.call('GET', '/api/projects/999999', { key: key.text });
    const refused = await service.call('GET', '/api/projects', { key: key.text });
    expect([lost.status, lost.headers.ratelimit]).toEqual([404, expect.stringContaining('r=2')]);
    expect([refused.status, refused.headers.ratelimit]).toEqual([403, expect.stringContaining('r=1')]);
  });

  it('is not used up by others: what needs no key has a limit of its own', async () => {
    expect(await statusesOf(5, () => service.call('GET', '/_livez', { key: null }))).toEqual(Array(5).fill(200));
    expect(await statusesOf(5, () => service.call('GET', '/api/projects', { key: null }))).toEqual(Array(5).fill(401));
  });
});

describe.each(ofOneOrAll)('the rate limit of an address without a valid key or token in %s', (_which, shared) => {
  let service: TestService;
  const from = (address: string) => ({ 'x-forwarded-for': address });

  beforeAll(async () => {
    service = await startTestService({
      RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '3',
      TRUST_PROXY: 'loopback',
      ...shared,
    });
  });
  afterAll(() => service.stop());

  it.each([
    ['no key', null, '192.0.2.1'],
    ['a mistyped key', 'phx_mistyped', '192.0.2.2'],
    ['an unknown key', newKeyText(), '192.0.2.3'],
  ])('counts %s', async (_what, key, address) => {
    const call = () => service.call('GET', '/api/projects', { key, headers: from(address) });
    expect(await statusesOf(5, call)).toEqual([401, 401, 401, 429, 429]);
    const answer = await call();
    expect(answer.body).toMatchObject(throttledBody);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    ['routes that need no key', '/array/phc_x/config', '192.0.2.11'],
    ['paths that do not exist', '/nothing/here', '192.0.2.12'],
    ['the API document', '/openapi.json', '192.0.2.13'],
    ['the API page', '/docs', '192.0.2.14'],
    ['metrics', '/metrics', '192.0.2.15'],
  ])('counts %s', async (_what, path, address) => {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await fetch(service.url + path, { headers: from(address) })).status);
    expect(statuses.slice(0, 3)).not.toContain(429);
    expect(statuses[3]).toBe(429);
  });

  it('does not count health checks', async () => {
    const call = (path: string) => () => service.call('GET', path, { key: null, headers: from('192.0.2.21') });
    expect(await statusesOf(5, call('/_livez'))).toEqual(Array(5).fill(200));
    expect(await statusesOf(5, call('/_readyz'))).toEqual(Array(5).fill(200));
  });

  it('counts an IPv6 /64 network as one, and other addresses apart', async () => {
    const call = (address: string) => service.call('GET', '/api/projects', { key: null, headers: from(address) });
    const statuses: number[] = [];
    for (const n of [1, 2, 3, 4]) statuses.push((await call(`2001:db8:7:7::${n}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await call('2001:db8:7:8::1')).status).toBe(401);
  });

  it('does not lock out keys and tokens that have been used before', async () => {
    const headers = from('192.0.2.31');
    const event = { api_key: service.project.api_token, event: 'a', distinct_id: 'ada' };
    expect((await service.call('GET', '/api/projects', { headers })).status).toBe(200);
    expect((await service.call('POST', '/capture', { key: null, headers, body: event })).status).toBe(200);
    await statusesOf(5, () => service.call('GET', '/api/projects', { key: null, headers }));
    expect((await service.call('GET', '/api/projects', { headers })).status).toBe(200);
    expect((await service.call('POST', '/capture', { key: null, headers, body: event })).status).toBe(200);
  });

  it('ends the look-ups of guessed keys: one that is new to this process is refused like the others', async () => {
    const headers = from('192.0.2.32');
    const { text } = await service.newKey();
    await statusesOf(3, () => service.call('GET', '/api/projects', { key: newKeyText(), headers }));
    expect((await service.call('GET', '/api/projects', { key: text, headers })).status).toBe(429);
    expect((await service.call('GET', '/api/projects', { key: text, headers: from('192.0.2.33') })).status).toBe(200);
  });

  it.each([
    ['an unknown project token', { api_key: 'phc_unknown', event: 'a', distinct_id: 'ada' }, '192.0.2.41'],
    ['no project token', { event: 'a', distinct_id: 'ada' }, '192.0.2.42'],
  ])('counts captures with %s', async (_what, body, address) => {
    const call = () => service.call('POST', '/batch', { key: null, headers: from(address), body });
    expect(await statusesOf(5, call)).toEqual([401, 401, 401, 429, 429]);
  });

  it('ends the look-ups of guessed project tokens', async () => {
    const tokens = service.app.get(ProjectTokens);
    const refuse = () => {
      throw new Error('may not look up');
    };
    await expect(tokens.find('phc_never_seen', refuse)).rejects.toThrow('may not look up');
  });
});

describe('the rate of captured events', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ CAPTURE_EVENTS_PER_SECOND: '1' });
  });
  afterAll(() => service.stop());

  const batch = (token: string, from: number, events: number) => ({
    api_key: token,
    batch: Array.from({ length: events }, (_, n) => ({ event: 'a', distinct_id: `d${from + n}` })),
  });
  const send = (token: string, from: number, events: number) =>
    service.call('POST', '/batch', { key: null, body: batch(token, from, events) });

  it('answers 429 with Retry-After before an event is stored, for the project that sends too much', async () => {
    const quiet = await service.newProject('Quiet');
    expect((await send(service.project.api_token, 0, 70)).status).toBe(200);
    const refused = await send(service.project.api_token, 1000, 5);
    expect([refused.status, refused.body]).toEqual([429, expect.objectContaining(throttledBody)]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(quiet.api_token, 0, 5)).status).toBe(200);
    const { body } = await service.call('GET', `/api/projects/${service.project.id}/persons?limit=1`);
    expect((body as { count: number }).count).toBe(70);
  });

  it('shows in the metrics', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).toMatch(/kohort_throttled_requests_total\{limit="capture"\} \d+/);
  });
});

describe('the test clock', () => {
  it('is ignored where it is not allowed', async () => {
    const service = await startTestService({ ALLOW_TEST_CLOCK: '0' });
    const key = await service.newKey({ expiresAt: new Date(Date.now() + 60_000) });
    const answer = await service.call('GET', '/api/users/@me', {
      key: key.text,
      headers: { 'x-test-now': '2099-01-01' },
    });
    expect(answer.status).toBe(200);
    await service.stop();
  });
});
