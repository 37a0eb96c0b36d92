import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { type PoolClient } from 'pg';
import { shopEvents } from '../../src/app/demo/shop/shop-events.js';
import { writeSeed } from '../../src/app/demo/write-seed.js';
import { MovedMembers } from '../../src/kernel/memberships/moved-members.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { McpCaller } from '../support/mcp.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { ExamCaller, type Question } from './exam-caller.js';

/** The shop in January 2026, so that each run asks about the same events. */
const now = new Date('2026-02-01T12:00:00Z');

const mostCalls = 4;

let service: ServiceHandle;
let client: PoolClient;
let caller: McpCaller;
let exam: ExamCaller;

beforeAll(async () => {
  service = await sharedService();
  const { id } = service.project;
  const traffic = [...(await shopEvents({ events: 4000, days: 30, now }))];
  await writeSeed(new Postgres(service.pool), id, { events: traffic, now }, new MovedMembers());
  client = await service.pool.connect();
  await client.query('CREATE TEMP TABLE sent (event text, distinct_id text, at timestamptz, properties jsonb)');
  const rows = traffic.map(({ event: { timestamp, ...event } }) => ({ ...event, at: timestamp }));
  await client.query('INSERT INTO sent SELECT * FROM jsonb_populate_recordset(NULL::sent, $1::jsonb)', [
    JSON.stringify(rows),
  ]);
  await client.query(
    `CREATE TEMP VIEW shop AS SELECT sent.*, person_id FROM sent
     JOIN person_distinct_ids d ON d.project_id = ${id} AND d.distinct_id = sent.distinct_id`,
  );
  // Without statistics a pair of events is looked for in nested loops, which can take minutes.
  await client.query('ANALYZE sent, person_distinct_ids');
  await client.query(`CREATE TEMP VIEW known AS SELECT id, properties FROM persons WHERE project_id = ${id}`);
  const buyers = {
    type: 'behavioral',
    value: 'performed_event',
    key: 'order paid',
    event_type: 'events',
    explicit_datetime: '2026-01-01',
  };
  const body = { name: 'Buyers', filters: { properties: { type: 'AND', values: [buyers] } } };
  const { status } = await service.call('POST', `/api/projects/${id}/cohorts?wait=60`, { body });
  expect(status).toBe(201);
  const key = await service.newKey({ projectIds: [id] });
  caller = await McpCaller.connect(service.url, key.text);
  exam = await ExamCaller.of(caller);
});
afterAll(async () => {
  await caller.close();
  client.release(true);
  await service.stop();
});

const names = [
  '$pageview',
  'product viewed',
  'product added',
  'checkout started',
  'order paid',
  'searched',
  'newsletter opened',
];
const ranges = [
  ['2026-01-05', '2026-01-11'],
  ['2026-01-20', '2026-01-20'],
  ['2026-01-15', '2026-01-31'],
] as const;

const within = (from: string, to: string) => `at >= '${from}' AND at < '${to}'::timestamptz + interval '1 day'`;

const counts = (): Question[] =>
  names.flatMap((event) =>
    ranges.slice(0, 2).map(([from, to]) => ({
      question: `How often did "${event}" happen from ${from} to ${to}?`,
      steps: [{ about: 'numbers', do: 'trends', with: { events: [{ id: event }], date_from: from, date_to: to } }],
      take: { key: 'count', where: { label: event } },
      sql: `SELECT count(*) FROM shop WHERE event = '${event}' AND ${within(from, to)}`,
    })),
  );

const persons = (): Question[] =>
  names.map((event, at) => {
    const [from, to] = ranges[at % ranges.length] ?? ranges[0];
    const given = { events: [{ id: event, math: 'dau' }], display: 'BoldNumber', date_from: from, date_to: to };
    return {
      question: `How many persons did "${event}" from ${from} to ${to}?`,
      steps: [{ about: 'numbers', do: 'trends', with: given }],
      take: { key: 'aggregated_value' },
      sql: `SELECT count(DISTINCT person_id) FROM shop WHERE event = '${event}' AND ${within(from, to)}`,
    };
  });

const funnels = (): Question[] =>
  names.slice(1).map((second, at) => {
    const first = names[at] ?? '';
    const given = {
      events: [{ id: first }, { id: second }],
      funnel_window_interval: 60,
      date_from: '2026-01-01',
      date_to: '2026-02-01',
    };
    return {
      question: `How many persons did "${first}" and then "${second}"?`,
      steps: [{ about: 'numbers', do: 'funnel', with: given }],
      take: { key: 'count', where: { order: 1 } },
      sql: `SELECT count(DISTINCT a.person_id) FROM shop a JOIN shop b USING (person_id) WHERE a.event = '${first}' AND b.event = '${second}' AND b.at >= a.at`,
    };
  });

const countries = (): Question[] =>
  ['DE', 'FR', 'GB', 'US', 'PL', 'CH', 'NL', 'SE'].map((country) => ({
    question: `How many persons come from ${country}?`,
    steps: [{ about: 'profiles', do: 'list', with: { properties: [{ key: 'country', value: country }], limit: 1 } }],
    take: { key: 'count' },
    sql: `SELECT count(*) FROM known WHERE properties->>'country' = '${country}'`,
  }));

const frequent = (): Question[] =>
  ['category', '$browser', 'reason', 'utm_source', '$device_type'].map((key) => ({
    question: `How often does the most frequent value of the event property ${key} occur?`,
    steps: [{ about: 'values', do: 'values', with: { key, type: 'event', limit: 1 } }],
    take: { path: ['results', 0, 'count'] },
    sql: `SELECT count(*) FROM shop WHERE properties ? '${key}' GROUP BY properties->>'${key}' ORDER BY 1 DESC LIMIT 1`,
  }));

const shown = JSON.parse(readFileSync('test/mcp/exam.json', 'utf8')) as Question[];
const questions = [...shown, ...counts(), ...persons(), ...funnels(), ...countries(), ...frequent()];

const comparable = (value: unknown): unknown => {
  const number = typeof value === 'boolean' || value === null || value === '' ? NaN : Number(value);
  return Number.isNaN(number) ? value : Math.round(number * 1000) / 1000;
};

it('sixty questions about the demo shop are answered right, within four calls each', async () => {
  expect([shown.length, questions.length]).toEqual([20, 60]);
  const table: string[] = [];
  const wrong: object[] = [];
  let [calls, bytes] = [0, 0];
  for (const question of questions) {
    const expected = comparable(Object.values(((await client.query(question.sql)).rows[0] ?? {}) as object)[0]);
    const solved = await exam
      .solve(question)
      .catch((error: unknown) => ({ answer: String(error), calls: 0, bytes: 0 }));
    const answer = comparable(solved.answer);
    if (answer !== expected || solved.calls > mostCalls)
      wrong.push({ question: question.question, expected, answer, calls: solved.calls });
    table.push(`${String(solved.calls).padStart(5)} ${String(solved.bytes).padStart(6)}  ${question.question}`);
    [calls, bytes] = [calls + solved.calls, bytes + solved.bytes];
  }
  const mean = (sum: number) => (sum / questions.length).toFixed(1);
  process.stdout.write(
    `calls  bytes  question\n${table.join('\n')}\n${mean(calls)} calls and ${mean(bytes)} bytes in the mean\n`,
  );
  expect(wrong).toEqual([]);
});
