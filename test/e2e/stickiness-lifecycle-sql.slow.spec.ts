import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NamedActions } from '../../src/filters/actions/action-lookup.js';
import { type Entity, readEntities } from '../../src/analytics/shared/entity.js';
import {
  actorCountSql,
  actorPageSql,
  actorsAfterSql,
  type Search,
} from '../../src/analytics/shared/actor-lists.sql.js';
import { type QuestionScope } from '../../src/analytics/shared/question-scopes.js';
import { states } from '../../src/analytics/lifecycle/lifecycle.parameters.js';
import {
  anyProfilelessSql,
  lifecycleActorsSql,
  lifecycleSql,
  type LifecycleAxis,
} from '../../src/analytics/lifecycle/lifecycle.sql.js';
import { comparisons } from '../../src/analytics/stickiness/stickiness.parameters.js';
import { type StickinessCriteria } from '../../src/analytics/stickiness/stickiness.query.js';
import { stickinessActorsSql, stickinessSql } from '../../src/analytics/stickiness/stickiness.sql.js';
import { type ProjectContext } from '../../src/kernel/access/project-context.js';
import { intervals, startOf, type Interval } from '../../src/platform/time/intervals.js';
import { bucketsOf } from '../../src/platform/time/range.js';
import { type Filter } from '../../src/filters/reading/filter.js';
import { parseFilters } from '../../src/filters/reading/filter-fields.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { type Sql, sql } from '../../src/platform/clickhouse/sql.js';
import { noExpressions } from '../../src/sql/ask/event-expressions.js';

let clickhouse: ClickHouse;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-actives-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
  await migrateClickHouse(clickhouse, clickhouseMigrations);
});

afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

const project = {
  id: 1,
  timezone: 'Australia/Lord_Howe',
  weekStartDay: 1,
  personDisplayNameProperties: ['email', "o'b"],
} as unknown as ProjectContext;
const now = new Date('2024-10-08T12:00:00Z');

const scopeOf = (overridden: boolean): QuestionScope => ({
  project,
  projectId: 1,
  now,
  asOf: now,
  overridden,
  cohorts: new Map([[3, { version: 1, groupType: null }]]),
  position: '0',
  filters: [],
  groupType: null,
  histories: [],
  expressions: noExpressions,
  signal: new AbortController().signal,
});

const filterOf = (given: unknown): Filter =>
  parseFilters(given, 'properties', { defaultType: 'event', allowed: ['event', 'person', 'cohort', 'event_metadata'] });

const person = { type: 'person', key: "o'b.c", value: 'x' };
const filters = [
  filterOf([]),
  filterOf([{ key: 'plan', value: ['a', 'b'] }, person]),
  filterOf({
    type: 'OR',
    values: [
      { ...person, operator: 'is_not' },
      { key: 'size', operator: 'gt', value: 2 },
    ],
  }),
  filterOf([
    { type: 'cohort', key: 'id', value: 3 },
    { type: 'event_metadata', key: 'distinct_id', operator: 'regex', value: '^a' },
    { key: 'at', operator: 'is_date_after', value: '-7d' },
  ]),
];

const entities: readonly Entity[] = [
  [{ id: null }],
  [{ id: "it's" }],
  [{ name: 'two', any_of: [{ id: 'a', properties: [person] }, { id: 'b' }] }],
  [{ name: 'any', any_of: [{ id: 'a' }, { id: null, properties: [{ key: 'k', operator: 'is_set' }] }] }],
].flatMap((given) => readEntities(given, 'events', { actions: new NamedActions() }));

/** A point, some around a change of clocks, more than bits of a number, and none. */
const ranges: Readonly<Record<string, (interval: Interval) => { from: Date; to: Date }>> = {
  'one point': () => ({ from: now, to: now }),
  'a change of clocks': (interval) => around(interval, 5),
  'many points': (interval) => around(interval, 80),
  'no point': () => ({ from: now, to: new Date(now.getTime() - 1) }),
};

const lengthMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_600_000_000 };

const around = (interval: Interval, points: number) => {
  const change = Date.parse('2024-10-05T15:30:00Z');
  const half = (lengthMs[interval] * points) / 2;
  return { from: new Date(change - half), to: new Date(change + half) };
};

const cases = intervals.flatMap((interval) => Object.keys(ranges).map((range) => ({ interval, range })));
const turn = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
const searches: readonly (Search | null)[] = [
  null,
  { term: "o'b", ownerId: null },
  { term: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e', ownerId: '7' },
];

/** A list as it is paged through, counted or streamed. */
const listed = (actors: Sql, scope: QuestionScope, at: number): Sql => {
  const list = { actors, order: null };
  const search = turn(searches, at);
  return turn(
    [
      actorPageSql(scope, list, search, { limit: 10, offset: at }),
      actorsAfterSql(scope, list, search, at % 2 === 0 ? null : { actor_id: '-5' }, 10),
      actorPageSql(scope, list, search, { limit: 1, offset: 0 }),
      actorCountSql(scope, list, search),
    ],
    at,
  );
};

const understood = async (statements: readonly Sql[]): Promise<void> => {
  for (const statement of statements) {
    const plan = await clickhouse.query(sql`EXPLAIN ${statement}`, { project: 'system' });
    expect(plan.length).toBeGreaterThan(0);
  }
};

describe('every statement about stickiness is one that the engine can run', () => {
  const criteria: readonly StickinessCriteria[] = [
    { operator: 'gte', value: 1 },
    ...comparisons.map((operator) => ({ operator, value: 2 })),
  ];

  it.each(cases)('by the $interval, of $range', async ({ interval, range: kind }) => {
    const range = ranges[kind]?.(interval) ?? around(interval, 1);
    const buckets = bucketsOf(range, interval, project);
    const first = cases.findIndex((one) => one.interval === interval && one.range === kind);
    const statements = criteria.flatMap((requested, nth) => {
      const at = first + nth;
      const scope = scopeOf(at % 2 === 0);
      const q = { filter: turn(filters, at), criteria: requested };
      const series = { entity: turn(entities, first * 3 + nth), buckets, range };
      const actors = stickinessActorsSql(
        q,
        series,
        { activeIntervals: at % 3 === 0 ? null : nth + 1, operator: requested.operator },
        scope,
      );
      return [stickinessSql(q, series, scope), listed(actors, scope, at)];
    });
    await understood(statements);
  });
});

describe('every statement about a lifecycle is one that the engine can run', () => {
  const selections = [null, ...states].flatMap((state) => [null, 0].map((bucket) => ({ state, bucket })));

  it.each(cases.filter(({ range }) => range !== 'no point'))('by the $interval, of $range', async (one) => {
    const points = bucketsOf(ranges[one.range]?.(one.interval) ?? around(one.interval, 1), one.interval, project);
    const before = startOf(one.interval, new Date((points.starts[0]?.getTime() ?? 0) - 1), project);
    const first = cases.findIndex(({ interval, range }) => interval === one.interval && range === one.range);
    const statements = [true, false].flatMap((hasProfileless, nth) =>
      [true, false].flatMap((overridden, other) => {
        const at = first + nth * 2 + other;
        const scope = scopeOf(overridden);
        const axis: LifecycleAxis = {
          points,
          withBefore: { ...points, starts: [before, ...points.starts] },
          hasProfileless: hasProfileless,
        };
        const q = { entity: turn(entities, first + other), filter: turn(filters, at) };
        const actors = lifecycleActorsSql(q, axis, turn(selections, first * 4 + nth * 2 + other), scope);
        return [lifecycleSql(q, axis, scope), listed(actors, scope, at)];
      }),
    );
    await understood(statements);
  });

  it('asked before it', () => understood([true, false].map((overridden) => anyProfilelessSql(scopeOf(overridden)))));
});
