import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ TRUST_PROXY: 'loopback' });
});
afterAll(() => service.stop());

const json = { 'content-type': 'application/json' };

/** Beside supertest, which repairs what it sends. */
const send = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, { ...init, headers: { authorization: `Bearer ${service.key}`, ...init.headers } });

describe('errors', () => {
  it('have one shape, also where no route answers', async () => {
    const answer = await send('/nowhere/at/all');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await answer.json()).toEqual({
      type: 'invalid_request',
      code: 'not_found',
      detail: 'there is no route /nowhere/at/all: /docs lists all routes',
      attr: null,
      status: 404,
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it('name a missing field as required', async () => {
    const answer = await service.call('POST', '/api/projects', { body: {} });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'required', attr: 'name' })]);
  });

  it('give the path of a nested field', async () => {
    const body = {
      name: 'x',
      path_cleaning_filters: [
        { regex: 'a', alias: 'b' },
        { regex: 5, alias: 'b' },
      ],
    };
    const answer = await service.call('POST', '/api/projects', { body });
    expect(answer.body).toMatchObject({
      code: 'invalid_input',
      attr: 'path_cleaning_filters.1.regex',
      detail: 'regex must be text',
    });
  });

  it.each([
    ['text that is not JSON', '{"name":', 400, 'parse_error'],
    ['a bare value', '"name"', 400, 'parse_error'],
    ['a list', '[{"name":"x"}]', 400, 'invalid_input'],
    ['a NUL in text', '{"name":"a\\u0000b"}', 400, 'invalid_input'],
    ['a number for text', '{"name":5}', 400, 'invalid_input'],
    ['nothing but a prototype', '{"__proto__":{"name":"x"}}', 400, 'required'],
  ])('refuse a body that is %s', async (_name, body, status, code) => {
    const answer = await send('/api/projects', { method: 'POST', headers: json, body });
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code, status })]);
  });

  it('refuse another media type with 415, and an unknown encoding too', async () => {
    for (const headers of [
      { 'content-type': 'text/xml' },
      { ...json, 'content-encoding': 'zip' },
      { 'content-type': '' },
    ]) {
      const answer = await send('/api/projects', { method: 'POST', headers, body: Buffer.from('<name/>') });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        expect.objectContaining({ code: 'unsupported_media_type' }),
      ]);
    }
  });

  it('refuse more than 100 kB with 413, unless the route takes more', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(100 * 1024) });
    const answer = await send('/api/projects', { method: 'POST', headers: json, body });
    expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining({ code: 'too_large' })]);
  });

  it('come in the order 401, 404, 403, 400: a stranger’s body is not even parsed', async () => {
    const broken = { method: 'POST', headers: { ...json, authorization: '' }, body: '{' };
    expect((await send('/api/projects', broken)).status).toBe(401);
    const weak = await service.newKey({ scopes: ['person:read'] });
    expect(
      (await send('/api/projects', { ...broken, headers: { ...json, authorization: `Bearer ${weak.text}` } })).status,
    ).toBe(403);
    expect((await send('/api/projects/999999', { ...broken, method: 'PATCH', headers: json })).status).toBe(404);
  });
});

describe('requests', () => {
  it('keep a sane request id and get a new one otherwise', async () => {
    const kept = await send('/_livez', { headers: { 'x-request-id': 'trace-42.a' } });
    expect(kept.headers.get('x-request-id')).toBe('trace-42.a');
    for (const id of ['a b', 'x'.repeat(101), '<script>']) {
      const answer = await send('/_livez', { headers: { 'x-request-id': id } });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('mean the same route with and without a trailing slash, without a redirect', async () => {
    for (const path of ['/api/projects', '/api/users/@me', '/_livez', `/api/projects/${service.project.id}`]) {
      const [bare, slashed] = await Promise.all([
        send(path, { redirect: 'manual' }),
        send(`${path}/`, { redirect: 'manual' }),
      ]);
      expect([path, slashed.status, await slashed.json()]).toEqual([path, 200, await bare.json()]);
    }
  });

  it('answer HEAD like GET without a body', async () => {
    const answer = await send('/api/projects', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('do not reveal what runs here', async () => {
    const answer = await send('/_livez');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('the rate limit', () => {
  it('has no headers when it is off', async () => {
    const answer = await service.call('GET', '/api/users/@me');
    expect([answer.status, answer.headers.ratelimit]).toEqual([200, undefined]);
  });
});

describe('answers of every kind', () => {
  it('have the headers by which browsers protect what is behind TLS', async () => {
    for (const path of ['/api/projects', '/_livez', '/no-such-page', '/docs']) {
      const { headers } = await fetch(service.url + path);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000; includeSubDomains']);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/(?:^|;)default-src 'self'/);
      expect(policy).not.toContain('upgrade-insecure-requests');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });
});

describe('lists', () => {
  beforeAll(async () => {
    for (const name of ['b', 'c', 'd', 'e']) await service.newProject(name);
  });

  it('walk by next to exactly count records, and back by previous', async () => {
    const seen: string[] = [];
    let path: string | null = '/api/projects?limit=2&insight=TRENDS';
    let last: { count: number; previous: string | null } | null = null;
    while (path) {
      const { body } = await service.call('GET', path);
      const page = body as { count: number; next: string | null; previous: string | null; results: { name: string }[] };
      seen.push(...page.results.map(({ name }) => name));
      if (page.next) expect(new URL(page.next).searchParams.get('insight')).toBe('TRENDS');
      path = page.next ? page.next.slice(service.url.length) : null;
      last = page;
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'Test']);
    expect(last).toMatchObject({ count: 5, previous: `${service.url}/api/projects?limit=2&insight=TRENDS&offset=2` });
  });

  it('link to where the trusted proxy was asked', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'kohort.example.test' };
    const { body } = await service.call('GET', '/api/projects?limit=1', { headers });
    expect((body as { next: string }).next).toBe('https://kohort.example.test/api/projects?limit=1&offset=1');
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=ten',
    'limit=1.5',
    'limit=1e2',
    'limit=',
    'limit=1&limit=2',
    'offset=-1',
    'offset=x',
    'offset=99999999999',
  ])('refuse %s by name', async (query) => {
    const answer = await service.call('GET', `/api/projects?${query}`);
    const attr = query.split('=')[0];
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({
        code: 'invalid_input',
        attr,
        detail: expect.stringMatching(`${attr} must be an integer from`),
      }),
    ]);
  });
});

describe('the test clock', () => {
  it('sets the time of one request', async () => {
    const key = await service.newKey({ expiresAt: new Date('2031-01-01') });
    const at = (moment: string) =>
      service.call('GET', '/api/users/@me', { key: key.text, headers: { 'x-test-now': moment } });
    expect((await at('2030-12-31T23:59:59.999Z')).status).toBe(200);
    expect((await at('2031-01-01T00:00:00.000Z')).status).toBe(401);
    expect((await service.call('GET', '/api/users/@me', { key: key.text })).status).toBe(200);
  });

  it('refuses what is not a date', async () => {
    const answer = await send('/_livez', { headers: { 'x-test-now': 'tomorrow' } });
    expect(answer.status).toBe(400);
  });
});
