import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { type FilterScope, filterSql } from '../../src/filters/compile/compile.sql.js';
import { columnOperand, comparisonSql } from '../../src/filters/compile/operators.sql.js';
import { operators } from '../../src/filters/reading/filter.js';
import { matchesEvent } from '../../src/filters/compile/event-match.sql.js';
import { parseFilters } from '../../src/filters/reading/filter-fields.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { projectedProperties } from '../../src/kernel/projection/schema/property.sql.js';
import { type Sql, sql, text } from '../../src/platform/clickhouse/sql.js';

const now = new Date('2024-01-22T12:00:00Z');
const stored = {
  absent: {},
  none: { a: null },
  number: { a: 30 },
  text: { a: '30' },
  word: { a: 'Pro' },
  boolean: { a: true },
  list: { a: ['Pro', 1] },
  object: { a: { plan: 'Pro' } },
  date: { a: '2024-01-15T10:00:00Z' },
} as const;
type Stored = keyof typeof stored;

const all = Object.keys(stored) as Stored[];
const but = (...without: Stored[]): Stored[] => all.filter((name) => !without.includes(name));

/** Which of the stored values each operator finds. */
const table: readonly (readonly [string, unknown, readonly Stored[]])[] = [
  ['exact', 30, ['number', 'text']],
  ['exact', '30', ['number', 'text']],
  ['exact', '30.0', []],
  ['exact', true, ['boolean']],
  ['exact', 'true', ['boolean']],
  ['exact', 'pro', []],
  ['exact', '["Pro",1]', ['list']],
  ['exact', '{"plan":"Pro"}', ['object']],
  ['in', ['Pro', 30], ['number', 'text', 'word']],
  ['is_not', 30, but('number', 'text')],
  ['not_in', ['Pro', 30], but('number', 'text', 'word')],
  ['exact', [], all],
  ['not_regex', [], all],
  ['icontains', 'PRO', ['word', 'list', 'object']],
  ['icontains', ['3', 'tru'], ['number', 'text', 'boolean']],
  ['not_icontains', 'PRO', but('word', 'list', 'object')],
  ['not_icontains', ['PRO', '3'], but('word', 'list', 'object', 'number', 'text')],
  ['icontains', '%', []],
  ['regex', '^\\d+$', ['number', 'text']],
  ['regex', ['^P', '^t'], ['word', 'boolean']],
  ['not_regex', '^\\d+$', but('number', 'text')],
  ['gt', 29, ['number', 'text']],
  ['gt', 30, []],
  ['gte', '30', ['number', 'text']],
  ['lt', 30.5, ['number', 'text']],
  ['lte', [1, 30], ['number', 'text']],
  ['gt', '2024-01-15', ['date']],
  ['lt', '2024-01-15', []],
  ['gte', 'Pro', ['word', 'boolean', 'list', 'object']],
  ['lt', 'Pro', ['number', 'text', 'date']],
  ['between', [30, 31], ['number', 'text']],
  ['between', [31, 30], []],
  ['not_between', [30, 31], but('number', 'text')],
  ['is_set', undefined, but('absent', 'none')],
  ['is_not_set', 'is_not_set', ['absent', 'none']],
  ['is_date_exact', '2024-01-15', ['date']],
  ['is_date_exact', '2024-01-15T10:00', ['date']],
  ['is_date_exact', '2024-01-15T11:00:00+01:00', ['date']],
  ['is_date_exact', '-7d', ['date']],
  ['is_date_before', '2024-01-15', []],
  ['is_date_before', '2024-01-16', ['date']],
  ['is_date_before', '-7d', ['date']],
  ['is_date_before', '8d', []],
  ['is_date_after', '2024-01-15', []],
  ['is_date_after', '2024-01-14', ['date']],
  ['is_date_after', '8d', ['date']],
];

let folder: string;
let clickhouse: ClickHouse;

