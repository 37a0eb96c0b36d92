import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/common/logging/logger.js';
import { type Work } from '../../src/stores/clickhouse/costs.js';
import { ClickHouse } from '../../src/stores/clickhouse/client.js';
import { sql } from '../../src/stores/clickhouse/sql.js';
import { integer } from '../../src/stores/clickhouse/values.js';
import { PeopleOf } from '../support/people.js';
import { freePort } from '../support/process.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

interface SlowLine {
  readonly msg: string;
  readonly project: number;
  readonly work: string;
  readonly statement: string;
}

const namesOfMetrics = ['statements', 'cpu_seconds', 'read_rows', 'read_bytes'].map(
  (what) => `kohort_clickhouse_${what}_total`,
);

/** The values of a metric by project and work. */
const seriesIn = (metrics: string, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...metrics.matchAll(new RegExp(`^${name}{project="(\\w+)",work="(\\w+)"} (\\S+)$`, 'gm'))].map(
      ([, project, work, value]) => [`${project} ${work}`, Number(value)],
    ),
  );

/** Reads so many rows of eight bytes. */
const read = (service: TestService, projectId: number, rows: number, work: Work = 'question') =>
  service.app
    .get(ClickHouse)
    .query(sql`SELECT sum(number) FROM numbers(${integer(rows)})`, { project: { id: projectId }, work });

describe('what statements take of ClickHouse', () => {
  let service: TestService;
  let metricsUrl: string;
  const written: string[] = [];

  beforeAll(async () => {
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    service = await startTestService(
      { METRICS_PORT: String(port), SLOW_QUESTION_MS: '1' },
      createLogger({ logLevel: 'warn' }, { write: (line) => written.push(line) > 0 }),
    );
  });
  afterAll(() => service.stop());

  const metrics = async () => (await fetch(metricsUrl)).text();
  const slowLines = () => written.map((line) => JSON.parse(line) as SlowLine).filter(({ msg }) => msg.endsWith('slow'));

  it('is counted by project and work on a port of its own', async () => {
    const [busy, quiet] = [await service.newProject(), await service.newProject()];
    for (let round = 0; round < 3; round += 1) await read(service, busy.id, 1000);
    await read(service, busy.id, 10, 'export');
    await read(service, quiet.id, 7);
    const text = await metrics();
    const of = (name: string) => {
      const series = seriesIn(text, name);
      return [`${busy.id} question`, `${busy.id} export`, `${quiet.id} question`].map((each) => series[each]);
    };
    expect(of('kohort_clickhouse_statements_total')).toEqual([3, 1, 1]);
    expect(of('kohort_clickhouse_read_rows_total')).toEqual([3000, 10, 7]);
    expect(of('kohort_clickhouse_read_bytes_total')).toEqual([24_000, 80, 56]);
    for (const seconds of of('kohort_clickhouse_cpu_seconds_total')) expect(seconds).toBeGreaterThan(0);
    expect(seriesIn(text, 'kohort_clickhouse_statements_total')['system write']).toBeGreaterThan(0);
  });

  it('is in the log for a slow question, without its values', async () => {
    const people = new PeopleOf(service, service.project.id);
    await people.make(['grace@example.test'], { plan: 'platinum' });
    const query = `SELECT count() FROM events WHERE distinct_id = 'grace@example.test' AND person.properties.plan = 'platinum'`;
    const answer = await people.call('POST', 'query', { body: { query } });
    expect(answer.body).toMatchObject({ results: [[1]] });
    await until(() => slowLines().some(({ statement }) => statement.includes('count()')));
    expect(slowLines().find(({ statement }) => statement.includes('count()'))).toEqual({
      level: 40,
      time: expect.any(String),
      msg: 'a statement of ClickHouse was slow',
      project: service.project.id,
      work: 'question',
      statement: expect.stringMatching(/\{p\d+:String\}/),
      waited_ms: expect.any(Number),
      ran_ms: expect.any(Number),
      cpu_ms: expect.any(Number),
      read_rows: expect.any(Number),
      read_bytes: expect.any(Number),
      peak_memory_bytes: expect.any(Number),
      ended: 'answered',
    });
    expect(written.join('')).not.toMatch(/grace|platinum/);
  });
});

describe('what statements take of ClickHouse, beside the API', () => {
  it('does not tell projects apart, where everyone reads it', async () => {
    const service = await startTestService();
    const other = await service.newProject();
    await read(service, service.project.id, 1000, 'export');
    await read(service, other.id, 10, 'export');
    const { text } = await service.call('GET', '/metrics', { key: null });
    expect(seriesIn(text, 'kohort_clickhouse_read_rows_total')['all export']).toBe(1010);
    for (const name of namesOfMetrics) {
      const projects = Object.keys(seriesIn(text, name)).map((labels) => labels.split(' ')[0]);
      expect(projects.filter((project) => project !== 'all' && project !== 'system')).toEqual([]);
    }
    await service.stop();
  });
});
