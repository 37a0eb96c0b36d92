import { gzipSync } from 'node:zlib';
import { tooBig } from '../security/sql/too-big.js';
import { type Scene } from './scene.js';

/** One request that once took the main thread for long, with the least status class that is right for it. */
export interface CostlyRequest {
  readonly name: string;
  readonly method: string;
  readonly path: (scene: Scene) => string;
  readonly body?: (scene: Scene) => Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent without a key. */
  readonly isPublic?: boolean;
  /** What must have been sent before; the time it takes is not measured. */
  readonly before?: (scene: Scene) => { readonly path: string; readonly body: string };
  readonly statuses: RegExp;
}

const accepted = /^2/;
const refused = /^4/;
const either = /^[24]/;

const ofProject =
  (rest: string) =>
  ({ mine }: Scene) =>
    `/api/projects/${mine.id}/${rest}`;

const distinctKeys = (count: number): string => Array.from({ length: count }, (_, n) => `"k${n}":0`).join(',');
const repeated = (text: string, count: number): string => Array.from({ length: count }, () => text).join(',');
const regularly = JSON.stringify({
  type: 'behavioral',
  value: 'performed_event_regularly',
  key: 'paid',
  event_type: 'events',
  time_value: 1,
  time_interval: 'day',
  operator: 'gte',
  operator_value: 1,
  min_periods: 1,
  total_periods: 1000,
});
const criteria = (values: string): string => `{"filters":{"properties":{"type":"AND","values":[${values}]}}}`;
const filtered = (properties: string): string => `{"events":[{"id":null}],"properties":${properties}}`;

