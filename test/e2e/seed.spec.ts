import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { UsageError } from '../../src/app/cli/command.js';
import { seed } from '../../src/app/cli/commands/seed.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const run = (flags: Record<string, string>) =>
  seed.run({
    get: (type) => Promise.resolve(service.app.get(type)),
    config: loadConfig({ NODE_ENV: 'test' }),
    logger: createLogger({ logLevel: 'silent' }),
    database: {
      postgres: service.app.get(Postgres),
      dataSource: service.app.get(DataSource),
      besideService: true,
      migrated: [],
    },
    flags,
    args: [],
  });

const countOf = async (path: string, query: Record<string, string> = {}): Promise<number> => {
  const answer = await service.call('GET', `/api/projects/${service.project.id}/${path}`, { query });
  return (answer.body as { count: number }).count;
};

const inDatabase = async (sql: string): Promise<number> => {
  const rows = await service.app.get(DataSource).query<{ n: number }[]>(sql, [service.project.id]);
  return rows[0]?.n ?? NaN;
};

describe('seed beside a running service', () => {
  it('fills the project with exactly what was asked for', async () => {
    const report = await run({ events: '5000', persons: '200', days: '10' });
    expect(report).toMatchObject({ project: service.project.id, persons: 200, added: 5000, duplicates: 0 });
    expect(await countOf('events')).toBe(5000);
    expect(await countOf('events', { event: 'signed up' })).toBeGreaterThan(30);
    expect(await inDatabase('SELECT count(*)::int AS n FROM persons WHERE project_id = $1')).toBe(200);
    expect(
      await inDatabase('SELECT count(*)::int AS n FROM persons WHERE project_id = $1 AND is_identified'),
    ).toBeGreaterThan(30);
    expect(await countOf('ingestion_warnings')).toBe(0);
  });

  it('shows a person the plan they paid for last', async () => {
    const query = `SELECT person_id, argMax(properties.plan, timestamp) AS paid, any(person.properties.plan) AS shown
      FROM events WHERE event = 'paid' GROUP BY person_id LIMIT 1000`;
    const answer = await service.call('POST', `/api/projects/${service.project.id}/query`, { body: { query } });
    const { results } = answer.body as { results: [number, string, string][] };
    expect(results.length).toBeGreaterThan(5);
    expect(results.filter(([, paid, shown]) => paid !== shown)).toEqual([]);
  });

  it('changes nothing the second time', async () => {
    expect(await run({ events: '5000', persons: '200', days: '10' })).toMatchObject({ added: 0, duplicates: 5000 });
    expect(await countOf('events')).toBe(5000);
  });

  it.each([
    [{}, '--events is required'],
    [{ events: 'many' }, '--events must be a whole number'],
    [{ events: '0' }, '--events must be a whole number'],
    [{ events: '10', persons: '11' }, '--persons must be a whole number from 1 to 10'],
    [{ events: '10', project: '999' }, 'there is no project 999'],
  ])('refuses %j by saying what is right', async (flags, message) => {
    const failure = run(flags);
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toThrow(message);
  });

  it('asks which project is meant when there are several', async () => {
    const other = await service.newProject();
    await expect(run({ events: '10' })).rejects.toThrow(/--project is required: one of/);
    expect(await run({ events: '10', project: String(other.id) })).toMatchObject({ project: other.id, added: 10 });
  });
});
