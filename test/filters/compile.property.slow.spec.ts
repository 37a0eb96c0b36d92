import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { naivelyHolds, type NaiveFilter, type NaiveLeaf, type NaiveSubject } from './naive.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { projectedProperties } from '../../src/kernel/projection/schema/property.sql.js';
import { type Sql, join, sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { type FilterScope, filterSql } from '../../src/filters/compile/compile.sql.js';
import { filterMatch } from '../../src/filters/matching/match-filter.js';
import { parseFilters } from '../../src/filters/reading/filter-fields.js';
import { runsOf } from '../support/sample.js';

const runs = Number(process.env.RUNS ?? runsOf(26, 2));
const filtersPerRun = 20;
const pairs = (operators: readonly string[], values: readonly unknown[]) =>
  operators.flatMap((operator) => values.map((value) => ({ operator, value })));
const now = new Date('2024-03-31T10:20:30.400Z');

const key = fc.constantFrom('a', 'b.c', "$d'");
const texts = [
  ...['', 'Pro', 'pro plan', 'ÄÖ', 'äö', 'Жук', '100%', 'a_b', "it's", '\\', 'a\nb', '0', '-0', '30', '30.0', '3e1'],
  ...['1e21', '1e+21', 'true', 'false', 'null', 'nan', 'inf', ' 5', '.5', '5.', '+5', '0x1F', '["a"]', '{"x":1}'],
  ...[
    '2024-03-24',
    '2024-03-25',
    '2024-03-24 10:21',
    '2024/03/24 10:20',
    '24/03/2024',
    '24-03-2024 10:20:30',
    '2024-03-24T10:20:30.400Z',
    '2024-02-30',
  ],
  ...[
    '2024-03-24T12:20:30+02:00',
    'Sun, 24 Mar 2024 10:20:30 +0000',
    '24 Mar 2024',
    '1711275630',
    '1711275630400',
    '12',
  ],
  ...[
    '1711275630.4',
    '7840800',
    'may',
    '2024',
    '9999-12-31',
    '0001-01-01',
    '2024-03-24T25:00:00',
    '31/12/2024',
    '12/31/2024',
  ],
];
const numbers = [
  0,
  -1,
  30,
  31,
  1.5,
  0.1 + 0.2,
  1e21,
  -1e21,
  1e-7,
  2 ** 53,
  2 ** 63,
  1e20,
  5e-324,
  1711275630,
  1711275630.4,
];
const scalar = fc.oneof(fc.constantFrom(...texts), fc.constantFrom(...numbers), fc.boolean());
const value = fc.oneof(
  { arbitrary: scalar, weight: 8 },
  fc.constant(null),
  fc.constantFrom<unknown>([], {}, ['a', 1], { x: 1 }, ['a']),
);
const document = fc.record({ a: value, 'b.c': value, "$d'": value }, { requiredKeys: [] });

const order = fc.constantFrom('gt', 'gte', 'lt', 'lte');
const isoDates = [
  '2024-03-24',
  '2024-03-25',
  '2024-03-24 10:21',
  '2024-03-24T10:20',
  '2024-03-24 10:20:30',
  '2024-03-24T10:20:30.4Z',
  '2024-03-24T12:20:30.400+0200',
];
const dates = [...isoDates, '-7d', '7d', '-1m', '1w', '167h', '168h', '1y', '0d', '9999y', '2299-12-31', '1900-01-01'];
const patterns = ['^a', 'o$', '.', '^.$', 'a.b', '\\d+', '^$', '[a-c]', 'pro|true', '\\\\', '^(?:30|Ж)', 'P', '\\.'];
const comparable = scalar.filter((given) => typeof given !== 'boolean');
const oneOrMany = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof<fc.MaybeWeightedArbitrary<unknown>[]>({ arbitrary: one, weight: 3 }, fc.array(one, { maxLength: 3 }));

const comparison: fc.Arbitrary<Pick<NaiveLeaf, 'operator' | 'value'>> = fc.oneof(
  fc.record({
    operator: fc.constantFrom('exact', 'is_not', 'in', 'not_in', 'icontains', 'not_icontains'),
    value: oneOrMany(scalar),
  }),
  fc.record({ operator: fc.constantFrom('regex', 'not_regex'), value: oneOrMany(fc.constantFrom(...patterns)) }),
  fc.record({ operator: order, value: oneOrMany(fc.oneof(comparable, fc.constantFrom(...isoDates))) }),
  fc.record({ operator: fc.constantFrom('between', 'not_between'), value: fc.tuple(comparable, comparable) }),
  fc.record({ operator: fc.constantFrom('is_set', 'is_not_set') }),
  fc.record({
    operator: fc.constantFrom('is_date_exact', 'is_date_before', 'is_date_after'),
    value: oneOrMany(fc.constantFrom(...dates)),
  }),
);
const everyComparison: readonly Pick<NaiveLeaf, 'operator' | 'value'>[] = [
  ...['is_set', 'is_not_set'].map((operator) => ({ operator })),
  ...pairs(['exact', 'is_not', 'in', 'not_in', 'icontains', 'not_icontains'], [...texts, ...numbers, true, false]),
  ...pairs(['gt', 'gte', 'lt', 'lte'], [...texts, ...numbers, ...isoDates]),
  ...pairs(['regex', 'not_regex'], patterns),
  ...pairs(
    ['between', 'not_between'],
    [...texts, ...numbers].flatMap((low, at) => [
      [low, 'pro'],
      [low, numbers[at % 5]],
    ]),
  ),
  ...pairs(['is_date_exact', 'is_date_before', 'is_date_after'], dates),
];
const storedValues = [undefined, null, true, false, ...texts, ...numbers, [], {}, ['a', 1], { x: 1 }, ['a']];

const negation = fc.constantFrom(undefined, undefined, false, true);

const property = fc
  .tuple(fc.constantFrom('event', 'person'), key, comparison, negation)
  .map(([type, name, compared, negated]) => leaf({ type, key: name, ...compared }, negated));
const ofText = fc
  .tuple(fc.constantFrom('distinct_id', 'event'), comparison, negation)
  .map(([name, compared, negated]) => leaf({ type: 'event_metadata', key: name, ...compared }, negated));
const ofTime = fc
  .tuple(
    fc.constantFrom('exact', 'is_not', 'gt', 'gte', 'lt', 'lte', 'is_date_exact', 'is_date_before', 'is_date_after'),
    oneOrMany(fc.constantFrom(...isoDates)),
  )
  .map(([operator, given]) => leaf({ type: 'event_metadata', key: 'timestamp', operator, value: given }, undefined));
const cohort = fc
  .tuple(fc.constantFrom(1, 2, 3), fc.constantFrom('in', 'not_in'), negation)
  .map(([id, operator, negated]) => leaf({ type: 'cohort', key: 'id', operator, value: id }, negated));

const leaf = (given: NaiveLeaf, negated: boolean | undefined): NaiveLeaf =>
  negated === undefined ? given : { ...given, negation: negated };

const tree: fc.Arbitrary<NaiveFilter> = fc.letrec<{ group: NaiveFilter }>((tie) => {
  const leaves = fc.oneof({ arbitrary: property, weight: 4 }, ofText, ofTime, { arbitrary: cohort, weight: 2 });
  const values = fc.oneof(
    { maxDepth: 3 },
    fc.array(leaves, { maxLength: 4 }),
    fc.array(tie('group'), { maxLength: 3 }),
  );
  return { group: fc.record({ type: fc.constantFrom('AND' as const, 'OR' as const), values }) };
}).group;

const world = fc.record({
  events: fc.array(
    fc.record({
      properties: document,
      actor: fc.constantFrom<number>(1, 2, 3, 4, 5, -7, -8),
      event: fc.constantFrom<string>('Pro', '30', ''),
      distinct_id: fc.constantFrom<string>('ada', '1711275630', '2024-03-24'),
      at: fc.constantFrom<string>('2024-03-24T00:00:00.000Z', '2024-03-24T10:20:30.400Z', '2024-03-25T00:00:00.000Z'),
    }),
    { minLength: 6, maxLength: 12 },
  ),
  persons: fc.array(document, { minLength: 3, maxLength: 4 }),
  filters: fc.array(tree, { minLength: filtersPerRun, maxLength: filtersPerRun }),
});

/** Cohort 1 has two members, one of them absorbed by 3 in two steps; cohort 2 none yet; cohort 3 a personless actor. */
const memberships = new Map([
  [1, { version: 2, groupType: null }],
  [2, { version: null, groupType: null }],
  [3, { version: 1, groupType: null }],
]);
const cohortsOf = new Map([
  [1, [1]],
  [3, [1]],
  [-7, [3]],
]);

describe('a filter in ClickHouse', () => {
  let folder: string;
  let clickhouse: ClickHouse;
  let projects = 0;

  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'kohort-filters-'));
    clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
    await migrateClickHouse(clickhouse, clickhouseMigrations);
  });
  afterAll(async () => {
    await clickhouse.close();
    await rm(folder, { recursive: true, force: true });
  });

  type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

  const load = async (project: number, { events, persons }: World): Promise<void> => {
    const at = now;
    await clickhouse.insert(
      'events',
      events.map(({ properties, actor, event, distinct_id, at: timestamp }, n) => ({
        ...{ project_id: project, uuid: uuidOf(n), event, distinct_id, actor, timestamp: new Date(timestamp) },
        ...{ received_at: at, properties: projectedProperties(properties), version: 1 },
      })),
    );
    await clickhouse.insert(
      'persons',
      persons.map((properties, n) => ({
        ...{ project_id: project, id: n + 1, uuid: uuidOf(n), properties: projectedProperties(properties) },
        ...{ is_identified: true, created_at: at, is_deleted: 0, version: 1 },
      })),
    );
    await clickhouse.insert('cohort_members', [
      { project_id: project, cohort_id: 1, version: 2, actor: 1 },
      { project_id: project, cohort_id: 1, version: 2, actor: 90 },
      { project_id: project, cohort_id: 1, version: 1, actor: 2 },
      { project_id: project, cohort_id: 3, version: 1, actor: -7 },
    ]);
    await clickhouse.insert('person_redirects', [
      { project_id: project, source: 90, target: 91, version: 1 },
      { project_id: project, source: 90, target: 3, version: 2 },
      { project_id: project, source: 91, target: 3, version: 2 },
    ]);
  };

  const scopeOf = (projectId: number): FilterScope => ({
    projectId,
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
    cohorts: memberships,
  });

  /** By event, by filter. A filter that could be NULL is found out by its type. */
  const answers = async (project: number, filters: readonly NaiveFilter[]): Promise<boolean[][]> => {
    const conditions = readAll(filters).map((filter) => filterSql(filter, scopeOf(project)));
    const rows = await clickhouse.query<{ held: number[]; types: string[] }>(
      sql`
      SELECT [${numbersOf(conditions)}] AS held, [${typesOf(conditions)}] AS types
      FROM events AS e WHERE e.project_id = ${unsigned(project)} ORDER BY e.uuid`,
      { project: 'system' },
    );
    expect(rows.flatMap(({ types }) => types).filter((type) => type.startsWith('Nullable'))).toEqual([]);
    return rows.map(({ held }) => held.map((one) => one === 1));
  };

  const subjectsOf = ({ events, persons }: World): NaiveSubject[] =>
    events.map(({ properties, actor, event, distinct_id, at }) => ({
      event: properties,
      person: persons[actor - 1] ?? null,
      metadata: { timestamp: new Date(at), distinct_id, event },
      cohorts: new Set(cohortsOf.get(actor) ?? []),
    }));

  const readAll = (filters: readonly NaiveFilter[]) =>
    filters.map((filter) =>
      parseFilters(filter, 'properties', {
        defaultType: 'event',
        allowed: ['event', 'person', 'cohort', 'event_metadata'],
      }),
    );

  /** What the matching in memory says about the properties of the subject's event, or its person. */
  const inMemory = (filter: NaiveFilter, { event, cohorts }: NaiveSubject): boolean => {
    const [read] = readAll([filter]) as [ReturnType<typeof parseFilters>];
    return filterMatch(read)({ properties: event, groupKey: null, isMemberOf: (id) => cohorts.has(id) }, now);
  };

  it('compares every kind of stored value with every kind of filter value as a naive reading does', async () => {
    const documents = storedValues.map((stored) => (stored === undefined ? {} : { a: stored }));
    const project = (projects += 1);
    const metadata = { timestamp: now, distinct_id: 'ada', event: 'seen' };
    const events = documents.map((properties) => ({
      ...{ properties, actor: 1, event: 'seen', distinct_id: 'ada', at: now.toISOString() },
    }));
    await load(project, { events, persons: [], filters: [] });
    const different: unknown[] = [];
    for (let from = 0; from < everyComparison.length; from += 60) {
      const some = everyComparison.slice(from, from + 60).map((one) => ({ type: 'event', key: 'a', ...one }));
      const held = await answers(project, some);
      for (const [at, document] of documents.entries()) {
        for (const [n, filter] of some.entries()) {
          const subject = { event: document, person: null, metadata, cohorts: new Set<number>() };
          const expected = naivelyHolds(filter, subject, now);
          if (held[at]?.[n] !== expected) different.push(JSON.stringify([filter, document, expected]));
          if (inMemory(filter, subject) !== expected)
            different.push(JSON.stringify(['memory', filter, document, expected]));
        }
      }
    }
    expect(different.slice(0, 20)).toEqual([]);
    expect(everyComparison.length * documents.length).toBeGreaterThan(50_000);
  });

  it(`holds where a naive reading of it holds (${runs * filtersPerRun} random trees)`, async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const project = (projects += 1);
        await load(project, given);
        const held = await answers(project, given.filters);
        const subjects = subjectsOf(given);
        for (const [at, subject] of subjects.entries()) {
          for (const [n, filter] of given.filters.entries()) {
            const answer = [filter, subject, held[at]?.[n]];
            expect(answer).toEqual([filter, subject, naivelyHolds(filter, subject, now)]);
          }
        }
      }),
      { numRuns: runs },
    );
  });

  it('finds in WHERE what it says in SELECT, and the same about a person at hand', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const project = (projects += 1);
        await load(project, given);
        const [filter] = given.filters as [NaiveFilter, ...NaiveFilter[]];
        const [read] = readAll([filter]) as [ReturnType<typeof parseFilters>];
        const rows = await clickhouse.query<{ n: number }>(
          sql`
          SELECT count() AS n FROM events AS e
          WHERE e.project_id = ${unsigned(project)} AND ${filterSql(read, scopeOf(project))}`,
          { project: 'system' },
        );
        const held = subjectsOf(given).filter((subject) => naivelyHolds(filter, subject, now));
        expect(rows[0]?.n).toBe(held.length);

        const ofPersons = onlyPersons(filter);
        const [readOfPersons] = readAll([ofPersons]) as [ReturnType<typeof parseFilters>];
        const scope = { ...scopeOf(project), event: null, actor: sql`p.id`, person: { properties: sql`p.properties` } };
        const persons = await clickhouse.query<{ id: number }>(
          sql`
          SELECT p.id AS id FROM persons AS p FINAL
          WHERE p.project_id = ${unsigned(project)} AND ${filterSql(readOfPersons, scope)} ORDER BY id`,
          { project: 'system' },
        );
        const metadata = { timestamp: now, distinct_id: '', event: '' };
        const expected = given.persons.flatMap((person, at) => {
          const subject = { event: {}, person, metadata, cohorts: new Set(cohortsOf.get(at + 1) ?? []) };
          return naivelyHolds(ofPersons, subject, now) ? [at + 1] : [];
        });
        expect(persons.map(({ id }) => id)).toEqual(expected);
        const matched = given.persons.flatMap((person, at) => {
          const subject = { event: person, person, metadata, cohorts: new Set(cohortsOf.get(at + 1) ?? []) };
          return inMemory(ofPersons, subject) ? [at + 1] : [];
        });
        expect(matched).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });
});

const numbersOf = (conditions: readonly Sql[]): Sql => join(conditions.map((condition) => sql`toUInt8(${condition})`));
const typesOf = (conditions: readonly Sql[]): Sql => join(conditions.map((condition) => sql`toTypeName(${condition})`));
const uuidOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

const onlyPersons = (filter: NaiveFilter): NaiveFilter => {
  if ('values' in filter) return { ...filter, values: filter.values.map(onlyPersons) };
  if (filter.type === 'event') return { ...filter, type: 'person' };
  return filter.type === 'event_metadata' ? { type: 'person', key: 'a', operator: 'is_set' } : filter;
};
