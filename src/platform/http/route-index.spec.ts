import { type NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type Express } from 'express';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { indexRoutes } from './route-index.js';

const routes = [
  'GET /',
  'GET /things',
  'POST /things',
  'GET /things/named',
  'GET /things/:id',
  'DELETE /things/:id',
  'GET /things/later',
  'GET /:kind/named/:id',
  'GET /things/:id/parts/:part',
  'GET /things/:id/parts/first',
  'GET /files/{*path}',
  'GET /Upper/:Id/list.json',
];

const paths = [
  ...['/', '/things', '/things/', '/THINGS', '/things//', '/things/named', '/things/later', '/things/7', '/things/7/'],
  ...['/other/named/7', '/things/7/parts/first', '/things/7/parts/2?x=1', '/things/%zz', '/files', '/files/a/b'],
  ...['/upper/A/LIST.json', '/nowhere', '/things/7/parts', '//things', '/things/a%2Fb'],
];

const appWith = (isIndexed: boolean): Express => {
  const app = express();
  app.use((_request, response, next) => {
    response.set('Before', 'yes');
    next();
  });
  for (const [at, route] of routes.entries()) {
    const [method = '', path = ''] = route.split(' ');
    app[method.toLowerCase() as 'get'](path, ({ params, baseUrl, route: { path: own } }, response) => {
      response.json({ at, params, baseUrl, own: own as string });
    });
    // A middleware between routes keeps its place.
    if (at === 5) {
      app.use('/things/later', (_request, response, next) => {
        response.set('Between', 'yes');
        next();
      });
    }
  }
  // As Nest does.
  app.use((_request, response) => void response.status(404).json('none'));
  if (isIndexed) indexRoutes({ getHttpAdapter: () => ({ getInstance: () => app }) } as NestExpressApplication);
  return app;
};

const listening = async (app: Express): Promise<Server> =>
  new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server));
  });

describe('the index of routes', () => {
  let servers: Server[] = [];
  beforeAll(async () => {
    servers = await Promise.all([listening(appWith(false)), listening(appWith(true))]);
  });
  afterAll(() => servers.forEach((server) => server.close()));

  const answer = async (server: Server | undefined, method: string, path: string) => {
    const { port } = server?.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}${path}`, { method }).then(async (response) => ({
      status: response.status,
      headers: ['before', 'between', 'allow'].map((name) => response.headers.get(name)),
      text: response.status === 400 ? '' : await response.text(),
    }));
  };

  const requests = paths
    .flatMap((path) => ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].map((method) => [method, path] as const))
    // A path that cannot be decoded is no route for OPTIONS.
    .filter(([method, path]) => method !== 'OPTIONS' || !path.includes('%zz'));

  it.each(requests)('lets %s %s be answered as by Express alone', async (method, path) => {
    const [plain, indexed] = await Promise.all(servers.map((server) => answer(server, method, path)));
    expect(indexed).toEqual(plain);
  });
});
