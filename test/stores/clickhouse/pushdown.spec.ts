import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memberRowsSql } from '../../../src/kernel/memberships/members.sql.js';
import { type AskingScope } from '../../../src/sql/statement.js';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { migrateClickHouse } from '../../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../../src/kernel/projection/schema/migrations.js';
import { type Sql, compile, sql } from '../../../src/platform/clickhouse/sql.js';
import { askingScope, compiledQuestion } from '../../query/compiled-question.js';

/** Rows of one mark of a primary key. */
const granule = 8192;
const cohortCount = 600;
/** The rows of one event, spread over 60 days. */
const eventRows = 81_920;
/** Of each of three projects: three events, persons, and cohorts of 100 members. */
const rowsOfProject = { events: 3 * eventRows, persons: 81_920, cohort_members: 100 * cohortCount } as const;
type Table = keyof typeof rowsOfProject;
const isTable = (name: string): name is Table => name in rowsOfProject;

let folder: string;
let clickhouse: ClickHouse;

const cohorts = Array.from({ length: cohortCount }, (_, n) => ({
  id: n + 1,
  name: `cohort ${n + 1}`,
  version: 3,
  isStatic: true,
  groupType: null,
  createdAt: new Date('2024-01-01T00:00:00Z'),
}));

const versions = cohorts.map(({ id, version, groupType }) => ({ id, version, groupType }));

const scope: AskingScope = {
  ...askingScope,
  cohorts,
  memberships: new Map(versions.map((cohort) => [cohort.id, cohort])),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-pushdown-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
  await migrateClickHouse(clickhouse, clickhouseMigrations);
  // One part for each table: a second one would add a granule to every count.
  await clickhouse.command(sql`
    INSERT INTO events (project_id, uuid, event, distinct_id, actor, timestamp, received_at, properties, version)
    SELECT intDiv(number, 245760) + 1, generateUUIDv4(), ['a', 'b', 'c'][number % 3 + 1], toString(number % 81920),
      number % 81920, toDateTime64('2024-01-01 00:00:00', 3, 'UTC') + intDiv(number % 245760, 3) % 60 * 86400 + number % 5 * 18000,
      toDateTime64('2024-03-01 00:00:00', 3, 'UTC'), '{}', 1
    FROM numbers(737280) SETTINGS max_block_size = 1000000, min_insert_block_size_rows = 1000000`);
  await clickhouse.command(sql`
    INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at, is_deleted, version, distinct_ids)
    SELECT intDiv(number, 81920) + 1, number % 81920, generateUUIDv4(), '{}', true,
      toDateTime64('2024-01-01 00:00:00', 3, 'UTC'), 0, 1, [toString(number % 81920)]
    FROM numbers(245760) SETTINGS max_block_size = 1000000, min_insert_block_size_rows = 1000000`);
  await clickhouse.command(sql`
    INSERT INTO cohort_members (project_id, cohort_id, version, actor)
    SELECT intDiv(number, 60000) + 1, intDiv(number % 60000, 100) + 1, 3, number % 100
    FROM numbers(180000) SETTINGS max_block_size = 1000000, min_insert_block_size_rows = 1000000`);
});

afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

const compiled = (text: string): Promise<Sql> => compiledQuestion(text, scope);

/** The granules that the primary key leaves of each table, for each time that the statement reads it. */
const granulesRead = async (text: string): Promise<readonly (readonly [Table, number])[]> => {
  const lines = await clickhouse.query<{ explain: string }>(sql`EXPLAIN indexes = 1 ${await compiled(text)}`, {
    project: 'system',
    timezone: scope.project.timezone,
  });
  const plan = lines.map(({ explain }) => explain).join('\n');
  return plan.split('ReadFromMergeTree').flatMap((step) => {
    const table = /^ \(\w+\.(\w+)\)/.exec(step)?.[1];
    if (table === undefined || !isTable(table)) return [];
    const granules = /PrimaryKey[^]*?Granules: (\d+)\//.exec(step);
    return [[table, granules ? Number(granules[1]) : Infinity] as const];
  });
};

/** The granules that so many neighbouring rows lie in: the first and the last one are shared with other rows. */
const holding = (rows: number): number => Math.ceil(rows / granule) + 1;
/** A day of one event. */
const day = eventRows / 60;
const ofProject = (table: Table): number => holding(rowsOfProject[table]);

const ofOneEvent = holding(eventRows);
const lastWeek = 'timestamp > now() - interval 7 day';
/** The events of this week are of the days since 23 February. */
const ofWeek = holding(7 * day);
const b = "event = 'b'";

type Bound = readonly [table: Table, most: number];

