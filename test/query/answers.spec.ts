import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { type ExplainedDto } from '../../src/sql/ask/schema.dto.js';
import { Questions } from './asking.js';
import { captured, fillScene, now } from './questions/scene.js';

let service: ServiceHandle;
let questions: Questions;

beforeAll(async () => {
  service = await sharedService();
  questions = new Questions(service, service.project.id, now);
  await fillScene(service, service.project);
});

afterAll(() => service.stop());

describe('an answer', () => {
  it('has columns, types, rows, and says how it was found', async () => {
    const answer = await questions.answer(
      'select event, count() as n from events group by event order by n desc limit 1',
    );
    expect(answer).toMatchObject({
      columns: ['event', 'n'],
      results: [['$pageview', 8]],
      hasMore: true,
      limit: 1,
      offset: 0,
    });
    expect(answer.types.map(([name]) => name)).toEqual(['event', 'n']);
    expect(Date.parse(answer.as_of)).not.toBeNaN();
    expect(answer.rows_read).toBeGreaterThanOrEqual(16);
    expect(answer.elapsed_ms).toBeGreaterThanOrEqual(0);
  });

  it('is the same for every form of the body', async () => {
    const query = 'select count() from events where event = {name}';
    const values = { name: 'purchased' };
    const hogql = { kind: 'HogQLQuery', query, values };
    const forms = [
      { query, values },
      { query: hogql },
      { query: { kind: 'DataTableNode', source: hogql } },
      { query: { kind: 'DataVisualizationNode', source: hogql } },
    ];
    for (const form of forms) {
      const answer = await questions.send(form);
      expect([answer.status, (answer.body as { results?: unknown }).results]).toEqual([200, [[4]]]);
    }
  });

  it('includes what was captured before it', async () => {
    const other = await service.newProject();
    const others = new Questions(service, other.id);
    for (let n = 1; n <= 5; n += 1) {
      await captured(service, other, [{ event: 'e', distinct_id: `d${n}`, timestamp: '2024-01-01T00:00:00Z' }]);
      expect(await others.rows('select count(), count(distinct person_id) from events')).toEqual([[n, n]]);
    }
  });

  it('has a hundred rows unless it says otherwise, and says whether there are more', async () => {
    const all = 'select arrayJoin(range(150)) as n order by n';
    const first = await questions.answer(all);
    expect([first.results.length, first.hasMore, first.limit, first.offset]).toEqual([100, true, 100, 0]);
    const next = await questions.answer(all, { offset: 100 });
    expect([next.results.length, next.results[0], next.hasMore]).toEqual([50, [100], false]);
    const exact = await questions.answer(all, { limit: 150 });
    expect([exact.results.length, exact.hasMore, exact.limit]).toEqual([150, false, 150]);
    const less = await questions.answer(all, { limit: 149 });
    expect([less.results.length, less.hasMore]).toEqual([149, true]);
    const within = await questions.answer(`${all} limit 120`);
    expect([within.results.length]).toEqual([120]);
    const both = await questions.answer(`${all} limit 30 offset 5`, { limit: 10, offset: 2 });
    expect([both.results.length, both.results[0], both.hasMore]).toEqual([10, [7], true]);
    const end = await questions.answer(`${all} limit 30 offset 5`, { limit: 10, offset: 25 });
    expect(end.results).toEqual([[30], [31], [32], [33], [34]]);
    // A walk by offsets ends.
    const beyond = await questions.answer(`${all} limit 30 offset 5`, { limit: 10, offset: 35 });
    expect([beyond.results, beyond.hasMore]).toEqual([[], false]);
  });

  it('has 50,000 rows at most', async () => {
    const all = 'select arrayJoin(range(60000)) as n';
    const most = await questions.answer(all, { limit: 50_000 });
    expect([most.results.length, most.hasMore]).toEqual([50_000, true]);
    const refused = await questions.send({ query: all, limit: 50_001 });
    expect([refused.status, (refused.body as { attr: string }).attr]).toEqual([400, 'limit']);
  });

  it.each([0, -1, 1.5, 'x'])('refuses the limit %p', async (limit) => {
    const refused = await questions.send({ query: 'select 1', limit });
    expect(refused.status).toBe(400);
  });

  it('refuses unknown fields, and a value without a placeholder or a placeholder without a value', async () => {
    for (const body of [
      { query: 'select 1', limitt: 5 },
      { query: 'select {a}' },
      { query: 'select {a}', values: { b: 1 } },
      { query: { kind: 'TrendsQuery', query: 'select 1' } },
      { query: 5 },
      { query: '' },
      {},
    ])
      expect([body, (await questions.send(body)).status]).toEqual([body, 400]);
  });
});