beforeAll(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'kohort-operators-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
  await migrateClickHouse(clickhouse, clickhouseMigrations);
  const common = { project_id: 1, uuid: '00000000-0000-4000-8000-000000000000', version: 1 };
  const documents = Object.entries(stored).map(([name, properties]) => ({
    name,
    properties: projectedProperties(properties),
  }));
  await clickhouse.insert(
    'events',
    documents.map(({ name, properties }, at) => ({
      ...{ ...common, event: name, distinct_id: name, actor: at + 1, timestamp: now, received_at: now, properties },
    })),
  );
  await clickhouse.insert(
    'persons',
    documents.map(({ properties }, at) => ({
      ...{ ...common, id: at + 1, properties, is_identified: true, created_at: now, is_deleted: 0 },
    })),
  );
  // Person 90 became person 3, and in another project person 4.
  await clickhouse.insert(
    'cohort_members',
    [2, 90].map((actor) => ({ project_id: 1, cohort_id: 1, version: 3, actor })),
  );
  await clickhouse.insert(
    'person_redirects',
    [3, 4].map((target, at) => ({ project_id: at + 1, source: 90, target, version: 1 })),
  );
});
afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

const scope: FilterScope = {
  projectId: 1,
  now,
  timezone: 'UTC',
  actor: sql`e.actor`,
  event: {
    event: sql`e.event`,
    timestamp: sql`e.timestamp`,
    distinctId: sql`e.distinct_id`,
    properties: sql`e.properties`,
    groups: sql`e.groups`,
  },
  person: null,
  cohorts: new Map([
    [1, { version: 3, groupType: null }],
    [2, { version: null, groupType: null }],
  ]),
};
const allowed = ['event', 'person', 'cohort', 'event_metadata'] as const;
const conditionOf = (given: unknown, within = scope) =>
  filterSql(parseFilters(given, 'properties', { defaultType: 'event', allowed }), within);

describe('an operator', () => {
  it('of each kind is in the table', () => {
    expect(new Set(table.map(([operator]) => operator))).toEqual(new Set([...operators, 'in', 'not_in']));
  });

  it.each(table)('%s %j finds %j', async (operator, value, names) => {
    for (const type of ['event', 'person']) {
      for (const negation of [false, true]) {
        const condition = conditionOf([{ type, key: 'a', operator, value, negation }]);
        const rows = await clickhouse.query<{ name: Stored }>(
          sql`SELECT e.distinct_id AS name FROM events AS e WHERE e.project_id = 1 AND ${condition}`,
          { project: 'system' },
        );
        const found = new Set(rows.map(({ name }) => name));
        expect([type, negation, all.filter((name) => found.has(name))]).toEqual([
          type,
          negation,
          all.filter((name) => names.includes(name) !== negation),
        ]);
      }
    }
  });
});

describe('a large number', () => {
  it.each([
    ['1e21', 1e21, 1],
    ['1e+21', 1e21, 1],
    ['-1.5e21', '-1.5e+21', 1],
    ['1e22', 1e21, 0],
    // Texts that have one in them are only themselves.
    ['x1e21', 'x1e21', 1],
    ['1e21x', '1e21x', 1],
    ['1e21', 'x1e21', 0],
    ['1e21', '1e21x', 0],
    ['10e21', '10e21', 1],
  ])('stored as %j is %j, in both notations: %d', async (stored, value, holds) => {
    const condition = comparisonSql(columnOperand(sql`${text(stored)}`), { operator: 'exact', values: [value] }, now);
    expect(await clickhouse.query(sql`SELECT toUInt8(${condition}) AS holds`, { project: 'system' })).toEqual([
      { holds },
    ]);
  });
});

const foundBy = async (condition: Sql): Promise<Stored[]> => {
  const rows = await clickhouse.query<{ name: Stored }>(
    sql`SELECT e.distinct_id AS name FROM events AS e WHERE e.project_id = 1 AND ${condition} ORDER BY e.actor`,
    { project: 'system' },
  );
  return rows.map(({ name }) => name);
};

