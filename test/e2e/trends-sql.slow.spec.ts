import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProjectContext } from '../../src/kernel/access/project-context.js';
import { intervals } from '../../src/platform/time/intervals.js';
import { parseFilters } from '../../src/filters/reading/filter-fields.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { type Sql, sql } from '../../src/platform/clickhouse/sql.js';
import {
  onlyCohorts,
  type Breakdown,
  type CohortPart,
  type PropertyPart,
} from '../../src/analytics/shared/breakdown.js';
import { type QuestionScope } from '../../src/analytics/shared/question-scopes.js';
import { type Display, type Maths, aggregates } from '../../src/analytics/trends/trends.parameters.js';
import { axisOf, ownSpans, piecesOf, reachSpans, type TrendsAxis } from '../../src/analytics/trends/trends.axis.js';
import {
  actorNumbersSql,
  eventNumbersSql,
  firstNumbersSql,
  reachNumbersSql,
  trendsActors,
} from '../../src/analytics/trends/trends.sql.js';
import { type TrendsSeries } from '../../src/analytics/trends/trends.query.js';
import { frequentKeysSql, type TrendsContext } from '../../src/analytics/trends/trends.rows.sql.js';
import { noExpressions } from '../../src/sql/ask/event-expressions.js';
import { type TrendsValues } from '../../src/analytics/trends/breakdown.sql.js';

let clickhouse: ClickHouse;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-trends-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
  await migrateClickHouse(clickhouse, clickhouseMigrations);
});

afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

const project = { id: 1, timezone: 'Europe/Berlin', weekStartDay: 1 } as ProjectContext;
const scopeOf = (overridden: boolean): QuestionScope => ({
  project,
  projectId: 1,
  now: new Date('2024-04-05T12:00:00Z'),
  asOf: new Date('2024-04-05T12:00:00Z'),
  overridden,
  cohorts: new Map([
    [3, { version: 1, groupType: null }],
    [4, { version: 1, groupType: 0 }],
  ]),
  position: '0',
  filters: [],
  groupType: null,
  expressions: noExpressions,
  histories: [null, 0].map((groupType) => ({
    cohortId: groupType === null ? 3 : 4,
    groupType,
    from: new Date('2026-01-01T00:00:00Z'),
    members: new Map([[0, new Uint8Array(128).fill(1)]]),
    changes: [{ at: new Date('2026-01-02T00:00:00Z'), entered: true, persons: '7,9' }],
  })),
  signal: new AbortController().signal,
});

const filter = parseFilters(
  [
    { key: 'plan', value: 'pro', type: 'person' },
    { key: "o'b", value: 'x', operator: 'icontains', type: 'event' },
    { key: 'id', value: 3, type: 'cohort' },
  ],
  'properties',
  { defaultType: 'event', allowed: ['event', 'person', 'cohort'] },
);

const maths: Maths[] = [
  { kind: 'total' },
  { kind: 'dau' },
  { kind: 'session' },
  { kind: 'first', of: 'name' },
  { kind: 'reach', days: 7 },
  { kind: 'reach', days: 30 },
  { kind: 'property', aggregate: 'sum', key: 'a.b', multiplier: 1 },
  { kind: 'perActor', aggregate: 'p99' },
  ...aggregates.map((aggregate): Maths => ({ kind: 'property', aggregate, key: "'", multiplier: 2 })),
  ...aggregates.map((aggregate): Maths => ({ kind: 'perActor', aggregate })),
];

const part = (source: 'event' | 'person', key: string, more: Partial<PropertyPart> = {}): PropertyPart => ({
  kind: 'property',
  source,
  key,
  normalizesUrl: false,
  bins: null,
  ...more,
});

const mixed: Breakdown = {
  parts: [
    part('event', 'k', { normalizesUrl: true }),
    { kind: 'cohort', cohorts: [3, 4, 'all'], atEvent: false },
    part('person', "'", { bins: [1, 2.5, 4.01] }),
  ],
  limit: 2,
};

const mixedThen: Breakdown = {
  ...mixed,
  parts: mixed.parts.map((one) => (one.kind === 'cohort' ? { ...one, atEvent: true } : one)),
};

