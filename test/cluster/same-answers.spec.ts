import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { sql } from '../../src/platform/clickhouse/sql.js';
import { startClickHouseCluster, type ClickHouseCluster } from '../support/clickhouse/cluster.mjs';
import { sampleOf } from '../support/sample.js';
import { type Answer } from '../support/service-handle.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  liveTwin,
  twinEstimates,
  twinInsights,
  twinLists,
  twinStatements,
  type Twin,
  type TwinQuestion,
} from './twins.js';

let cluster: ClickHouseCluster;
const services: TestService[] = [];
let one: Twin;
let two: Twin;

beforeAll(async () => {
  cluster = await startClickHouseCluster();
  const live = async (env: Readonly<Record<string, string>>): Promise<Twin> => {
    const service = await startTestService(env);
    services.push(service);
    return liveTwin(service);
  };
  one = await live({ CLICKHOUSE_URL: new URL('/one', cluster.urlOf(0)).href });
  two = await live({ CLICKHOUSE_URL: new URL('/two', cluster.url).href, CLICKHOUSE_CLUSTER: cluster.name });
}, 240_000);
afterAll(async () => {
  for (const service of services) await service.stop();
  await cluster.close();
});

/** Fields that differ between any two services, or any two moments. */
const passing = new Set(['api_token', 'created_by', 'elapsed_ms', 'rows_read']);
const ofThisRun = /\b2026-\d\d-\d\dT[\d:.]+Z|^http:..127\.0\.0\.1:\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const contentOf = ({ status, body, text, headers }: Answer): unknown => {
  if (!String(headers['content-type']).includes('json')) return [status, text.replace(ofThisRun, '…')];
  const content = JSON.stringify(body, (key, value: unknown) => {
    if (passing.has(key)) return undefined;
    if (typeof value === 'string') return value.replace(ofThisRun, '…');
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value;
  });
  return [status, JSON.parse(content) as unknown];
};

describe('a project on two shards', () => {
  it('has events on both of them', async () => {
    const clickhouse = services[1]?.app.get(ClickHouse);
    const rows = await clickhouse?.query<{ n: number }>(
      sql`SELECT count() AS n FROM events GROUP BY _shard_num ORDER BY _shard_num`,
      { project: 'system' },
    );
    expect(rows?.map(({ n }) => n > 2_000)).toEqual([true, true]);
  });

  /** On a busy machine a shard may be too late for the look at it, and the answer is 503. */
  const answerOf = async ({ ask }: TwinQuestion, twin: Twin): Promise<Answer> => {
    let answer = await ask(twin);
    for (let tries = 1; answer.status === 503 && tries < 10; tries += 1) answer = await ask(twin);
    return answer;
  };

  const answersAsOne = async (question: TwinQuestion): Promise<void> => {
    const [alone, spread] = [await answerOf(question, one), await answerOf(question, two)];
    expect(alone.status).toBe(200);
    expect(contentOf(spread)).toEqual(contentOf(alone));
  };

  it.each(sampleOf(twinInsights, 12))('answers as on one: $name', answersAsOne);
  it.each(twinLists)('answers as on one: $name', answersAsOne);
  it.each(twinStatements)('answers as on one: $name', answersAsOne);

  // One shard alone would give half as much, a shard counted twice one and a half times as much. Bytes differ by more than rows,
  // because each shard stores its own parts and columns of them.
  it.each(sampleOf(twinEstimates, 4))('reads as much as on one: $name', async (question) => {
    const [alone, spread] = [await answerOf(question, one), await answerOf(question, two)].map(
      ({ body }) => body as { rows: number; bytes: number },
    );
    expect((spread?.rows ?? 0) / (alone?.rows ?? 0)).toBeCloseTo(1, 0.3);
    const bytes = (spread?.bytes ?? 0) / (alone?.bytes ?? 0);
    expect(bytes).toBeGreaterThan(0.75);
    expect(bytes).toBeLessThan(1.4);
  });
});
