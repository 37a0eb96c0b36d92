import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { TestReceiver } from '../support/webhooks/receiver.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';
import { ServiceOnLinks } from './stores-down.fixture.js';

let links: ServiceOnLinks;
let of: WebhooksOf;
let receiver: TestReceiver;

beforeAll(async () => {
  links = await ServiceOnLinks.start({ WEBHOOK_ALLOW_PRIVATE: '1', PROJECTION_WAIT_MS: '300' });
  of = await new WebhooksOf(links.service, links.service.project.id).withPersons(3);
  receiver = await TestReceiver.start();
});
afterEach(() => links.mend());
afterAll(async () => {
  await receiver.stop();
  await links.stop();
});

/** The value of one series; undefined where there is none. */
const metric = async (series: string): Promise<number | undefined> => {
  const { text } = await links.service.call('GET', '/metrics', { key: null });
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
};
const untilMetric = async (series: string, isRight: (value: number) => boolean): Promise<void> => {
  let value: number | undefined;
  await until(async () => (value = await metric(series)) !== undefined && isRight(value), {
    failure: () => `${series} is ${value}`,
  });
};

const waiting = (task: string) => `kohort_background_waiting{task="${task}"}`;
const waited = (task: string) => `kohort_background_oldest_waiting_seconds{task="${task}"}`;
const runs = (task: string, outcome: string) =>
  `kohort_background_run_seconds_count{task="${task}",outcome="${outcome}"}`;

describe('the metrics of background work', () => {
  it('count a cohort that another process has not finished, and since when it is due', async () => {
    const filters = { properties: { type: 'AND', values: [{ type: 'person', key: 'n', value: ['1'] }] } };
    const { id } = await of.create({ name: 'Ones', filters });
    await untilMetric(waiting('cohorts'), (value) => value === 0);
    const [done, refused, failed] = await Promise.all(
      ['done', 'refused', 'failed'].map((end) => metric(runs('cohorts', end))),
    );
    const lease = `cohort:${of.projectId}:${id}`;
    await links.pool.query(
      `INSERT INTO leases (name, holder, expires_at) VALUES ($1, gen_random_uuid(), now() + interval '50 seconds')`,
      [lease],
    );
    await links.pool.query(
      `UPDATE cohorts SET is_calculating = true, pending_version = pending_version + 1, calculation_now = now() - interval '20 minutes'
       WHERE id = $1`,
      [id],
    );
    await untilMetric(waiting('cohorts'), (value) => value === 1);
    const seconds = await metric(waited('cohorts'));
    expect(seconds).toBeGreaterThanOrEqual(1200);
    expect(seconds).toBeLessThan(1260);
    await links.pool.query('DELETE FROM leases WHERE name = $1', [lease]);
    await untilMetric(waiting('cohorts'), (value) => value === 0);
    expect(await metric(waited('cohorts'))).toBe(0);
    expect(await metric(runs('cohorts', 'done'))).toBe((done ?? 0) + 1);
    expect(await metric(runs('cohorts', 'refused'))).toBe(refused);
    expect(await metric(runs('cohorts', 'failed'))).toBe(failed);
  });

  it('count webhooks that a user has paused, those that the service has paused, and messages that wait', async () => {
    const cohort = await of.list();
    const mine = await of.webhook({ url: receiver.url, cohorts: [cohort] });
    await of.call('PATCH', `webhooks/${mine.id}`, { body: { paused: true } });
    await of.webhook({ url: receiver.url, cohorts: [cohort] });
    expect(await metric(waiting('webhooks'))).toBe(0);
    receiver.answering = () => 500;
    await of.add(cohort, 'p0');
    await untilMetric(waiting('webhooks'), (value) => value === 1);
    await until(async () => {
      const { rowCount } = await links.pool.query('SELECT FROM webhook_positions WHERE failing_since IS NOT NULL');
      return rowCount === 1;
    });
    await links.pool.query(`UPDATE webhook_positions SET failing_since = now() - interval '2 hours'`);
    await untilMetric(waited('webhooks'), (value) => value >= 7200 && value < 7260);
    expect(await metric('kohort_webhooks_paused{reason="user"}')).toBe(1);
    expect(await metric('kohort_webhooks_paused{reason="failures"}')).toBe(0);
    receiver.answering = () => 410;
    await links.pool.query('UPDATE webhook_positions SET next_attempt_at = now()');
    await untilMetric('kohort_webhooks_paused{reason="failures"}', (value) => value === 1);
    expect(await metric(waiting('webhooks'))).toBe(0);
    expect(await metric('kohort_webhooks_paused{reason="user"}')).toBe(1);
  });

  it('count batch exports that a user has paused, and those that the service has paused', async () => {
    const rows = [null, null, 'its bucket answered 403 for 3 days'];
    for (const reason of rows)
      await links.pool.query(
        `INSERT INTO batch_exports (project_id, name, model, interval, destination, paused_at, paused_reason, next_start, failures,
           created_at, updated_at)
         VALUES (1, 'nightly', 'events', 'day', '{}', now(), $1, now(), 0, now(), now())`,
        [reason],
      );
    await untilMetric('kohort_batch_exports_paused{reason="failures"}', (value) => value === 1);
    expect(await metric('kohort_batch_exports_paused{reason="user"}')).toBe(2);
  });

  it('count shipments and cohorts that fail because ClickHouse is away, and keep what waits for PostgreSQL', async () => {
    const filters = { properties: { type: 'AND', values: [{ type: 'person', key: 'n', value: ['2'] }] } };
    const before = (await metric('kohort_projection_failures_total{cause="unreachable"}')) ?? 0;
    const others = await Promise.all(
      ['refused', 'memory', 'other'].map((cause) => metric(`kohort_projection_failures_total{cause="${cause}"}`)),
    );
    const failed = (await metric(runs('shipping', 'failed'))) ?? 0;
    await links.clickhouse.set('refusing');
    expect((await links.capture()).status).toBe(200);
    await untilMetric('kohort_projection_failures_total{cause="unreachable"}', (value) => value > before);
    await untilMetric(runs('shipping', 'failed'), (value) => value > failed);
    expect(
      await Promise.all(
        ['refused', 'memory', 'other'].map((cause) => metric(`kohort_projection_failures_total{cause="${cause}"}`)),
      ),
    ).toEqual(others);
    await of.create({ name: 'Twos', filters });
    await untilMetric(runs('cohorts', 'failed'), (value) => value >= 1);
    expect(await metric(waiting('cohorts'))).toBe(1);
    await links.postgres.set('refusing');
    const begun = performance.now();
    expect(await metric(waiting('cohorts'))).toBe(1);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('show the connections and the statements of both stores', async () => {
    const statements = async () =>
      Promise.all(
        ['postgres', 'clickhouse_questions', 'clickhouse_inserts'].map((pool) =>
          metric(`kohort_store_statement_seconds_count{pool="${pool}"}`),
        ),
      );
    const before = await statements();
    await links.capture();
    await links.untilRight();
    for (const [at, count] of (await statements()).entries()) expect(count).toBeGreaterThan(before[at] ?? 0);
    await untilMetric('kohort_pool_connections{pool="postgres",state="waiting"}', (value) => value === 0);
    expect(await metric('kohort_pool_connections{pool="postgres",state="idle"}')).toBeGreaterThan(0);
    const questions = ['used', 'idle', 'waiting'].map((state) =>
      metric(`kohort_pool_connections{pool="clickhouse_questions",state="${state}"}`),
    );
    expect(await Promise.all(questions)).toEqual([0, expect.any(Number), 0]);
  });
});
