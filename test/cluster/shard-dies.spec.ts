import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { ClickHouseUnavailable } from '../../src/platform/clickhouse/errors.js';
import { sql } from '../../src/platform/clickhouse/sql.js';
import { startClickHouseCluster, type ClickHouseCluster } from '../support/clickhouse/cluster.mjs';
import { startTestService, type Answer, type TestService } from '../support/service.js';
import { backWithinMs } from '../support/promised-times.js';

let cluster: ClickHouseCluster;
let service: TestService;
let captured = 0;

beforeAll(async () => {
  cluster = await startClickHouseCluster();
  service = await startTestService({
    CLICKHOUSE_URL: new URL('/shards', cluster.url).href,
    CLICKHOUSE_CLUSTER: cluster.name,
    PROJECTION_WAIT_MS: '2000',
  });
});
afterAll(async () => {
  await service.stop();
  await cluster.close();
});

const capture = async (events: number): Promise<void> => {
  const batch = Array.from({ length: events }, (_, at) => ({ event: 'seen', distinct_id: `visitor ${at}` }));
  const body = JSON.stringify({ api_key: service.project.api_token, batch });
  expect((await fetch(`${service.url}/batch`, { method: 'POST', body })).status).toBe(200);
  captured += events;
};

const trends = (): Promise<Answer> =>
  service.call('GET', `/api/projects/${service.project.id}/persons/trends`, {
    query: { include: 'insight', events: JSON.stringify([{ id: 'seen' }]) },
  });

const countOf = ({ status, body }: Answer): unknown =>
  status === 200 ? (body as { insight: { series: { count: number }[] } }).insight.series[0]?.count : status;

/**
 * Returns how long it took since no server ended. One that stood still may end when it returns, because the engine without its own
 * program does not survive each connection that was broken off meanwhile; it is started again then.
 */
const untilRight = async (): Promise<number> => {
  const begun = Date.now();
  while (countOf(await trends()) !== captured) {
    if (Date.now() - begun > 20_000) throw new Error('the answer did not become right');
    await sleep(50);
  }
  return Date.now() - Math.max(begun, cluster.endedAt());
};

describe('a shard of two', () => {
  beforeAll(async () => {
    await capture(200);
    await untilRight();
  });

  it.each([
    {
      how: 'stands still',
      stop: () => Promise.resolve(process.kill(cluster.pid(1), 'SIGSTOP')),
      start: () => Promise.resolve(process.kill(cluster.pid(1), 'SIGCONT')),
    },
    { how: 'dies', stop: () => cluster.stop(1), start: () => cluster.run(1) },
  ])(
    'that $how takes no event, and its questions are 503 within 2 s, and right soon after its return',
    async ({ stop, start }) => {
      await stop();
      const answers: [number, boolean][] = [];
      for (let n = 0; n < 6; n += 1) {
        const begun = Date.now();
        const { status } = await trends();
        answers.push([status, Date.now() - begun < 2_000]);
        await capture(50);
      }
      expect(answers).toEqual(answers.map(() => [503, true]));
      await start();
      expect(await untilRight()).toBeLessThan(backWithinMs);
    },
  );

  it('that goes away during a question is an outage, whichever server has started it', async () => {
    const clickhouse = service.app.get(ClickHouse);
    const slow = () =>
      clickhouse.query(sql`SELECT max(sleepEachRow(0.01)) AS slept FROM events`, { project: 'system' });
    const running = [slow(), slow()].map((question) => question.catch((error: unknown) => error));
    await sleep(500);
    await cluster.stop(1);
    for (const outcome of await Promise.all(running)) expect(outcome).toBeInstanceOf(ClickHouseUnavailable);
    await cluster.run(1);
    await untilRight();
  });

  it('that is killed again and again while events arrive has each of them once', async () => {
    for (let kill = 0; kill < 4; kill += 1) {
      for (let n = 0; n < 10; n += 1) {
        await capture(300);
        if (n === 2 * kill) await cluster.stop(kill % 2);
      }
      await cluster.run(kill % 2);
      expect(await untilRight()).toBeLessThan(backWithinMs);
    }
  });
});
