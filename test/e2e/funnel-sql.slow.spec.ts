import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Params } from '../../src/filters/asking/questions.js';
import { actorPageSql } from '../../src/analytics/shared/actor-lists.sql.js';
import { type QuestionScope } from '../../src/analytics/shared/question-scopes.js';
import { readCorrelation } from '../../src/analytics/correlation/correlation.query.js';
import {
  correlatedEventPropertiesSql,
  correlatedEventsSql,
  correlatedPropertiesSql,
  correlationActorsSql,
  eventKeysSql,
  personKeysSql,
  totalsSql,
} from '../../src/analytics/correlation/correlation.sql.js';
import { type FunnelQuery, readFunnel } from '../../src/analytics/funnel/funnel.query.js';
import {
  conversionBinsSql,
  conversionSpanSql,
  convertedActorsSql,
  enteredActorsSql,
  funnelActorsSql,
  funnelStepsSql,
  funnelTrendsSql,
} from '../../src/analytics/funnel/funnel.sql.js';
import { layoutOf } from '../../src/analytics/funnel/layout.sql.js';
import { retentionPeriods, retentionTypes } from '../../src/analytics/retention/retention.parameters.js';
import { readRetention } from '../../src/analytics/retention/retention.query.js';
import { mostAppearances, retentionActorsSql, retentionSql } from '../../src/analytics/retention/retention.sql.js';
import { bucketsOf } from '../../src/platform/time/range.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { type Sql, sql } from '../../src/platform/clickhouse/sql.js';
import { noExpressions } from '../../src/sql/ask/event-expressions.js';

let clickhouse: ClickHouse;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-funnel-'));
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
  personDisplayNameProperties: [],
  testAccountFilters: [{ type: 'person', key: 'email', operator: 'not_icontains', value: '@example.test' }],
  pathCleaningFilters: [],
};
const now = new Date('2024-04-09T12:00:00Z');

const scopeOf = (overridden: boolean): QuestionScope => ({
  project,
  projectId: 1,
  now,
  asOf: now,
  overridden,
  cohorts: new Map([[3, { version: 1, groupType: null }]]),
  position: '1',
  filters: [],
  groupType: null,
  histories: [],
  expressions: noExpressions,
  signal: new AbortController().signal,
});

type Given = Readonly<Record<string, unknown>>;

/** Every combination of one of each. */
const combined = (...choices: readonly (readonly Given[])[]): Given[] =>
  choices.reduce<Given[]>((all, some) => all.flatMap((given) => some.map((more) => ({ ...given, ...more }))), [{}]);

const filters: readonly Given[] = [
  {},
  {
    filter_test_accounts: true,
    properties: [
      { key: 'plan', value: 'pro', type: 'person' },
      { key: "o'b.c", value: 'x', operator: 'icontains', type: 'event' },
      { key: 'id', value: 3, type: 'cohort' },
    ],
  },
];
const orders = ['ordered', 'strict', 'unordered'] as const;

/** Of steps that are all different, that are partly the same, and that are made of several events. */
const steps = [
  [{ id: 'a' }],
  [{ id: 'a' }, { id: 'b' }, { id: "c'" }],
  [{ id: 'a' }, { id: 'a', properties: [{ key: 'k', value: 'v' }] }, { id: null }, { id: 'b' }],
  [{ id: 'a' }, { id: 'b', optional_in_funnel: true }, { id: null, optional_in_funnel: true }, { id: "c'" }],
  [{ id: null }, { name: 'x', any_of: [{ id: 'a' }, { id: 'b', properties: [{ key: 'k', value: ['v', 1] }] }] }],
];
const exclusions: readonly Given[] = [
  {},
  { exclusions: [{ id: 'x' }] },
  { exclusions: [{ id: 'x' }, { id: null, properties: [{ key: 'plan', value: 'pro', type: 'person' }] }] },
];
const attributions = ['first_touch', 'last_touch', 'all_events', 'step'].map((type) => ({
  breakdown_attribution_type: type,
}));
const breakdowns: readonly Given[] = [
  {},
  ...combined(
    [
      { breakdown: 'k', breakdown_value: ['v'] },
      { breakdown: ["k'", 'l'], breakdown_value: 'Other' },
    ],
    attributions,
  ),
  { breakdown: ['k', 'l'], breakdown_type: 'person', breakdown_value: ['v', ''], breakdown_limit: 1 },
  { breakdown: ['all', 3], breakdown_type: 'cohort', breakdown_value: 'all' },
  ...combined(
    [
      {
        breakdowns: [
          { property: "k'", normalize_url: true },
          { property: ['all', 3], type: 'cohort' },
          { property: 'l', type: 'person' },
        ],
        breakdown_value: ['v', '3', ''],
      },
    ],
    attributions,
  ),
];

