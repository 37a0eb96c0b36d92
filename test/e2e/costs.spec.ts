import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { type ProjectCostDto } from '../../src/projects/quotas/project-cost.dto.js';
import { ProjectCosts } from '../../src/projects/quotas/project-costs.js';
import { type StatementWork } from '../../src/platform/clickhouse/costs.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { integer, sql } from '../../src/platform/clickhouse/sql.js';
import { PersonsOf } from '../support/persons.js';
import { freePort } from '../support/process.js';
import { type CallOptions } from '../support/service-handle.js';
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
const read = (service: TestService, projectId: number, rows: number, work: StatementWork = 'question') =>
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
    const people = new PersonsOf(service, service.project.id);
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

describe('GET /api/project_costs', () => {
  let service: TestService;
  let busy: ProjectDto;
  let quiet: ProjectDto;
  const at = (now: Date) => ({ headers: { 'X-Test-Now': now.toISOString() } });
  const hoursLater = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const costs = async (options: CallOptions = {}) => (await service.call('GET', '/api/project_costs', options)).body;

  beforeAll(async () => {
    service = await startTestService();
    [busy, quiet] = [await service.newProject('Busy'), await service.newProject('Quiet')];
    for (const work of ['question', 'export'] as const) await read(service, busy.id, 3_000_000, work);
    await read(service, quiet.id, 7);
    await service.app.get(ProjectCosts).store();
    // On a busy machine, seven rows may take longer than six million.
    await service.pool.query('UPDATE project_costs SET cpu_seconds = 3600 WHERE project_id = $1', [busy.id]);
  });
  afterAll(() => service.stop());

  it('lists what projects took, the most expensive first', async () => {
    const common = { cpu_seconds: expect.any(Number) };
    const rows = [
      { ...common, ...{ project_id: busy.id, project_name: 'Busy', statements: 2 }, read_rows: 6e6, read_bytes: 48e6 },
      { ...common, ...{ project_id: quiet.id, project_name: 'Quiet', statements: 1 }, read_rows: 7, read_bytes: 56 },
    ];
    expect(await costs()).toEqual({ count: 2, next: null, previous: null, results: rows });
    expect(await costs({ query: { limit: 1, offset: 1 } })).toMatchObject({ count: 2, results: [rows[1]] });
  });

  it('adds to the hour, and stores nothing twice', async () => {
    await read(service, quiet.id, 3);
    for (let round = 0; round < 2; round += 1) await service.app.get(ProjectCosts).store();
    const { results } = (await costs()) as { results: ProjectCostDto[] };
    expect(results[1]).toMatchObject({ project_id: quiet.id, statements: 2, read_rows: 10 });
  });

  it('has the projects that the key opens', async () => {
    const { text: key } = await service.newKey({ projectIds: [quiet.id] });
    expect(await costs({ key })).toMatchObject({ count: 1, results: [{ project_id: quiet.id }] });
  });

  it('is about a day, and forgets what is older', async () => {
    expect(await costs(at(hoursLater(22)))).toMatchObject({ count: 2 });
    expect(await costs(at(hoursLater(24)))).toMatchObject({ count: 0 });
    const hours = () => service.pool.query('SELECT 1 FROM project_costs WHERE project_id = $1', [busy.id]);
    await service.pool.query(`UPDATE project_costs SET hour = hour - interval '2 days' WHERE project_id = $1`, [
      busy.id,
    ]);
    await read(service, quiet.id, 1);
    await service.app.get(ProjectCosts).store();
    expect((await hours()).rowCount).toBe(0);
  });
});
