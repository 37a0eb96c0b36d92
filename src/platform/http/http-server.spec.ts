import { afterEach, describe, expect, it } from '@jest/globals';
import { type Express } from 'express';
import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { HttpServerAdapter } from './http-server.js';
import { openContext } from './request-context.js';

const adapters: HttpServerAdapter[] = [];

const listening = async (adapter: HttpServerAdapter): Promise<string> => {
  adapters.push(adapter);
  const server = adapter.getHttpServer() as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const opened = (): HttpServerAdapter => {
  const adapter = new HttpServerAdapter();
  adapter.initHttpServer();
  return adapter;
};

const steps = (adapter: HttpServerAdapter, beforeAnswer: ((answer: unknown) => unknown)[]): void => {
  const app = adapter.getInstance<Express>();
  app.get('/', (request, response, next) => {
    openContext(request, {
      requestId: 'r',
      now: new Date(),
      caller: null,
      isStillAdmitted: () => Promise.resolve(true),
      admittedAt: 0,
      project: null,
      tokenProjectId: null,
      beforeAnswer,
      endings: [],
    });
    adapter.reply(response, { from: 'handler' }, 200).catch(next);
  });
};

describe('The HTTP server', () => {
  afterEach(() => {
    for (const adapter of adapters.splice(0)) (adapter.getHttpServer() as Server).close();
  });

  it('makes messages with the prototypes of Express, so that Express changes none', async () => {
    const adapter = opened();
    const url = await listening(adapter);
    const app = adapter.getInstance<Express & { request: object; response: object }>();
    const found: unknown[] = [];
    (adapter.getHttpServer() as Server).prependListener('request', (request, response) =>
      found.push(Object.getPrototypeOf(request) === app.request, Object.getPrototypeOf(response) === app.response),
    );
    app.get('/', (request, response) => {
      found.push(Object.getPrototypeOf(request) === app.request, request.app === app, request.get('x-sent'));
      response.status(201).json({ path: request.path });
    });
    const response = await fetch(url, { headers: { 'X-Sent': 'yes' } });
    expect([response.status, await response.json()]).toEqual([201, { path: '/' }]);
    expect(found).toEqual([true, true, true, true, 'yes']);
  });

  it('runs the steps before an answer in turn, each on what the one before it returned', async () => {
    const adapter = opened();
    steps(adapter, [
      (answer) => ({ ...(answer as object), first: true }),
      (answer) => Promise.resolve({ second: answer }),
    ]);
    const response = await fetch(await listening(adapter));
    expect(await response.json()).toEqual({ second: { from: 'handler', first: true } });
  });

  it('sends the error of a step, and neither the answer nor what later steps make of it', async () => {
    const adapter = opened();
    let isLaterRun = false;
    steps(adapter, [
      () => Promise.reject(new Error('no longer admitted')),
      () => {
        isLaterRun = true;
      },
    ]);
    const app = adapter.getInstance<Express>();
    app.use(
      (
        error: Error,
        _request: unknown,
        response: { status(code: number): { send(text: string): void } },
        _next: unknown,
      ) => {
        response.status(401).send(error.message);
      },
    );
    const response = await fetch(await listening(adapter));
    expect([response.status, await response.text(), isLaterRun]).toEqual([401, 'no longer admitted', false]);
  });
});
