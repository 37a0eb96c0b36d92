import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gunzipSync, gzipSync } from 'node:zlib';
import { serviceVersion } from '../../src/platform/config/version.js';
import { breaksBetween, withoutTexts } from '../support/openapi-breaks.js';
import { sharedService } from '../support/shared-service.js';

/** The package has no types of its own. */
const { compare, major } = createRequire(import.meta.url)('semver') as {
  readonly compare: (one: string, other: string) => number;
  readonly major: (version: string) => number;
};

/** One folder for each release, with what later releases are compared with. */
const folder = 'test/upgrade';
const released = readdirSync(folder).sort(compare);

describe('/openapi.json', () => {
  it('breaks no program that was written for the last release, or has a higher major version', async () => {
    const { url } = await sharedService();
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly info: { version: string } };
    expect(document.info.version).toBe(serviceVersion());
    // `npm run release:keep` writes the document of a release beside its data.
    if (process.env.KEEP_RELEASE) {
      const kept = { ...(withoutTexts(document) as object), servers: undefined };
      await mkdir(`${folder}/${serviceVersion()}`, { recursive: true });
      const packed = gzipSync(JSON.stringify(kept), { level: 9 });
      await writeFile(`${folder}/${serviceVersion()}/openapi.json.gz`, packed);
    }
    const last = released.at(-1) ?? serviceVersion();
    const old = JSON.parse(gunzipSync(readFileSync(`${folder}/${last}/openapi.json.gz`)).toString()) as object;
    expect(Object.keys((old as { paths: object }).paths).length).toBeGreaterThan(100);
    if (major(serviceVersion()) === major(last)) expect(breaksBetween(old, document)).toEqual([]);
  });
});

const order = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', maximum: 100 },
    state: { type: 'string', enum: ['open', 'paid'] },
    note: { type: 'string', maxLength: 10 },
    lines: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
  },
};

interface Parts {
  readonly schema?: object;
  readonly parameters?: readonly object[];
  readonly operation?: object;
  readonly paths?: object;
}

const page = { name: 'page', in: 'query', schema: { anyOf: [{ type: 'integer' }, { type: 'null' }] } };

const documentOf = ({ schema = order, parameters = [page], operation = {}, paths }: Parts): object => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } };
  const post = {
    operationId: 'order',
    'x-required-scopes': ['order:write'],
    parameters,
    requestBody: { content },
    responses: { 201: { content } },
    ...operation,
  };
  return { paths: paths ?? { '/orders': { post } }, components: { schemas: { Order: schema } } };
};

const withProperty = (name: string, property: object | undefined, required = ['id']) => ({
  schema: { ...order, required, properties: { ...order.properties, [name]: property } },
});

const breaksOf = (parts: Parts): string[] =>
  breaksBetween(documentOf({}), JSON.parse(JSON.stringify(documentOf(parts))) as object);

describe('a break', () => {
  it.each<[string, Parts, string[]]>([
    ['a path that is gone', { paths: {} }, ['is gone']],
    [
      'another name in generated clients',
      { operation: { operationId: 'other' } },
      ['is called other in generated clients now'],
    ],
    ['one more scope', { operation: { 'x-required-scopes': ['order:write', 'x'] } }, ['needs the scope x now']],
    ['a parameter that is gone', { parameters: [] }, ['query page is no longer accepted']],
    ['a parameter that became required', { parameters: [{ ...page, required: true }] }, ['query page is now required']],
    [
      'a new required parameter',
      { parameters: [page, { name: 'of', in: 'query', required: true, schema: {} }] },
      ['query of is now required'],
    ],
    [
      'a type that a parameter loses',
      { parameters: [{ ...page, schema: { type: 'integer' } }] },
      ['query page may no longer be null'],
    ],
    ['another status', { operation: { responses: { 200: {} } } }, ['201 is gone']],
    [
      'a body that is required',
      { operation: { requestBody: { required: true } } },
      ['body is now required', 'body may no longer be application/json'],
    ],
    [
      'a property that is gone',
      withProperty('note', undefined),
      ['body.note is no longer accepted', '201.note is gone'],
    ],
    [
      'a property of a request that became required',
      withProperty('note', order.properties.note, ['id', 'note']),
      ['body.note is now required'],
    ],
    ['a property that answers may lack', { schema: { ...order, required: [] } }, ['201.id may now be missing']],
    [
      'a value that is gone',
      withProperty('state', { type: 'string', enum: ['open'] }),
      ['body.state no longer accepts "paid"'],
    ],
    [
      'another type',
      withProperty('note', { type: 'integer' }),
      ['body.note may no longer be string', '201.note may now be integer'],
    ],
    [
      'null in an answer',
      withProperty('note', { type: ['string', 'null'], maxLength: 10 }),
      ['201.note may now be null'],
    ],
    ['a lower limit', withProperty('note', { type: 'string', maxLength: 9 }), ['body.note has a tighter maxLength']],
    [
      'a new limit',
      withProperty('state', { ...order.properties.state, minLength: 5 }),
      ['body.state has a tighter minLength'],
    ],
    [
      'a pattern',
      withProperty('note', { type: 'string', maxLength: 10, pattern: 'x' }),
      ['body.note has a new pattern'],
    ],
    [
      'items of another type',
      withProperty('lines', { type: 'array', items: { type: 'string' } }),
      ['body.lines[] may no longer be object', '201.lines[] may now be string'],
    ],
  ])('is %s', (_what, parts, breaks) => {
    expect(breaksOf(parts)).toEqual(breaks.map((text) => `POST /orders ${text}`));
  });

  it.each<[string, Parts]>([
    ['the same document', {}],
    ['a new path', { paths: { ...(documentOf({}) as { paths: object }).paths, '/new': { get: {} } } }],
    ['an optional parameter', { parameters: [page, { name: 'of', in: 'query', schema: { type: 'string' } }] }],
    ['a new property', withProperty('extra', { type: 'string' })],
    ['a new value', withProperty('state', { type: 'string', enum: ['open', 'paid', 'late'] })],
    ['a higher limit', withProperty('note', { type: 'string', maxLength: 20 })],
    ['one scope fewer', { operation: { 'x-required-scopes': [] } }],
    [
      'one more status',
      {
        operation: {
          responses: {
            ...(documentOf({}) as { paths: { '/orders': { post: { responses: object } } } }).paths['/orders'].post
              .responses,
            202: {},
          },
        },
      },
    ],
    [
      'a path that became another name of its operation',
      {
        paths: {
          '/new': {
            post: {
              ...(documentOf({}) as { paths: { '/orders': { post: object } } }).paths['/orders'].post,
              'x-aliases': ['/orders'],
            },
          },
        },
      },
    ],
  ])('is not %s', (_what, parts) => {
    expect(breaksOf(parts)).toEqual([]);
  });
});
