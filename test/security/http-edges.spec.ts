import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { leastCpuMs } from '../support/cpu.js';
import { startTestService, type TestService } from '../support/service.js';
import { problemIn, RawConnection } from '../support/sockets.js';

let service: TestService;
let path: string;
const errors: unknown[] = [];

beforeAll(async () => {
  const logger = createLogger({ logLevel: 'error' });
  logger.error = (...entry: unknown[]) => {
    errors.push(entry);
  };
  service = await startTestService({}, logger);
  path = `/api/projects/${service.project.id}`;
});
afterAll(() => service.stop());

const get = (target: string, headers: Record<string, string> = {}) =>
  raw(`GET ${target} HTTP/1.1`, { Authorization: `Bearer ${service.key}`, Connection: 'close', ...headers });

/** Clients repair a path before they send it. */
const raw = async (line: string, headers: Record<string, string>, body = '') => {
  const connection = await RawConnection.to(service.url);
  const fields = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  await connection.send(`${line}\r\n${fields.join('')}\r\n${body}`);
  const answer = await connection.untilClosed(5000);
  connection.close();
  return { status: Number(answer.split(' ')[1]), text: answer };
};

describe('a request without a body, sent in chunks by a client that waits for 100 Continue', () => {
  it('is one without a body, and one with a body of no type is refused', async () => {
    const headers = {
      ...{ Authorization: `Bearer ${service.key}`, Connection: 'close' },
      ...{ Expect: '100-continue', 'Transfer-Encoding': 'chunked' },
    };
    const post = (body: string) => raw(`POST /api/users/999/password_link HTTP/1.1`, headers, body);
    expect((await post('0\r\n\r\n')).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 404 /);
    expect((await post('2\r\n{}\r\n0\r\n\r\n')).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 415 /);
  });
});

describe('a request without Host', () => {
  it('is a Problem with a request id in HTTP/1.1, and answered in HTTP/1.0, which has no such header', async () => {
    const connection = await RawConnection.to(service.url);
    await connection.send('GET /_livez HTTP/1.1\r\nConnection: close\r\n\r\n');
    const answer = await connection.untilClosed(5000);
    connection.close();
    expect(answer).toMatch(/^HTTP\/1.1 400 .*\r\n(.*\r\n)*X-Request-Id: /i);
    expect(problemIn(answer)).toMatchObject({ status: 400, code: 'invalid_input', attr: 'Host' });
    const old = await RawConnection.to(service.url);
    await old.send('GET /_livez HTTP/1.0\r\n\r\n');
    expect(await old.untilClosed(5000)).toMatch(/^HTTP\/1.1 200 /);
    old.close();
  });
});

describe('a path with a % that stands for nothing', () => {
  it.each([
    '/api/projects/%zz',
    '/api/projects/%E0%A4%A',
    '/array/%zz/config',
    '/array/%zz/config.js',
    '/static/%zz',
    '/%',
    '/docs/%zz',
    '/api/personal_api_keys/%ff',
  ])('is a 400 or a 404 at %s, without a stack trace in the log', async (target) => {
    errors.length = 0;
    const { status, text } = await get(target);
    expect([target, status]).toEqual([target, target.startsWith('/api') || target.startsWith('/array') ? 400 : status]);
    expect([400, 404]).toContain(status);
    expect(text).toContain('application/problem+json');
    expect(problemIn(text)).toMatchObject({ status, request_id: expect.any(String) });
    expect(errors).toEqual([]);
  });

  it('is a 400 in the id of a person and of a cohort', async () => {
    for (const target of [`${path}/persons/%E0%A4%A`, `${path}/cohorts/%zz`, `${path}/persons/%zz/activity`]) {
      const { status, text } = await get(target);
      expect([status, problemIn(text)]).toEqual([400, expect.objectContaining({ code: 'invalid_input' })]);
      expect(problemIn(text).detail).toMatch(/%/);
    }
    expect(errors).toEqual([]);
  });
});

