import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { freePort } from '../support/process.js';
import { startTestService, type TestService } from '../support/service.js';

describe('metrics with METRICS_PORT', () => {
  let service: TestService;
  let metrics: string;
  beforeAll(async () => {
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}`;
    service = await startTestService({ METRICS_PORT: String(port) });
  });
  afterAll(() => service.stop());

  it('are served there', async () => {
    const answer = await fetch(`${metrics}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(await answer.text()).toContain('kohort_http_request_duration_seconds');
  });

  it('are not served beside the API, and not in its document', async () => {
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(document.paths)).not.toContain('/metrics');
    expect(Object.keys(document.paths)).toContain('/_readyz');
  });

  it.each([
    ['GET', '/'],
    ['GET', '/_livez'],
    ['GET', '/api/projects'],
    ['POST', '/metrics'],
  ])('are all that is served there: %s %s is 404', async (method, path) => {
    expect((await fetch(metrics + path, { method })).status).toBe(404);
  });
});

describe('metrics without METRICS_PORT', () => {
  it('are served beside the API, with what was refused', async () => {
    const service = await startTestService();
    const answer = await service.call('GET', '/metrics', { key: null });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(answer.text).toContain('# TYPE kohort_refused_connections_total counter');
    await service.stop();
  });
});

describe('a METRICS_PORT that is taken', () => {
  it('stops the start with one line that names it', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const attempt = startTestService({ METRICS_PORT: String(port) });
    await attempt.catch(() => undefined);
    holder.close();
    await expect(attempt).rejects.toThrow(
      new RegExp(`^METRICS_PORT ${port} on METRICS_HOST 127.0.0.1 cannot be listened on [^\\n]*EADDRINUSE[^\\n]*$`),
    );
  });
});
