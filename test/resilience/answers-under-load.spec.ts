import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { queryExamples } from '../../src/sql/ask/query-examples.js';
import { everyGet, type RequestOfRoute } from '../support/every-get.js';
import { recordedQuestions } from '../support/recorded-questions.js';
import { startTestService, type TestService } from '../support/service.js';

/** How often each request is made beside the busy loops. */
const rounds = Number(process.env.LOAD_ROUNDS ?? 2);
const busyLoops = 4;
const atATime = 8;

let service: TestService;
let requests: RequestOfRoute[];
const loops: ChildProcess[] = [];

const now = '2026-03-01T12:00:00Z';
const headers = { 'X-Test-Now': now };

const sendFixedEvents = async (): Promise<void> => {
  const lines = ['ada', 'bob', 'cleo'].flatMap((distinct_id, n) => [
    { type: 'person', distinct_ids: [distinct_id], properties: { plan: n === 0 ? 'free' : 'pro', orders: n } },
    ...['$pageview', 'signed up', 'bought', 'seen'].map((event, step) => ({
      type: 'event',
      event,
      distinct_id,
      timestamp: `2026-02-2${n}T1${step}:00:00Z`,
      properties: { $current_url: '/start', price: 5 * n, amount: n },
    })),
  ]);
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const sent = { body, headers: { 'content-type': 'application/x-ndjson' } };
  const imported = await service.call('POST', `/api/projects/${service.project.id}/import`, sent);
  expect(imported.body).toMatchObject({ rejected_count: 0 });
};

beforeAll(async () => {
  service = await startTestService({ ALLOW_TEST_CLOCK: '1' });
  await sendFixedEvents();
  const api = `/api/projects/${service.project.id}`;
  const questions = recordedQuestions.map(({ name, path, query, body }) => ({
    name,
    ask: () => service.call(body ? 'POST' : 'GET', `${api}/${path}`, { query, body, headers }),
  }));
  const inSql = Object.entries(queryExamples).map(([name, { value: body }]) => ({
    name,
    ask: () => service.call('POST', `${api}/query`, { body, headers }),
  }));
  const reads = (await everyGet(service, headers)).filter(({ name }) => !leftOut.test(name));
  requests = [...reads, ...questions, ...inSql];
}, 60_000);
afterAll(async () => {
  for (const loop of loops) loop.kill('SIGKILL');
  await service.stop();
});

/** They change something, or answer with what goes on in the service at the moment. */
const leftOut = /activity$|duplicate_as_static_cohort$|\/(?:live|live\/summary|quotas|export|answer)$/;

/** What says when it was asked, or is about the service and not about the data. */
const ofTheMoment =
  /"(request_id|as_of|asked_at|last_seen|last_used_at|now|at|time|since|until|next_run_at|age_seconds|lag_seconds|took_ms|ms|elapsed_ms)":("[^"]*"|[\d.]+)/g;

const answerOf = async ({ ask }: RequestOfRoute): Promise<string> => {
  const { status, text } = await ask();
  return `${status} ${text.replace(ofTheMoment, '')}`;
};

/** A project has two at a time, and a third is refused on a quiet machine, too: they are asked one by one. */
const isExport = ({ name }: RequestOfRoute): boolean => name.includes('/export/');

const each = async (
  asked: readonly RequestOfRoute[],
  use: (request: RequestOfRoute) => Promise<void>,
): Promise<void> => {
  const work = async (left: RequestOfRoute[]): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) await use(next);
  };
  const others = asked.filter((request) => !isExport(request));
  const workers = Array.from({ length: atATime }, () => work(others));
  await Promise.all([work(asked.filter(isExport)), ...workers]);
};

it(
  `${rounds} answers to each request beside ${busyLoops} busy loops equal the quiet one`,
  async () => {
    const quiet = new Map<string, string>();
    const changing: string[] = [];
    for (const request of requests) quiet.set(request.name, await answerOf(request));
    for (const request of requests)
      if ((await answerOf(request)) !== quiet.get(request.name)) changing.push(request.name);
    expect(changing).toEqual([]);
    for (let loop = 0; loop < busyLoops; loop += 1) loops.push(spawn(process.execPath, ['-e', 'for (;;);']));
    const different: string[] = [];
    for (let round = 0; round < rounds; round += 1)
      await each(requests, async (request) => {
        const answer = await answerOf(request);
        if (answer !== quiet.get(request.name)) different.push(`${request.name}: ${answer.slice(0, 300)}`);
      });
    expect(different).toEqual([]);
    console.log(`${requests.length} requests, ${rounds * requests.length} answers under load: 0 different`);
  },
  60_000 + rounds * 60_000,
);
