import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: '3', ALLOW_TEST_CLOCK: '0' });
});
afterAll(() => service.stop());

describe('the rate limit', () => {
  it('is counted per key, told in every authenticated answer, and answers 429 beyond', async () => {
    const [one, other] = [await service.newKey(), await service.newKey()];
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n += 1) {
      const answer = await service.call('GET', '/api/users/@me', { key: one.text });
      statuses.push(answer.status);
      expect(answer.headers['ratelimit-policy']).toBe('"key";q=3;w=60');
      expect(answer.headers.ratelimit).toMatch(new RegExp(`^"key";r=${Math.max(0, 3 - n)};t=\\d+$`));
      if (answer.status === 429) {
        expect(answer.body).toMatchObject({ type: 'throttled_error', code: 'throttled' });
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await service.call('GET', '/api/users/@me', { key: other.text })).status).toBe(200);
  });

  it('also counts what is refused: 404 and 403 carry the headers', async () => {
    const key = await service.newKey({ scopes: ['person:read'] });
    const lost = await service.call('GET', '/api/projects/999999', { key: key.text });
    const refused = await service.call('GET', '/api/projects', { key: key.text });
    expect([lost.status, lost.headers.ratelimit]).toEqual([404, expect.stringContaining('r=2')]);
    expect([refused.status, refused.headers.ratelimit]).toEqual([403, expect.stringContaining('r=1')]);
  });
});

describe('the test clock', () => {
  it('is ignored where it is not allowed', async () => {
    const key = await service.newKey({ expiresAt: new Date(Date.now() + 60_000) });
    const answer = await service.call('GET', '/api/users/@me', {
      key: key.text,
      headers: { 'x-test-now': '2099-01-01' },
    });
    expect(answer.status).toBe(200);
  });
});
