import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noCohorts } from '../../src/filters/compile/compile.sql.js';
import { Params } from '../../src/filters/asking/questions.js';
import { type QuestionScope } from '../../src/analytics/shared/question-scopes.js';
import { cleaningCheckSql } from '../../src/analytics/paths/items.sql.js';
import { readPaths } from '../../src/analytics/paths/paths.query.js';
import { edgesByTextSql, edgesSql, itemTextsSql, pathActorsSql } from '../../src/analytics/paths/paths.sql.js';
import { spansSql } from '../../src/analytics/paths/spans.sql.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { sql } from '../../src/platform/clickhouse/sql.js';
import { startTestService, type TestService } from '../support/service.js';
import { noExpressions } from '../../src/sql/ask/event-expressions.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

const project = {
  id: 1,
  timezone: 'Europe/Berlin',
  weekStartDay: 1,
  personDisplayNameProperties: [],
  testAccountFilters: [],
  pathCleaningFilters: [{ regex: '\\d+', alias: ':id' }],
};
const now = new Date('2024-03-08T12:00:00Z');
const range = { from: new Date('2024-03-01T00:00:00Z'), to: now };

const scopeOf = (overridden: boolean): QuestionScope => ({
  project,
  projectId: 1,
  now,
  asOf: now,
  overridden,
  cohorts: noCohorts,
  position: '1',
  filters: [],
  groupType: null,
  histories: [],
  expressions: noExpressions,
  signal: new AbortController().signal,
});

const funnel = { events: ['a', 'b', 'c'], funnel_step: 2 };

/** The questions about the items, of the path, of the persons, and of a funnel. */
const items = [
  {},
  { include_event_types: ['$pageview', 'custom_event'], include_custom_events: ['$identify'] },
  { include_event_types: ['$screen'], exclude_events: ['a', 'b*'], path_groupings: ['a', '*b'] },
  { path_replacements: true, local_path_cleaning_filters: [{ regex: 'a', alias: '\\0' }] },
  { properties: [{ type: 'person', key: 'plan', value: 'pro' }], min_edge_weight: 1, max_edge_weight: 9 },
];
const cuts = [{}, { start_point: 'a' }, { end_point: 'b' }, { start_point: 'a', end_point: 'b' }];
const selections = [{}, { path_start_key: '1_a', path_end_key: '2_b' }, { path_dropoff_key: '3_c' }];
const funnels = [
  {},
  { funnel_paths: 'before_step', ...funnel },
  { funnel_paths: 'between_steps', ...funnel, funnel_order_type: 'unordered' },
  { funnel_paths: 'after_step', ...funnel, funnel_order_type: 'strict', exclusions: ['x'] },
  { funnel_paths: 'after_step', ...funnel, funnel_step: undefined, funnel_custom_steps: [1, 3] },
];

describe('every statement about paths', () => {
  const requested = items.flatMap((of, row) =>
    cuts.map((cut, column) => ({
      ...of,
      ...cut,
      ...funnels[(row + column) % funnels.length],
      ...selections[(row + column) % selections.length],
    })),
  );

  it.each(requested)('is understood: %j', async (given) => {
    const clickhouse = service.app.get(ClickHouse);
    const q = readPaths(Params.of(given), project, now);
    const scope = scopeOf('start_point' in given);
    const of = { q, range, spans: q.funnel === null ? null : spansSql(q.funnel, range, scope) };
    const statements = [
      edgesSql(of, 100, scope),
      edgesByTextSql(of, scope),
      itemTextsSql(of, [1n, 2n ** 64n - 1n], scope),
      pathActorsSql(of, scope),
      ...(q.cleaning.length > 0 ? [cleaningCheckSql(q.cleaning)] : []),
    ];
    for (const statement of statements) {
      const plan = await clickhouse.query(sql`EXPLAIN ${statement}`, { project: 'system' });
      expect(plan.length).toBeGreaterThan(0);
    }
  });

  it('tells the same edges when the engine sorts them by their texts', async () => {
    const { id } = service.project;
    const lines = ['ada', 'bob', 'cyd'].flatMap((by, n) =>
      ['a', '2', `é${n}`, '😀', 'end'].map((event, at) =>
        JSON.stringify({ type: 'event', event, distinct_id: by, timestamp: `2024-03-02T10:0${at}:00Z` }),
      ),
    );
    await fetch(`${service.url}/api/projects/${id}/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    const clickhouse = service.app.get(ClickHouse);
    const scope = { ...scopeOf(false), projectId: id };
    // Asked over HTTP first: that waits for the projection, and says what the edges are.
    for (const cut of [{}, { start_point: 'a', end_point: 'end', step_limit: 3 }]) {
      const body = { ...cut, date_from: range.from.toISOString(), date_to: now.toISOString(), edge_limit: 6 };
      const reported = await service.call('POST', `/api/projects/${id}/persons/path`, {
        body: { ...body, min_edge_weight: 1 },
      });
      const { edges } = (reported.body as { insight: { edges: { source: string; target: string; value: number }[] } })
        .insight;
      const of = { q: readPaths(Params.of({ ...body, min_edge_weight: 1 }), project, now), range, spans: null };
      const rows = await clickhouse.query<{ source: string; target: string; value: number }>(
        edgesByTextSql(of, scope),
        { project: 'system' },
      );
      const texts = new Map(
        (
          await clickhouse.query<{ token: string; item: string }>(
            itemTextsSql(
              of,
              [...new Set(rows.flatMap(({ source, target }) => [source, target]))].filter(Boolean).map(BigInt),
              scope,
            ),
            { project: 'system' },
          )
        ).map(({ token, item }) => [token, item]),
      );
      const shown = rows.map(({ source, target, value }) => [
        texts.get(source) ?? '...',
        texts.get(target) ?? '...',
        value,
      ]);
      expect(shown).toEqual(edges.map(({ source, target, value }) => [source.slice(2), target.slice(2), value]));
      expect(shown.length).toBeGreaterThan(1);
    }
  });
});