/** Each question with the granules that it may read of each table. */
const questions: readonly (readonly [string, ...Bound[]])[] = [
  ['select count() from events', ['events', ofProject('events')]],
  [`select count() from events where ${b}`, ['events', ofOneEvent]],
  [`select count() from events where ${b} and ${lastWeek}`, ['events', ofWeek]],
  [`select count() from events where ${lastWeek} and ${b}`, ['events', ofWeek]],
  [
    `select count() from events where ${b} and timestamp >= '2024-02-10' and timestamp < '2024-02-12'`,
    ['events', holding(2 * day)],
  ],
  [`select count() from events where ${b} and timestamp between '2024-02-10' and '2024-02-11'`, ['events', 2]],
  [`select count() from events where ${b} and timestamp >= toDateTime('2024-02-28 00:00:00')`, ['events', 2]],
  [`select count() from events where ${b} and toDate(timestamp) = '2024-02-10'`, ['events', holding(7 * day)]],
  [`select count() from events where ${b} and toDate(timestamp) >= today() - interval 7 day`, ['events', ofWeek + 1]],
  [`select count() from events where '2024-02-28' <= toStartOfDay(timestamp) and ${b}`, ['events', ofWeek]],
  [
    `select count() from events where ${b} and toStartOfMonth(timestamp) between '2024-01-01' and toDate('2024-01-01')`,
    ['events', holding(36 * day)],
  ],
  [`select count() from events where event in ('a', 'b') and ${lastWeek}`, ['events', 2 * ofWeek]],
  // All three events have this week.
  [`select count() from events where ${lastWeek}`, ['events', 3 * (ofWeek + 1)]],
  [`select timestamp as t from events where ${b} and t > now() - interval 7 day`, ['events', ofWeek]],
  [`select person_id, count() from events where ${b} and ${lastWeek} group by person_id`, ['events', ofWeek]],
  [
    `select person.properties.plan, count() from events where ${b} and ${lastWeek} group by 1`,
    ['events', ofWeek],
    ['persons', ofProject('persons')],
  ],
  [
    `select p.name, count() from events e join persons p on p.id = e.person_id where e.${b} and e.${lastWeek} group by p.name`,
    ['events', ofWeek],
    ['persons', ofProject('persons')],
  ],
  [`select count() from (select event, timestamp from events) where ${b} and ${lastWeek}`, ['events', ofWeek]],
  [
    `select count() from (select event, timestamp as t from events) where ${b} and t > now() - interval 7 day`,
    ['events', ofWeek],
  ],
  [`select count() from (select * from (select * from events)) where ${b} and ${lastWeek}`, ['events', ofWeek]],
  [
    `with x as (select event, timestamp from events) select count() from x where ${b} and ${lastWeek}`,
    ['events', ofWeek],
  ],
  [
    `select count() from events where ${b} union all select count() from events where ${b} and ${lastWeek}`,
    ['events', ofOneEvent],
    ['events', ofWeek],
  ],
  [
    `select count() from events where person_id in cohort 5`,
    ['events', ofProject('events')],
    ['cohort_members', 1],
    ['cohort_members', 1],
  ],
  ['select name from persons', ['persons', ofProject('persons')]],
  ['select name from persons where id = 5', ['persons', 1]],
  ['select name from persons where id in (5, 6)', ['persons', 1]],
  ['select name from (select id, name from persons) where id = 5', ['persons', 1]],
  ["select name from persons where properties.plan = 'pro'", ['persons', ofProject('persons')]],
  ['select * from person_distinct_ids', ['persons', ofProject('persons')]],
  ['select * from person_distinct_ids where person_id = 5', ['persons', 1]],
  ['select * from cohorts'],
  [
    'select count() from cohort_people',
    ['cohort_members', ofProject('cohort_members')],
    ['cohort_members', ofProject('cohort_members')],
  ],
  ['select count() from cohort_people where cohort_id = 5', ['cohort_members', 1], ['cohort_members', 1]],
  ['select count() from sessions', ['events', ofProject('events')]],
  ['select count() from sessions where start > now() - interval 7 day', ['events', 3 * (ofWeek + 1)]],
  [`select count() from sessions where start >= '2024-02-20'`, ['events', 3 * holding(11 * day)]],
  [`select count() from sessions where toDate(start) >= '2024-02-25'`, ['events', 3 * holding(8 * day)]],
  [
    `select count() from persons p join sessions s on s.person_id = p.id where s.start >= '2024-02-20'`,
    ['persons', ofProject('persons')],
    ['events', 3 * holding(11 * day)],
  ],
];