describe('a request target or Host that is no URL', () => {
  it.each([
    ['GET http://[::bad/_livez HTTP/1.1', 'localhost'],
    ['GET //[/batch?data=x HTTP/1.1', 'localhost'],
    ['GET /batch?data=x HTTP/1.1', 'a b'],
    ['GET /api/projects?limit=1 HTTP/1.1', '[::bad'],
    ['GET /api/projects?limit=1 HTTP/1.1', 'a b'],
    ['GET /api/projects?limit=1 HTTP/1.1', ':x'],
  ])('is not our fault: %s to %s', async (line, host) => {
    errors.length = 0;
    await service.newProject();
    const { status } = await raw(line, { Host: host, Authorization: `Bearer ${service.key}`, Connection: 'close' });
    expect([line, host, status, errors]).toEqual([line, host, expect.any(Number), []]);
    expect(status).toBeLessThan(500);
  });
});

describe('what the HTTP parser refuses', () => {
  it.each([
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
    ['two lengths', 'POST /batch HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['headers of 20 kB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ])('is a Problem with a request id, and closes the connection: %s', async (_name, request, status) => {
    const connection = await RawConnection.to(service.url);
    await connection.send(request);
    const answer = await connection.untilClosed(3000);
    expect(connection.isClosed).toBe(true);
    expect(answer.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^content-type: application\/problem\+json/im);
    expect(answer).toMatch(/^connection: close/im);
    const [, requestId] = /^x-request-id: (\S+)/im.exec(answer) ?? [];
    expect(problemIn(answer)).toMatchObject({ status, request_id: requestId, type: expect.any(String) });
  });

  it('does not put its answer after one that has started', async () => {
    const connection = await RawConnection.to(service.url);
    await connection.send('GET /_livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await connection.until(() => connection.text.includes('200'), 3000);
    await connection.send('NONSENSE\r\n\r\n');
    const answer = await connection.untilClosed(3000);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

describe('If-None-Match', () => {
  it('is answered as if it were not there, because no route has an ETag', async () => {
    errors.length = 0;
    for (const target of [
      '/api/projects',
      path,
      `${path}/persons`,
      `${path}/persons/trends?events=[{"id":"x"}]`,
      `${path}/persons/funnel`,
      '/openapi.json',
      '/_livez',
      '/array/phc_x/config',
    ]) {
      for (const value of ['*', '"x"']) {
        const { status } = await get(encodeURI(target), { 'If-None-Match': value });
        expect([target, value, status]).toEqual([target, value, 200]);
      }
    }
    expect(errors).toEqual([]);
  });

  it('does not hide the cohort that a GET makes', async () => {
    const made = await service.call('POST', `${path}/cohorts`, {
      body: { name: 'a', is_static: true, person_ids: [] },
    });
    const id = (made.body as { id: number }).id;
    const { status, text } = await get(`${path}/cohorts/${id}/duplicate_as_static_cohort`, { 'If-None-Match': '*' });
    expect([status, text]).toEqual([200, expect.stringContaining('"is_static":true')]);
  });
});

describe('a body that no handler needs', () => {
  it('does not matter to recalculate, whatever it is', async () => {
    const made = await service.call('POST', `${path}/cohorts`, {
      body: { name: 'b', is_static: true, person_ids: [] },
    });
    const recalculate = `${path}/cohorts/${(made.body as { id: number }).id}/recalculate`;
    for (const type of ['text/xml', 'application/json', 'multipart/form-data']) {
      const answer = await service.call('POST', recalculate, { body: '<x', headers: { 'content-type': type } });
      expect([type, answer.status]).toEqual([type, 200]);
    }
  });
});

describe('a query string of very many parameters', () => {
  it('is a 400 beyond 2,000, not cut short', async () => {
    const { status, text } = await get(`/api/projects?${'a&'.repeat(2000)}limit=0`);
    expect([status, problemIn(text)]).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringMatching(/2000/) }),
    ]);
    const fits = await get(`/api/projects?${'refresh&'.repeat(1500)}limit=0`);
    expect([fits.status, problemIn(fits.text)]).toEqual([400, expect.objectContaining({ attr: 'limit' })]);
  });

  it('costs next to nothing, even of as many names as fit', async () => {
    const names = Array.from({ length: 1900 }, (_, n) => n.toString(36).padStart(3, 'a'));
    await get(`/api/projects?${names.join('&')}`);
    const ask = async () => expect((await get(`/api/projects?${names.join('&')}`)).status).toBe(400);
    expect(await leastCpuMs(ask, 60)).toBeLessThan(60);
  });
});
