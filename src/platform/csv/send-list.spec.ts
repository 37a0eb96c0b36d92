import { expect, it } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { Problem } from '../errors/problem.js';
import { openContext } from '../http/request-context.js';
import { sendOffsetList } from './send-list.js';

const anonymous = {
  ...{ requestId: 'r', now: new Date(), caller: null, project: null, tokenProjectId: null },
  isStillAdmitted: () => Promise.resolve(true),
  admittedAt: performance.now(),
  beforeAnswer: [],
  endings: [],
};

const records = [1, 2, 3].map((id) => ({ id, detail: { name: `n${id}` } }));

const toRefusal: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error instanceof Problem ? error.status : 500).json({ message: (error as Error).message });
};

const ask = async (query: string): Promise<string> => {
  const server = express()
    .get('/', (request, response, next) => {
      openContext(request, anonymous);
      const { format = 'json', limit = 2, offset, page } = request.query;
      const given = {
        ...(offset !== undefined && { offset: Number(offset) }),
        ...(page !== undefined && { page: Number(page) }),
      };
      sendOffsetList(
        request,
        response,
        { format: format as 'json' | 'csv', limit: Number(limit), ...given },
        {
          page: (window) =>
            Promise.resolve({
              count: records.length,
              results: records.slice(window.offset, window.offset + window.limit),
            }),
          all: (from) => records.slice(from),
          filename: 'records.csv',
          columns: ['id', ['name', ({ detail }) => detail.name]],
        },
      ).catch(next);
    })
    .use(toRefusal)
    .listen(0);
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const text = await (await fetch(`${origin}/?${query}`)).text();
  server.close();
  return text.replaceAll(origin, '');
};

const page = (next: string | null, previous: string | null, results: unknown) =>
  JSON.stringify({ count: 3, next, previous, results });

it.each([
  ['a page', '', page('/?limit=2&offset=2', null, records.slice(0, 2))],
  [
    'a page by its number',
    'page=2&limit=1',
    page('/?page=3&limit=1&offset=2', '/?page=1&limit=1&offset=0', [records[1]]),
  ],
  ['all records as CSV', 'format=csv', 'id,name\r\n1,n1\r\n2,n2\r\n3,n3\r\n'],
  ['all records from an offset as CSV', 'format=csv&offset=1', 'id,name\r\n2,n2\r\n3,n3\r\n'],
  ['a page as CSV when a limit is named', 'format=csv&limit=2', 'id,name\r\n1,n1\r\n2,n2\r\n'],
  ['a page as CSV when a page is named', 'format=csv&page=2', 'id,name\r\n3,n3\r\n'],
  [
    'no page when page and offset differ',
    'page=2&offset=1',
    '{"message":"page 2 begins at offset 2, not 1: send only one of page and offset"}',
  ],
])('a list is sent as %s', async (_form, query, text) => {
  expect(await ask(query)).toBe(text);
});