describe('the primary key', () => {
  it.each(questions)('bounds what is read for %s', async (text, ...bounds) => {
    const read = await granulesRead(text);
    expect(read.map(([table]) => table)).toEqual(bounds.map(([table]) => table));
    read.forEach(([, granules], at) => expect(granules).toBeLessThanOrEqual(bounds[at]?.[1] ?? 0));
  });

  it.each([
    [`start >= '2024-02-10'`, `timestamp >= '2024-02-09 23:30:00'`],
    [`end <= '2024-01-03'`, `timestamp <= '2024-01-03 00:30:00'`],
    [
      `start >= '2024-02-10' and end < '2024-02-12'`,
      `timestamp >= '2024-02-09 23:30:00' and timestamp <= '2024-02-12 00:30:00'`,
    ],
  ])('reads for sessions where %s the events where %s', async (ofSessions, ofEvents) => {
    const [[, read] = ['events', 0]] = await granulesRead(`select count() from sessions where ${ofSessions}`);
    expect(await granulesRead(`select count() from events where ${ofEvents}`)).toEqual([['events', read]]);
    expect(read).toBeLessThan(ofProject('events') / 2);
  });

  it('is of no use to a condition on another value, so that the bounds above say something', async () => {
    const wrapped = [
      `select count() from events where ${b} and toString(timestamp) > '2024-02-23'`,
      `select count() from (select event, timestamp from events limit 100000) where ${b} and ${lastWeek}`,
      `select count() from sessions where start <= '2024-02-23'`,
      `select count() from sessions where end >= '2024-02-23'`,
      `select count() from events where upper(event) = 'B' and ${lastWeek.replace('timestamp', "toTimeZone(timestamp, 'UTC')")}`,
    ];
    for (const text of wrapped) {
      const [[, granules] = ['events', 0]] = await granulesRead(text);
      expect([text, granules]).toEqual([text, expect.any(Number)]);
      expect(granules).toBeGreaterThanOrEqual(ofOneEvent - 1);
    }
    const [[, granules] = ['persons', 0]] = await granulesRead('select name from persons where id % 1000 = 5');
    expect(granules).toBeGreaterThanOrEqual(ofProject('persons') - 1);
  });
});

describe('what a condition on days says about stored times', () => {
  const functions = [
    'toDate',
    'toStartOfDay',
    'toStartOfHour',
    'toStartOfWeek',
    'toMonday',
    'toStartOfMonth',
    'toStartOfYear',
  ];
  // The clocks of the zone change on 10 March; the first and the last day of the events are 1 January and 29 February.
  const days = ["'2024-01-01'", "'2024-01-08'", "'2024-02-01'", "toDate('2024-02-29')", 'today() - interval 2 day'];
  const operators = ['=', '<', '<=', '>', '>='];

  it.each(functions)('takes no event away from %s', async (name) => {
    const conditions = days.flatMap((day) => [
      ...operators.map((operator) => [`${name}(timestamp)`, `${operator} ${day}`] as const),
      [`${name}(timestamp)`, `between ${day} and toDate('2024-02-05')`] as const,
    ]);
    // A sum is no name of a column, so nothing is implied about it.
    const plain = `${name}(timestamp + interval 0 second)`;
    const counts = conditions.flatMap(([value, rest]) => [
      `(select count() from events where ${value} ${rest})`,
      `(select count() from events where ${plain} ${rest})`,
    ]);
    const [row = []] = await clickhouse
      .bytes(sql`${await compiled(`select ${counts.join(', ')}`)} FORMAT JSONCompactEachRow`, {
        project: 'system',
        timezone: scope.project.timezone,
      })
      .then((bytes) =>
        bytes
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as number[]),
      );
    const differing = conditions.filter((_, at) => row[2 * at] !== row[2 * at + 1]);
    expect(differing).toEqual([]);
    expect(row.length).toBe(counts.length);
    expect(new Set(row).size).toBeGreaterThan(3);
  });
});

describe('a question about many cohorts', () => {
  const valuesOf = async (text: string): Promise<number> =>
    Object.keys(compile(await compiled(text)).query_params).length;

  it('binds a few lists, because a server accepts a thousand values', async () => {
    for (const text of [
      'select * from cohort_people',
      'select * from cohorts',
      'select c.name, count() from cohort_people p join cohorts c on c.id = p.cohort_id group by c.name',
    ])
      expect([text, (await valuesOf(text)) < 30]).toEqual([text, true]);
  });

  it('counts the members of each', async () => {
    const rows = await clickhouse.query<{ cohorts: number; members: number; others: number }>(
      sql`SELECT uniqExact(cohort_id) AS cohorts, count() AS members, countIf(c != 100) AS others FROM (
        SELECT cohort_id, count() AS c FROM (${memberRowsSql(scope.projectId, versions)}) GROUP BY cohort_id)`,
      { project: 'system' },
    );
    expect(rows).toEqual([{ cohorts: cohortCount, members: cohortCount, others: 0 }]);
    // A member of another version, and one of another cohort, are none of these.
    const [one] = versions;
    const few = [{ id: 1, version: 2, groupType: null }, ...(one ? [{ ...one, id: 2 }] : [])];
    expect(
      await clickhouse.query(sql`SELECT DISTINCT cohort_id FROM (${memberRowsSql(scope.projectId, few)})`, {
        project: 'system',
      }),
    ).toEqual([{ cohort_id: 2 }]);
  });
});
