import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from '../telemetry/metrics.js';
import { type ConnectionLimits, limitConnections } from './http-server.js';

const small: ConnectionLimits = {
  total: 6,
  perAddress: 6,
  headersMs: 400,
  idleMs: 400,
  keepAliveMs: 200,
  checkMs: 50,
};

let server: Server;
const clients: Socket[] = [];

const start = async (
  answer: RequestListener,
  limits: Partial<ConnectionLimits> = {},
  isTrusted: (address: string) => boolean = () => false,
): Promise<Metrics> => {
  const metrics = new Metrics();
  server = createServer(answer);
  limitConnections(server, { ...small, ...limits }, isTrusted, metrics);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return metrics;
};

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  /** Milliseconds until the service closes the connection; null when it stays open for the whole wait. */
  readonly closedWithin: (ms: number) => Promise<number | null>;
}

const open = async (): Promise<Client> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(socket);
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  const closed = once(socket, 'close').then(() => Date.now());
  await once(socket, 'connect');
  return {
    socket,
    received: () => received,
    closedWithin: async (ms) => {
      const from = Date.now();
      const at = await Promise.race([closed, sleep(ms, null)]);
      return at === null ? null : Math.max(0, at - from);
    },
  };
};

const ok: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('ok'));
};
const head = (extra = '') => `POST / HTTP/1.1\r\nHost: x\r\n${extra}`;
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Waits until the service has registered every connection so far. */
const quiet = () => sleep(100);

/** True if a new client gets an answer, sooner or later. */
const isAnswered = async (): Promise<boolean> => {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const client = await open();
    client.socket.write(get);
    await quiet();
    if (client.received().includes('200 OK')) return true;
    client.socket.destroy();
  }
  return false;
};

describe('a connection that stalls', () => {
  it('without a byte is ended', async () => {
    await start(ok, { idleMs: 60_000 });
    expect(await (await open()).closedWithin(3000)).not.toBeNull();
  });

  it('in its headers is ended, however steadily they trickle in', async () => {
    await start(ok);
    const client = await open();
    client.socket.write('GET / HTTP/1.1\r\n');
    const trickle = setInterval(() => client.socket.write('X-A: 1\r\n'), 50);
    const ended = await client.closedWithin(3000);
    clearInterval(trickle);
    expect(ended).not.toBeNull();
    expect(client.received()).toContain('408 Request Timeout');
  });

  it('in its body is ended', async () => {
    await start(ok);
    const client = await open();
    client.socket.write(head('Content-Length: 10\r\n\r\nhalf'));
    expect(await client.closedWithin(3000)).not.toBeNull();
  });

  it('while it is sent an answer that it does not read is ended', async () => {
    await start((_request, response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
    const client = await open();
    client.socket.pause();
    client.socket.write(get);
    await sleep(1500);
    expect(await connectionsOf()).toBe(0);
  });

  it('after an answer is ended', async () => {
    await start(ok);
    const client = await open();
    client.socket.write(get);
    expect(await client.closedWithin(4000)).not.toBeNull();
    expect(client.received()).toContain('200 OK');
  });
});

describe('a connection that does not stall', () => {
  it('may send a body for as long as it comes', async () => {
    await start(ok);
    const client = await open();
    client.socket.write(head('Transfer-Encoding: chunked\r\n\r\n'));
    for (let n = 0; n < 12; n += 1) {
      await sleep(100);
      client.socket.write('1\r\na\r\n');
    }
    client.socket.write('0\r\n\r\n');
    await sleep(100);
    expect(client.received()).toContain('200 OK');
  });

  it('may wait for an answer that takes the service long', async () => {
    await start((request, response) => {
      request.resume().on('end', () => void sleep(1500).then(() => response.end('late')));
    });
    const client = await open();
    client.socket.write(head('Content-Length: 4\r\n\r\nbody'));
    await sleep(1900);
    expect(client.received()).toContain('late');
  });

  it('may wait while the service does not read on', async () => {
    await start((request, response) => {
      void sleep(1500).then(() => request.resume().on('end', () => response.end('late')));
    });
    const client = await open();
    client.socket.write(head(`Content-Length: 9\r\n\r\nhalf`));
    await sleep(1200);
    client.socket.write('other');
    await sleep(700);
    expect(client.received()).toContain('late');
  });
});

describe('too many connections', () => {
  it('in total are closed and counted, and room is free again when one ends', async () => {
    const metrics = await start(ok, { total: 2, headersMs: 60_000, idleMs: 60_000 });
    const [first, second] = [await open(), await open()];
    await quiet();
    const third = await open();
    expect(await third.closedWithin(2000)).not.toBeNull();
    expect(await metrics.registry.metrics()).toContain('kohort_refused_connections_total{limit="total"} 1');
    expect(await second.closedWithin(100)).toBeNull();
    first.socket.destroy();
    expect(await isAnswered()).toBe(true);
  });

  it('from one address are closed and counted, and room is free again when one ends', async () => {
    const metrics = await start(ok, { perAddress: 2, headersMs: 60_000, idleMs: 60_000 });
    const first = await open();
    await open();
    await quiet();
    const third = await open();
    expect(await third.closedWithin(2000)).not.toBeNull();
    expect(await metrics.registry.metrics()).toContain('kohort_refused_connections_total{limit="address"} 1');
    first.socket.destroy();
    expect(await isAnswered()).toBe(true);
  });

  it('from a trusted proxy are open as long as the total allows', async () => {
    await start(ok, { perAddress: 2, headersMs: 60_000, idleMs: 60_000 }, (address) => address === '127.0.0.1');
    for (let n = 0; n < 5; n += 1) await open();
    await quiet();
    expect(await connectionsOf()).toBe(5);
  });

  it('that stall do not keep others out for longer than the deadline', async () => {
    await start(ok, { total: 20, perAddress: 20 });
    for (let n = 0; n < 20; n += 1) (await open()).socket.write('GET / HTTP/1.1\r\nX-Slow:');
    await quiet();
    expect(await isAnswered()).toBe(true);
  });
});

const connectionsOf = (): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