/** The long run explains all of them; here a few, of every kind some. */
const few = <T>(all: readonly T[], each: number): readonly T[] =>
  process.env.EVERY_STATEMENT ? all : all.filter((_, at) => at % each === 0);

/** The long run explains all statements of a question; here two of them, each time others. */
const inTurn = (statements: readonly Sql[], n: number): readonly Sql[] =>
  process.env.EVERY_STATEMENT ? statements : [n, n + 3].flatMap((at) => statements[at % statements.length] ?? []);

/** One test for so many of them. */
const packs = <T>(all: readonly T[], size: number): readonly (readonly [number, readonly T[]])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => [at * size, all.slice(at * size, (at + 1) * size)]);

const explain = async (statements: readonly Sql[], about: Given): Promise<void> => {
  for (const statement of statements) {
    const plan = await clickhouse.query(sql`EXPLAIN ${statement}`, { project: 'system' }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(about)}`);
    });
    expect(plan.length).toBeGreaterThan(0);
  }
};

const page = { limit: 10, offset: 0 };

describe('every statement about retention is one that the engine can run', () => {
  const entities: readonly Given[] = [
    {},
    { target_entity: { id: 'a' } },
    { target_entity: { id: null }, returning_entity: { id: "b'", properties: [{ key: 'k', value: 'v' }] } },
  ];
  const all = combined(
    retentionPeriods.map((period) => ({ period, total_intervals: period === 'Hour' ? 24 : 7 })),
    retentionTypes.slice(0, 3).map((retention_type) => ({ retention_type })),
    [{}, { total_intervals: 100, selected_interval: 99 }, { return_interval: 6 }],
    [{}, { minimum_occurrences: 3 }],
    [{}, { cumulative: true }],
    entities,
    filters,
  );

  it.each(packs(few(all, 29), 40))(
    'from the %ith question',
    async (at, requested) => {
      for (const [n, given] of requested.entries()) {
        const scope = scopeOf((at + n) % 2 === 0);
        const q = readRetention(Params.of(given), project, now);
        const list = { actors: retentionActorsSql(q, scope), order: mostAppearances };
        await explain([retentionSql(q, scope), actorPageSql(scope, list, null, page)], given);
      }
    },
    300_000,
  );
});

describe('every statement about a funnel is one that the engine can run', () => {
  const all = combined(
    steps.map((events) => ({ events })),
    orders.map((funnel_order_type) => ({ funnel_order_type })),
    exclusions,
    breakdowns,
    filters,
  ).filter(({ events, exclusions: some, funnel_order_type: order }) => {
    const list = events as readonly Given[];
    const isOrdered = order === 'ordered' || list.every(({ optional_in_funnel: optional }) => !optional);
    return isOrdered && (!some || list.length > 1);
  });

  const statementsOf = (q: FunnelQuery, scope: QuestionScope, range: { from: Date; to: Date }): Sql[] => {
    const split = q.breakdown === null ? null : { breakdown: q.breakdown, attribution: q.attribution };
    const requested = { layout: layoutOf(q, range), split };
    const buckets = bucketsOf(range, q.interval, project);
    const { value } = q.selection;
    const lists = [
      funnelActorsSql(requested, { reached: { atLeast: 1 }, optional: null, value }, scope),
      funnelActorsSql(requested, { reached: { exactly: [1], droppedOff: false }, optional: null, value: null }, scope),
      ...(q.optional.length > 0
        ? [funnelActorsSql(requested, { reached: { atLeast: 1 }, optional: { at: 0, isTaken: false }, value }, scope)]
        : []),
      ...[true, false].map((dropOff) =>
        enteredActorsSql(requested, buckets, { ...q.between, bucket: 0, dropOff }, value, scope),
      ),
    ];
    const numbers = [funnelStepsSql(requested, scope), funnelTrendsSql(requested, buckets, q.between, scope)];
    const times =
      q.steps.length < 2
        ? []
        : [
            conversionSpanSql({ ...requested, split: null }, q.between, scope),
            conversionBinsSql({ ...requested, split: null }, q.between, { from: 0, width: 60, count: 3 }, scope),
          ];
    if (q.steps.length > 1) lists.push(convertedActorsSql(requested, q.between, { from: 0, to: 60 }, value, scope));
    return [...numbers, ...times, ...lists.map((actors) => actorPageSql(scope, { actors, order: null }, null, page))];
  };

  it.each(packs(few(all, 61), 20))(
    'from the %ith question',
    async (at, requested) => {
      const range = { from: new Date('2024-04-01T00:00:00Z'), to: now };
      for (const [n, given] of requested.entries()) {
        const interval = (['hour', 'day', 'week', 'month'] as const)[n % 4];
        const q = readFunnel(Params.of({ ...given, interval }), project, now);
        await explain(inTurn(statementsOf(q, scopeOf((at + n) % 2 === 0), range), n), given);
      }
    },
    600_000,
  );

  // Too wide for 64 bits an event. To print its plan takes the engine many times as long as to run it.
  const wide = process.env.EVERY_STATEMENT ? orders : (['strict'] as const);
  it.each(wide)(
    'with many steps, 10 exclusions and a window of years, %s',
    async (funnel_order_type) => {
      const given = {
        events: Array.from({ length: process.env.EVERY_STATEMENT ? 20 : 12 }, (_, n) => ({ id: `e${n}` })),
        exclusions: Array.from({ length: 10 }, (_, n) => ({ id: `x${n}` })),
        funnel_order_type,
        funnel_window_interval: 1200,
        funnel_window_interval_unit: 'month',
      };
      const layout = layoutOf(readFunnel(Params.of(given), project, now), {
        from: new Date('2024-01-01T00:00:00Z'),
        to: now,
      });
      expect(layout.isWide).toBe(true);
      const [row] = await clickhouse.query<{ counts: number[] }>(
        funnelStepsSql({ layout, split: null }, scopeOf(true)),
        { project: 'system' },
      );
      expect(row?.counts).toEqual(given.events.map(() => 0));
    },
    120_000,
  );
});

describe('every statement about a correlation is one that the engine can run', () => {
  const all = combined(
    steps
      .slice(1)
      .filter((list) => !list.some((step) => 'optional_in_funnel' in step))
      .map((events) => ({ events })),
    orders.map((funnel_order_type) => ({ funnel_order_type })),
    exclusions,
    [
      { funnel_correlation_exclude_event_names: ["x'"] },
      { funnel_correlation_type: 'properties', funnel_correlation_names: ['plan', "o'b.c"] },
      { funnel_correlation_type: 'event_with_properties', funnel_correlation_event_names: ['a', "b'"] },
    ],
    [
      {},
      { funnel_correlation_person_entity: { id: null }, funnel_correlation_person_converted: 'true' },
      {
        funnel_correlation_person_entity: { id: 'a', properties: [{ key: 'k', value: '' }] },
        funnel_correlation_property_values: [
          { key: 'plan', value: '' },
          { key: 'id', value: 3, type: 'cohort' },
        ],
        funnel_correlation_person_converted: 'false',
      },
    ],
    filters,
  );

  it.each(packs(few(all, 67), 20))(
    'from the %ith question',
    async (at, requested) => {
      for (const [n, given] of requested.entries()) {
        const scope = scopeOf((at + n) % 2 === 0);
        const q = readCorrelation(Params.of(given), project, now);
        const layout = layoutOf(q.funnel, { from: new Date('2024-04-01T00:00:00Z'), to: now });
        const totals = { success: 30, failure: 4000 };
        const actors = correlationActorsSql(layout, q.persons, scope);
        const rows = {
          events: () => [correlatedEventsSql(layout, ['x'], totals, scope)],
          properties: () => [
            personKeysSql(layout, scope),
            ...[true, false].map((missing) =>
              correlatedPropertiesSql(layout, { keys: ['plan', "o'b.c"], missing }, totals, scope),
            ),
          ],
          event_with_properties: () => [
            eventKeysSql(layout, ['a', "b'"], scope),
            correlatedEventPropertiesSql(layout, { events: ['a', "b'"], keys: ['k', "'"] }, totals, scope),
          ],
        }[q.correlated.type]();
        const list = actorPageSql(scope, { actors, order: null }, null, page);
        await explain(inTurn([totalsSql(layout, scope), ...rows, list], n), given);
      }
    },
    300_000,
  );
});
