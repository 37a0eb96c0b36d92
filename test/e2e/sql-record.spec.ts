import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { type Sql, compile } from '../../src/platform/clickhouse/sql.js';
import { startTestService, type TestService } from '../support/service.js';
import { recordedQuestions } from '../support/recorded-questions.js';

/** UPDATE_SQL=1, which is `npm run sql`, writes the files instead of comparing them. */
const isUpdate = process.env.UPDATE_SQL === '1';
const folder = join(import.meta.dirname, '../../docs/sql');
const now = '2026-03-01T12:00:00Z';

let service: TestService;
const statements: Sql[] = [];

beforeAll(async () => {
  service = await startTestService();
  const clickhouse = service.app.get(ClickHouse);
  const query = clickhouse.query.bind(clickhouse);
  jest.spyOn(clickhouse, 'query').mockImplementation((statement, options) => {
    if (!options.short) statements.push(statement);
    return query(statement, options);
  });
  const insertSelected = clickhouse.insertSelected.bind(clickhouse);
  jest.spyOn(clickhouse, 'insertSelected').mockImplementation((statement, options) => {
    statements.push(statement);
    return insertSelected(statement, options);
  });
  await sendFixedEvents();
});
afterAll(() => service.stop());

/** Some statements are only sent when an earlier one finds something. */
const sendFixedEvents = async (): Promise<void> => {
  const lines = ['ada', 'bob'].flatMap((distinct_id, n) => [
    { type: 'person', distinct_ids: [distinct_id], properties: { plan: 'pro' } },
    ...['$pageview', 'signed up', 'bought'].map((event, step) => ({
      type: 'event',
      event,
      distinct_id,
      timestamp: `2026-02-2${n}T1${step}:00:00Z`,
      properties: { $current_url: '/start', price: 5 },
    })),
  ]);
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const imported = await service.call('POST', `/api/projects/${service.project.id}/import`, { body, headers });
  expect([imported.status, imported.body]).toEqual([200, expect.objectContaining({ rejected_count: 0 })]);
};

const valueText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));

const rendered = (statement: Sql): string => {
  const { query, query_params } = compile(statement);
  const values = Object.entries(query_params).map(([name, value]) => `-- ${name} = ${valueText(value)}\n`);
  return `${query.trim()};\n${values.join('')}`;
};

describe('the SQL in docs/sql', () => {
  it.each(recordedQuestions.map((question) => [question.name, question] as const))(
    'is that of %s',
    async (name, { path, query, body }) => {
      statements.length = 0;
      const method = body ? 'POST' : 'GET';
      const answer = await service.call(method, `/api/projects/${service.project.id}/${path}`, {
        query,
        body,
        headers: { 'X-Test-Now': now },
      });
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      const header = `-- ${method} ${path}?${new URLSearchParams(query).toString()}\n`;
      // Statements of one question run beside each other, so their order may differ from run to run.
      const text = [header, ...statements.map(rendered).sort()].join('\n');
      const file = join(folder, `${name}.sql`);
      if (isUpdate) {
        await mkdir(folder, { recursive: true });
        await writeFile(file, text);
      }
      expect(await readFile(file, 'utf8').catch(() => 'no file: run npm run sql')).toBe(text);
    },
  );

  it('belongs to a question that is recorded', async () => {
    const names = recordedQuestions.map(({ name }) => `${name}.sql`);
    expect((await readdir(folder)).filter((file) => !names.includes(file))).toEqual([]);
  });
});