describe('a cohort', () => {
  it('has its members, and whom they have become in this project', async () => {
    const isIn = (more: object) => conditionOf([{ type: 'cohort', key: 'id', value: 1, ...more }]);
    expect(await foundBy(isIn({}))).toEqual(['none', 'number']);
    expect(await foundBy(isIn({ operator: 'not_in' }))).toEqual(but('none', 'number'));
    expect(await foundBy(isIn({ value: 2 }))).toEqual([]);
    expect(await foundBy(isIn({ value: [1, 2] }))).toEqual(['none', 'number']);
  });
});

describe('an event', () => {
  const match = (event: Stored | null, filters: unknown = null) => ({
    event,
    filter: parseFilters(filters, 'properties', { defaultType: 'event', allowed }),
  });
  const isPro = [{ key: 'a', value: 'Pro' }];

  it.each([
    [[match('text')], ['text']],
    [[match(null)], all],
    [[match(null, isPro)], ['word']],
    [[match('text', isPro)], []],
    [
      [match('word', isPro), match('text')],
      ['text', 'word'],
    ],
    [
      [match('number'), match('text')],
      ['number', 'text'],
    ],
  ])('matches by name and filter: %j finds %j', async (alternatives, names) => {
    expect(await foundBy(matchesEvent(alternatives, scope))).toEqual(names);
  });
});

describe('the statement of a filter', () => {
  it('is one the engine understands: every operator, source and place', async () => {
    const atHand = { ...scope, event: null, actor: sql`p.id`, person: { properties: sql`p.properties` } };
    const places = [
      [sql`events AS e WHERE e.project_id = 1`, scope, ['event', 'person', 'event_metadata']],
      [sql`persons AS p FINAL WHERE p.project_id = 1`, atHand, ['person']],
    ] as const;
    let explained = 0;
    for (const [from, within, types] of places) {
      for (const [operator, value] of table) {
        for (const type of types) {
          const leaf = { type, key: type === 'event_metadata' ? 'distinct_id' : 'a', operator, value };
          const cohorts = [1, 2].map((id) => ({ type: 'cohort', key: 'id', value: id, negation: id === 2 }));
          for (const combine of ['AND', 'OR']) {
            const condition = conditionOf({ type: combine, values: [leaf, ...cohorts] }, within);
            await clickhouse.query(sql`EXPLAIN SELECT count() FROM ${from} AND ${condition}`, { project: 'system' });
            explained += 1;
          }
        }
      }
    }
    expect(explained).toBeGreaterThan(300);
  });

  it('looks at persons once for all that a group asks of them', async () => {
    const person = (key: string, operator: string) => ({ type: 'person', key, operator, value: 'x' });
    const values = [person('a', 'exact'), { key: 'a', value: 1 }, person('b', 'is_not'), person('c', 'gt')];
    for (const type of ['AND', 'OR']) {
      const rows = await clickhouse.query<{ explain: string }>(
        sql`EXPLAIN SYNTAX SELECT count() FROM events AS e WHERE e.project_id = 1 AND ${conditionOf({ type, values })}`,
        { project: 'system' },
      );
      const statement = rows.map(({ explain }) => explain).join('\n');
      expect(statement.match(/FROM persons/g)).toHaveLength(1);
    }
  });

  it('says when it was compiled where it cannot be answered', () => {
    const withoutEvent = { ...scope, event: null };
    expect(() => conditionOf([{ key: 'a', value: 1 }], withoutEvent)).toThrow('needs an event');
    const wasIn = { type: 'cohort', key: 'id', value: 1, at: 'event' };
    expect(() => conditionOf([wasIn], withoutEvent)).toThrow('at the time of an event needs an event');
    expect(() => conditionOf([{ type: 'cohort', key: 'id', value: 9 }])).toThrow('was not resolved');
  });
});
