import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startTestService, type TestService } from '../support/service.js';

interface Line {
  readonly msg: string;
  readonly request_id: string;
  readonly route: string;
  readonly project_id: number | null;
  readonly key_id: string | null;
}

let service: TestService;
const written: string[] = [];

beforeAll(async () => {
  service = await startTestService(
    { CONSOLE: 'off' },
    createLogger({ logLevel: 'info' }, { write: (line) => written.push(line) > 0 }),
  );
});
afterAll(() => service.stop());

/** The line is written when the connection knows that the answer is complete, which may be after the client has it. */
const lineOf = async (path: string, init: RequestInit = {}): Promise<Line> => {
  const answer = await fetch(service.url + path, init);
  await answer.arrayBuffer();
  const id = answer.headers.get('x-request-id') ?? 'none';
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const line = written.find((text) => text.includes(id));
    if (line !== undefined) return JSON.parse(line) as Line;
    await sleep(20);
  }
  throw new Error(`no line about ${path}`);
};

describe('the log line of a request', () => {
  it('names the project of captured events, whatever the route', async () => {
    const { id, api_token } = service.project;
    const event = { api_key: api_token, event: 'seen', distinct_id: 'ada' };
    for (const path of ['/batch', '/capture', '/i/v0/e', '/engage', '/i/v1/analytics/events']) {
      const line = await lineOf(path, { method: 'POST', body: JSON.stringify(event) });
      expect([path, line]).toEqual([path, expect.objectContaining({ route: path, project_id: id, key_id: null })]);
    }
    const all = written.join('');
    expect(all).not.toContain(api_token);
  });

  it('names no project for an unknown token', async () => {
    const body = JSON.stringify({ api_key: 'phc_unknown', event: 'seen', distinct_id: 'ada' });
    expect(await lineOf('/batch', { method: 'POST', body })).toMatchObject({ project_id: null, route: '/batch' });
  });

  it('names project and key of a request with a key', async () => {
    const headers = { authorization: `Bearer ${service.key}` };
    const line = await lineOf(`/api/projects/${service.project.id}/cohorts`, { headers });
    expect(line).toMatchObject({ project_id: service.project.id, key_id: expect.any(String) });
  });

  it.each([
    ['/docs', '/docs'],
    ['/docs/swagger-ui.css', '/docs'],
    ['/openapi.json', '/openapi.json'],
    ['/openapi.yaml', '/openapi.yaml'],
    ['/', '/'],
    ['/docsx', 'unmatched'],
    ['/api/projects/1/person', 'unmatched'],
  ])('of %s has the route %s', async (path, route) => {
    expect((await lineOf(path)).route).toBe(route);
  });
});

describe('GET /', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it('leads a browser to the documentation where the console is off', async () => {
    const answer = await fetch(`${service.url}/`, { headers: { accept: browser }, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
    const docs = await fetch(`${service.url}/`, { headers: { accept: browser } });
    expect([docs.status, docs.url]).toEqual([200, `${service.url}/docs`]);
  });

  it('says to a program what this is and where its document is', async () => {
    const { status, body } = await service.call('GET', '/', { key: null });
    expect([status, body]).toEqual([
      200,
      { name: 'Kohort', docs: '/docs', openapi: '/openapi.json', ready: '/_readyz' },
    ]);
  });
});
