import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noCohorts } from '../../src/filters/compile/compile.sql.js';
import { contentCountSql, contentPageSql, type ContentQuestion } from '../../src/persons/list/content-pages.sql.js';
import { type ContentFilter, type PersonsQuery, readPersonsFilter } from '../../src/persons/list/persons.query.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { type Sql, sql } from '../../src/platform/clickhouse/sql.js';
import { importLines, personLine } from '../support/import.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
const now = new Date('2024-03-08T12:00:00Z');

beforeAll(async () => {
  service = await startTestService();
  const { id } = service.project;
  await importLines(service, id, [personLine('ada', { name: 'Ada Lovelace' }), personLine('bob', {})]);
  // The answer waits for the projection.
  const answer = await service.call('GET', `/api/projects/${id}/persons`, { query: { search: 'lovelace' } });
  expect(answer.body).toMatchObject({ count: 1 });
});
afterAll(() => service.stop());

const projectOf = () => ({
  ...service.project,
  id: service.project.id,
  timezone: 'UTC',
  weekStartDay: 0,
  personDisplayNameProperties: ['email', 'name'],
  testAccountFilters: [],
  pathCleaningFilters: [],
});

const questionOf = (search: string): ContentQuestion => {
  const { keys, content } = readPersonsFilter(projectOf(), { search } as PersonsQuery, now);
  return {
    projectId: service.project.id,
    timezone: 'UTC',
    now,
    cohorts: noCohorts,
    keys,
    content: content as ContentFilter,
    nameProperties: ['email', 'name'],
    owners: { distinctIds: null, search: [], keyIdentifier: [] },
  };
};

const planOf = async (statement: Sql): Promise<string> => {
  const rows = await service.app
    .get(ClickHouse)
    .query<{ explain: string }>(sql`EXPLAIN indexes = 1 ${statement}`, { project: 'system' });
  return rows.map(({ explain }) => explain).join('\n');
};

describe('a search of persons', () => {
  it('uses the keys of the project and the index of the texts', async () => {
    const question = questionOf('lovelace');
    for (const statement of [
      contentPageSql(question, { limit: 100, offset: 0, cursor: null }),
      contentCountSql(question),
    ]) {
      const plan = await planOf(statement);
      expect(plan).toContain('project_id');
      expect(plan).toMatch(/Skip\s+Name: persons_search/);
    }
  });
});