describe('the formats of an answer', () => {
  const rows = `select n, concat('=', toString(n)) as text, if(n = 1, null, 'a"b,c') as cell from (select arrayJoin([1, 2]) as n) order by n`;
  const stream = async (query: string, format: string) => {
    const answer = await fetch(`${service.url}/api/projects/${service.project.id}/query?format=${format}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      body: Buffer.from(await answer.arrayBuffer()),
    };
  };

  it('are CSV', async () => {
    const { status, type, body } = await stream(rows, 'csv');
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(body.toString()).toBe(`n,text,cell\r\n1,'=1,\r\n2,'=2,"a""b,c"\r\n`);
  });

  it('are NDJSON', async () => {
    const { status, type, body } = await stream(rows, 'ndjson');
    expect([status, type?.split(';')[0]]).toEqual([200, 'application/x-ndjson']);
    const lines = body.toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { n: 1, text: '=1', cell: null },
      { n: 2, text: '=2', cell: 'a"b,c' },
    ]);
  });

  it('are Parquet', async () => {
    const { status, body } = await stream(rows, 'parquet');
    expect(status).toBe(200);
    expect([body.subarray(0, 4).toString(), body.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
  });

  it('have more rows than JSON', async () => {
    const { body } = await stream('select arrayJoin(range(60000)) as n', 'ndjson');
    expect(body.toString().trimEnd().split('\n').length).toBe(60_000);
  });

  it('are refused when unknown, and refuse bad questions as JSON does', async () => {
    expect((await stream('select 1', 'xml')).status).toBe(400);
    const { status, body } = await stream('select\n nope from events', 'csv');
    expect([status, JSON.parse(body.toString())]).toEqual([400, expect.objectContaining({ line: 2, column: 2 })]);
  });
});

describe('a question that is refused', () => {
  const problems: readonly (readonly [string, number, number, RegExp])[] = [
    ['select evnt from events', 1, 8, /event/],
    ['select\n  count(),\n  propertys.x\nfrom events', 3, 3, /properties/],
    ['select cuont() from events', 1, 8, /count/],
    ['select event from evnts', 1, 19, /events/],
    ['select event\nfrom events\nwhere', 3, 6, /./],
    ["select 'é', nope from events", 1, 13, /nope/],
    ['select 1 settings max_threads = 1', 1, 10, /./],
    ["select event from events where event = 'a' ? 1 : 2", 1, 44, /if\(/],
    ['select {name}', 1, 8, /name/],
    ["select event from events where person_id in cohort 'none'", 1, 52, /none/],
    ["select event from events where distinct_id in cohort 'Beta testers'", 1, 32, /person_id IN COHORT \d+$/],
    ["select event from events where not inCohort('ada', 'Beta testers')", 1, 45, /person_id IN COHORT \d+$/],
    ["select event from events where properties.plan in cohort 'Beta testers'", 1, 32, /person_id IN COHORT \d+$/],
    ['select event from events; select 1', 1, 27, /one/i],
    ['select length(1, 2)', 1, 8, /length/],
  ];

  it.each(problems)('%s', async (query, line, column, detail) => {
    const { status, body } = await questions.send({ query });
    expect([status, body]).toEqual([400, expect.objectContaining({ line, detail: expect.stringMatching(detail) })]);
    // The exact column is the business of the message; it must not be far from the fault.
    expect(Math.abs((body as { column: number }).column - column)).toBeLessThanOrEqual(9);
  });
});

describe('the rooms beside', () => {
  it('tell the tables, columns, properties and functions', async () => {
    const path = `/api/projects/${service.project.id}/query/schema`;
    const { status, body } = await service.call('GET', path);
    expect(status).toBe(200);
    for (const name of [
      'events',
      'persons',
      'person_distinct_ids',
      'cohorts',
      'cohort_people',
      'sessions',
      '$pathname',
      'quantile',
    ])
      expect(JSON.stringify(body)).toContain(`"${name}"`);
    expect(JSON.stringify(body)).not.toMatch(/project_id|distinct_id_overrides|is_deleted/);
  });

  it('explain what a question would read', async () => {
    const { status, body } = await questions.send(
      { query: "select count() from events where event = 'x'" },
      'query/explain',
    );
    expect([status, body]).toEqual([200, expect.anything()]);
  });

  it('explain how much of what the project has it would read, by table', async () => {
    const [named, all, none] = await Promise.all(
      [
        "select count() from events where event = 'x'",
        'select count() from events where person.is_identified',
        'select 1',
      ].map(async (query) => (await questions.send({ query }, 'query/explain')).body as ExplainedDto),
    );
    const [events, ...others] = named?.reads ?? [];
    expect(others).toEqual([]);
    expect(events).toMatchObject({ table: 'events', rows: events?.project_rows, parts: events?.project_parts });
    expect(events?.rows).toBeGreaterThanOrEqual(16);
    expect(events?.bytes).toBeGreaterThan(0);
    expect(all?.reads.map(({ table }) => table).sort()).toEqual(['events', 'persons']);
    expect(all?.rows).toBe(all?.reads.reduce((sum, { rows }) => sum + rows, 0));
    expect(none).toMatchObject({ rows: 0, bytes: 0, reads: [] });
  });

  it('need query:read', async () => {
    const { text: key } = await service.newKey({ scopes: ['person:write', 'cohort:write', 'event:read'] });
    const path = `/api/projects/${service.project.id}/query`;
    const refused = await service.call('POST', path, { key, body: { query: 'select 1' } });
    expect([refused.status, refused.headers['x-required-scopes']]).toEqual([403, 'query:read']);
    const { text: reader } = await service.newKey({ scopes: ['query:read'] });
    expect((await service.call('POST', path, { key: reader, body: { query: 'select 1' } })).status).toBe(200);
    const other = await service.newProject();
    const { text: foreign } = await service.newKey({ scopes: ['*'], projectIds: [other.id] });
    expect((await service.call('POST', path, { key: foreign, body: { query: 'select 1' } })).status).toBe(404);
  });
});
