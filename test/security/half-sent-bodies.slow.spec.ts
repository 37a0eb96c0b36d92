import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesInFlight } from '../../src/platform/http/raw-body.js';
import { startTestService, type TestService } from '../support/service.js';
import { problemIn, RawConnection } from '../support/sockets.js';

const megabyte = 1024 * 1024;

let service: TestService;
const open: RawConnection[] = [];

beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => {
  for (const connection of open.splice(0)) connection.close();
  await settled();
});
afterAll(() => service.stop());

/** The bytes of a request are given back when its connection is closed, which the service hears a moment later. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 200 && bytesInFlight.counted > 0; round += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
};

const connected = async (): Promise<RawConnection> => {
  const connection = await RawConnection.to(service.url);
  open.push(connection);
  return connection;
};

const head = (path: string, length: number | 'chunked', key = ''): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    ...(key ? [`Authorization: Bearer ${key}`] : []),
    'Content-Type: application/json',
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

describe('bodies of which all but the end is sent', () => {
  it('take 64 MB for one address, then a 429, whatever is left is read and dropped; later all is free again', async () => {
    const part = Buffer.alloc(19 * megabyte, ' ');
    const connections = await Promise.all(Array.from({ length: 6 }, connected));
    await Promise.all(
      connections.map(async (connection) => {
        await connection.send(head('/batch', 20 * megabyte));
        await connection.send(part);
      }),
    );
    const refused = () => connections.filter(({ text }) => text.startsWith('HTTP/1.1 429'));
    await connections[0]?.until(() => refused().length >= 3, 8000);
    expect(refused().length).toBeGreaterThanOrEqual(3);
    expect(bytesInFlight.counted).toBeLessThanOrEqual(64 * megabyte);
    const [first] = refused();
    expect(first?.text).toMatch(/^retry-after: 1/im);
    expect(problemIn(first?.text ?? '')).toMatchObject({ status: 429, code: 'throttled' });
    for (const connection of connections) connection.close();
    await settled();
    expect(bytesInFlight.counted).toBe(0);
    const body = { api_key: service.project.api_token, event: 'after', distinct_id: 'a' };
    expect((await service.call('POST', '/e', { key: null, body })).status).toBe(200);
  });

  it('count with what a chunk costs, so that chunks of one byte do not take a hundred times what is counted', async () => {
    const connection = await connected();
    await connection.send(head('/batch', 'chunked'));
    await connection.send('1\r\nx\r\n'.repeat(10_000));
    await connection.until(() => bytesInFlight.counted >= 10_000 * 200, 5000);
    expect(bytesInFlight.counted).toBeGreaterThanOrEqual(10_000 * 200);
  });

  it('are forgotten with their connection, of JSON bodies too', async () => {
    const connection = await connected();
    await connection.send(head('/api/projects', 50_000, service.key));
    await connection.send('{"name":"'.padEnd(40_000, 'x'));
    await connection.until(() => bytesInFlight.counted >= 40_000, 5000);
    expect(bytesInFlight.counted).toBeGreaterThanOrEqual(40_000);
    connection.close();
    await settled();
    expect(bytesInFlight.counted).toBe(0);
  });

  it('end with 408 and their connection when nothing more comes, at capture and elsewhere', async () => {
    const [capture, json, drip] = [await connected(), await connected(), await connected()];
    await capture.send(head('/batch', megabyte));
    await capture.send('{"api_key":"x');
    await json.send(head('/api/projects', 1000, service.key));
    await json.send('{"name":"');
    await drip.send(head('/batch', 1000));
    for (let second = 0; second < 60 && !drip.isClosed; second += 1) {
      await drip.send('x');
      await new Promise((resolve) => setTimeout(resolve, 1000));
      // What stands still ends long before what trickles.
      if (second === 20) expect([capture.isClosed, json.isClosed]).toEqual([true, true]);
    }
    for (const connection of [capture, json, drip]) {
      expect(connection.isClosed).toBe(true);
      expect(connection.text).toMatch(/^HTTP\/1.1 408 /);
      expect(connection.text).toMatch(/^connection: close/im);
      expect(problemIn(connection.text)).toMatchObject({ status: 408, code: 'timeout' });
    }
    expect(drip.text).toMatch(/within 30 s/);
    await settled();
    expect(bytesInFlight.counted).toBe(0);
  });
});

describe('bodies that are whole', () => {
  it('give back what they took when they are answered, also when they were packed or refused', async () => {
    const gzip = gzipSync(JSON.stringify({ name: 'x' }));
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    for (const [body, more] of [
      [JSON.stringify({ name: 'x' }), {}],
      [JSON.stringify({ nam: 'x' }), {}],
      [gzip, headers],
    ] as const) {
      const answer = await fetch(`${service.url}/api/projects`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json', ...more },
      });
      await answer.text();
    }
    await settled();
    expect(bytesInFlight.counted).toBe(0);
  });
});