const breakdowns: readonly [Breakdown | null, TrendsValues, readonly string[] | null][] = [
  [null, { kind: 'none' }, null],
  ...(['event', 'person'] as const).flatMap((source): [Breakdown, TrendsValues, readonly string[]][] => [
    [{ parts: [part(source, 'k')], limit: 2 }, { kind: 'property', keys: ['a', ''], hasRest: true }, ['Other']],
    [
      { parts: [part(source, 'k', { bins: [] }), part(source, "'", { bins: [1, 2] })], limit: 2 },
      { kind: 'property', keys: ['["a",""]'], hasRest: true },
      ['a', "'"],
    ],
    [{ parts: [part(source, 'k')], limit: 2 }, { kind: 'property', keys: [], hasRest: true }, ['Other']],
  ]),
  ...[false, true].map((atEvent): [Breakdown, TrendsValues, readonly string[]] => {
    const cohorts: CohortPart = { kind: 'cohort', cohorts: ['all', 3, 4], atEvent };
    return [{ parts: [cohorts], limit: 25 }, { kind: 'cohort', part: cohorts }, ['3']];
  }),
  [mixedThen, { kind: 'property', keys: ['["a","3",""]'], hasRest: true }, ['a', '3', '']],
  [mixed, { kind: 'property', keys: ['["a","3",""]'], hasRest: true }, ['Other']],
  [mixed, { kind: 'property', keys: ['["a","3",""]'], hasRest: true }, ['a', '3', '']],
];

const seriesOf = (math: Maths): TrendsSeries => ({
  name: 'x',
  order: 0,
  parts: [
    { event: 'a', filter },
    { event: null, filter: parseFilters([], 'properties', { defaultType: 'event', allowed: ['event'] }) },
  ],
  math,
  groupType: null,
});

const numbersSql = (
  requested: TrendsContext & { values: TrendsValues },
  series: TrendsSeries,
  axis: TrendsAxis,
): Sql[] => {
  const { math } = series;
  if (math.kind === 'first') return [firstNumbersSql(requested, series, axis)];
  if (math.kind === 'perActor')
    return [1, 2].map((n) =>
      actorNumbersSql(
        requested,
        Array.from({ length: n }, () => series),
        axis,
      ),
    );
  const pieces = piecesOf(math.kind === 'reach' ? reachSpans(axis, math.days, project) : ownSpans(axis), axis.interval);
  if (math.kind === 'reach' || (math.kind === 'dau' && axis.display === 'cumulative')) {
    return pieces ? [reachNumbersSql(requested, series, pieces, { cumulative: axis.display === 'cumulative' })] : [];
  }
  return [1, 2].map((n) =>
    eventNumbersSql(
      requested,
      Array.from({ length: n }, () => series),
      axis,
    ),
  );
};

const range = { from: new Date('2024-03-01T06:00:00Z'), to: new Date('2024-04-05T21:59:59.999Z') };
const day = { from: new Date('2024-03-31T00:00:00Z'), to: new Date('2024-03-31T02:30:00.000Z') };

describe('every statement is one that the engine can run', () => {
  const cases = intervals.flatMap((interval) =>
    (['points', 'cumulative', 'total'] as const).map((display): [string, Display] => [interval, display]),
  );

  // The long run explains all of them; here a third, in which every interval has its turn.
  const sample = process.env.EVERY_STATEMENT ? cases : cases.filter((_, at) => at % 4 === 0);

  it.each(sample)(
    'by the %s, %s',
    async (interval, display) => {
      const at = intervals.find((one) => one === interval) ?? 'day';
      const axis = axisOf(at === 'minute' || at === 'hour' ? day : range, at, display, project);
      const statements: Sql[] = [];
      // All of it by the day; of the rest some, each time others.
      const turn = cases.findIndex(([a, b]) => a === interval && b === display);
      for (const [place, math] of maths.entries()) {
        for (const [which, [breakdown, values, value]] of breakdowns.entries()) {
          if (place > 6 && which > 0) continue;
          if (interval !== 'day' || display !== 'points') if ((place * 3 + which + turn) % 13 !== 0) continue;
          const scope = scopeOf((place + which) % 2 === 0);
          const requested = {
            scope,
            filter: place % 3 === 0 ? filter : { ...filter, parts: [] },
            breakdown,
            values,
          } as TrendsContext & { values: TrendsValues };
          const series = seriesOf(math);
          statements.push(...numbersSql(requested, series, axis));
          if (breakdown && !onlyCohorts(breakdown))
            statements.push(frequentKeysSql({ ...requested, breakdown }, [series], axis.events));
          for (const point of [null, 0]) {
            const list = trendsActors(requested, { series, axis, point: display === 'total' ? null : point, value });
            if (list) statements.push(sql`SELECT * FROM (${list.actors}) ORDER BY ${list.order ?? sql`actor`}, actor`);
          }
        }
      }
      expect(statements.length).toBeGreaterThan(10);
      for (const statement of statements) await clickhouse.query(sql`EXPLAIN ${statement}`, { project: 'system' });
    },
    240_000,
  );
});