const bodies: readonly CostlyRequest[] = [
  {
    name: 'a preview with 20,000 keys in an unknown field',
    method: 'POST',
    path: ofProject('cohorts/preview'),
    body: () => `{"zzz":{${distinctKeys(20_000)}}}`,
    statuses: refused,
  },
  {
    name: 'a preview with 90,000 keys',
    method: 'POST',
    path: ofProject('cohorts/preview'),
    body: () => `{${distinctKeys(90_000)}}`,
    statuses: refused,
  },
  {
    name: 'an event with 90,000 keys',
    method: 'POST',
    path: () => '/batch',
    isPublic: true,
    body: ({ spare }) =>
      `{"api_key":"${spare.token}","batch":[{"event":"a","distinct_id":"b","properties":{${distinctKeys(90_000)}}}]}`,
    statuses: refused,
  },
  {
    name: 'an event with 9,900 keys of 80 characters',
    method: 'POST',
    path: () => '/batch',
    isPublic: true,
    body: ({ spare }) => {
      const keys = Array.from({ length: 9_900 }, (_, n) => `"${'k'.repeat(75)}${n}":0`).join(',');
      return `{"api_key":"${spare.token}","batch":[{"event":"a","distinct_id":"b","properties":{${keys}}}]}`;
    },
    statuses: accepted,
  },
  {
    name: 'a cohort with 20,000 keys in its filters',
    method: 'POST',
    path: ofProject('cohorts'),
    body: () => `{"name":"a","filters":{${distinctKeys(20_000)}}}`,
    statuses: refused,
  },
  {
    name: 'a cohort with a million empty lists as criteria',
    method: 'POST',
    path: ofProject('cohorts'),
    body: () => `{"name":"a","filters":{"properties":{"type":"AND","values":[${repeated('[]', 1_000_000)}]}}}`,
    statuses: refused,
  },
  {
    name: 'a cohort of a million person ids',
    method: 'POST',
    path: ofProject('cohorts'),
    body: () => `{"name":"a","is_static":true,"person_ids":[${repeated('1', 1_000_000)}]}`,
    statuses: either,
  },
  {
    name: 'properties of a person with 2,000,000 opening brackets',
    method: 'PATCH',
    path: ({ mine }) => `/api/projects/${mine.id}/persons/${mine.persons[0]?.id}`,
    body: () => '['.repeat(2_000_000),
    statuses: refused,
  },
  {
    name: 'properties of a person with 200,000 keys',
    method: 'PATCH',
    path: ({ mine }) => `/api/projects/${mine.id}/persons/${mine.persons[0]?.id}`,
    body: () => `{"properties":{${distinctKeys(200_000)}}}`,
    statuses: either,
  },
  {
    name: 'a body of 2,000 levels',
    method: 'POST',
    path: ofProject('cohorts/preview'),
    body: () => `{"x":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    statuses: refused,
  },
];

const questions: readonly CostlyRequest[] = [
  {
    name: 'a filter that compares with 10,000 digits and a letter',
    method: 'POST',
    path: ofProject('persons/funnel'),
    body: () => filtered(JSON.stringify([{ key: 'a', operator: 'gt', value: `${'1'.repeat(10_000)}x` }])),
    statuses: either,
  },
  {
    name: 'a filter whose key is 80,000 underscores',
    method: 'POST',
    path: ofProject('persons/funnel'),
    body: () => filtered(`{"${'_'.repeat(80_000)}!":1}`),
    statuses: either,
  },
  {
    name: 'a cohort whose groups have a key of 80,000 underscores',
    method: 'POST',
    path: ofProject('cohorts/preview'),
    body: () => JSON.stringify({ groups: [{ properties: { [`${'_'.repeat(80_000)}!`]: 1 } }] }),
    statuses: either,
  },
  {
    name: 'a webhook with 20,000 empty lists as kinds',
    method: 'POST',
    path: ofProject('webhooks'),
    body: () => `{"url":"https://example.test/","cohorts":"*","kinds":[${repeated('[]', 20_000)}]}`,
    statuses: refused,
  },
  {
    name: 'paths whose persons are searched by 500,000 underscores',
    method: 'POST',
    path: ofProject('persons/path'),
    body: () => JSON.stringify({ search: '_'.repeat(500_000) }),
    statuses: refused,
  },
  {
    name: 'a breakdown by 5,000 times everyone',
    method: 'POST',
    path: ofProject('persons/funnel'),
    body: () => `{"events":[{"id":null}],"breakdown_type":"cohort","breakdown":[${repeated('"all"', 5000)}]}`,
    statuses: refused,
  },
  {
    name: 'a funnel with 100 filters of 1,000 values',
    method: 'POST',
    path: ofProject('persons/funnel'),
    body: () => {
      const leaf = JSON.stringify({ key: 'a', value: Array.from({ length: 1000 }, (_, n) => `v${n}`) });
      return filtered(`[${repeated(leaf, 100)}]`);
    },
    statuses: either,
  },
  {
    name: 'paths of 50 events with 50 parts of 20 filters',
    method: 'POST',
    path: ofProject('persons/path'),
    body: () => {
      const leaf = '{"key":"a","value":"x"}';
      const part = `{"id":"a","properties":[${repeated(leaf, 20)}]}`;
      return `{"events":[${repeated(`{"name":"n","any_of":[${repeated(part, 50)}]}`, 50)}]}`;
    },
    statuses: either,
  },
  {
    name: 'a filter with 2,000 regular expressions',
    method: 'POST',
    path: ofProject('persons/funnel'),
    body: () =>
      filtered(
        JSON.stringify([{ key: 'a', operator: 'regex', value: Array.from({ length: 2000 }, (_, n) => `^a{${n}}`) }]),
      ),
    statuses: either,
  },
  {
    name: 'a preview of five things done regularly over 1,000 periods',
    method: 'POST',
    path: ofProject('cohorts/preview'),
    body: () => criteria(repeated(regularly, 5)),
    statuses: either,
  },
  {
    name: 'a preview of one thing done regularly over 1,000 periods',
    method: 'POST',
    path: ofProject('cohorts/preview'),
    body: () => criteria(regularly),
    statuses: either,
  },
];

const bulk: readonly CostlyRequest[] = [
  {
    name: 'a small batch without a key that unpacks to 3,000,000 lists',
    method: 'POST',
    path: () => '/batch',
    isPublic: true,
    body: () => gzipSync(`[${'[],'.repeat(3_000_000)}[]]`),
    statuses: refused,
  },
  {
    name: 'an import of 1,000,000 lines that are no records',
    method: 'POST',
    path: ofProject('import'),
    headers: { 'content-type': 'application/x-ndjson' },
    body: () => '1\n'.repeat(1_000_000),
    statuses: either,
  },
  {
    name: 'an import that unpacks to 300 MB of empty lines',
    method: 'POST',
    path: ofProject('import'),
    headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
    body: () => gzipSync(Buffer.alloc(300 * 1024 * 1024, '\n')),
    statuses: refused,
  },
  {
    name: 'a form with 40 texts of 400 kB',
    method: 'POST',
    path: ofProject('cohorts'),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: () => {
      const part = (n: number) =>
        `--b\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n${'x'.repeat(400_000)}\r\n`;
      return `${Array.from({ length: 40 }, (_, n) => part(n)).join('')}--b--\r\n`;
    },
    statuses: refused,
  },
  {
    name: 'an export of persons with 20,000 different keys',
    method: 'GET',
    path: ({ spare }) => `/api/projects/${spare.id}/persons?format=csv`,
    before: ({ spare }) => ({
      path: '/batch',
      body: JSON.stringify({
        api_key: spare.token,
        batch: Array.from({ length: 20 }, (_, person) => ({
          event: '$set',
          distinct_id: `wide-${person}`,
          properties: { $set: Object.fromEntries(Array.from({ length: 1000 }, (_k, n) => [`k${person}-${n}`, n])) },
        })),
      }),
    }),
    statuses: accepted,
  },
];

const sql: readonly CostlyRequest[] = Object.entries(tooBig).map(([name, query]) => ({
  name: `SQL: ${name}`,
  method: 'POST',
  path: ofProject('query'),
  body: () => JSON.stringify({ query }),
  statuses: refused,
}));

const largeAnswer = "select repeat('x', 250) as text, n from (select arrayJoin(range(50000)) as n)";

const largeAnswers: readonly CostlyRequest[] = [
  { format: '', body: { query: largeAnswer, limit: 50_000 } },
  { format: '?format=csv', body: { query: largeAnswer } },
  { format: '?format=ndjson', body: { query: largeAnswer } },
].map(({ format, body }) => ({
  name: `SQL: an answer of 13 MB ${format}`,
  method: 'POST',
  path: ofProject(`query${format}`),
  body: () => JSON.stringify(body),
  statuses: accepted,
}));

export const costlyRequests: readonly CostlyRequest[] = [...bodies, ...questions, ...bulk, ...sql, ...largeAnswers];
