import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Response } from 'express';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openContext } from './request-context.js';
import { sendStream } from './send-stream.js';

const stallMs = 600;
/** Longer than a busy machine keeps the test from reading. */
const longStallMs = 3_000;
const chunk = Buffer.alloc(256 * 1024, 'x');

let server: Server;
let made: number;
let open: number;
const clients: Socket[] = [];
const failed = jest.fn();

/** An answer without an end, as large as its client reads. */
const endless = function* (): Generator<Buffer> {
  try {
    for (;;) {
      made += chunk.length;
      yield chunk;
    }
  } finally {
    open -= 1;
  }
};

const start = async (stalledMs: number): Promise<void> => {
  [made, open] = [0, 0];
  server = createServer((request, response) => {
    openContext(request, { admittedAt: Infinity, isStillAdmitted: () => Promise.resolve(true) } as never);
    if (request.url === '/small') return void response.end('small');
    open += 1;
    sendStream(
      Object.assign(response, { req: Object.assign(request, { originalUrl: '/' }) }) as unknown as Response,
      endless(),
      stalledMs,
    ).catch(failed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
};

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const client = async (): Promise<{ readonly socket: Socket; readonly closed: () => boolean }> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return { socket, closed: () => socket.destroyed };
};

describe('clients of an endless answer', () => {
  it('that read nothing, or a byte now and then, are soon gone, and cost no memory', async () => {
    await start(stallMs);
    const before = process.memoryUsage().rss;
    const began = performance.now();
    const all = await Promise.all(Array.from({ length: 40 }, client));
    const trickle = setInterval(() => {
      for (const { socket } of all.slice(20)) socket.read(1);
    }, 50);
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/small`;
      expect(await (await fetch(url)).text()).toBe('small');
      while (open > 0 && performance.now() - began < 15_000) await sleep(20);
      expect([open, failed.mock.calls]).toEqual([0, []]);
      // The kernel's buffers for each of them, and a chunk in this process.
      expect(made / 40).toBeLessThan(16 * 1024 ** 2);
      expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 ** 2);
    } finally {
      clearInterval(trickle);
    }
  });

  it('that read steadily may take their time', async () => {
    await start(longStallMs);
    const { socket } = await client();
    const end = performance.now() + 2 * longStallMs;
    while (performance.now() < end) {
      socket.read();
      await sleep(20);
    }
    expect([socket.destroyed, open]).toEqual([false, 1]);
  });
});
