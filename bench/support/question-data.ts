import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProjectContext } from '../../src/kernel/access/project-context.js';
import { noCohorts } from '../../src/filters/compile/compile.sql.js';
import { type QuestionScope } from '../../src/analytics/shared/question-scopes.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { type Sql, sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { noExpressions } from '../../src/sql/ask/event-expressions.js';

export const project: ProjectContext = {
  id: 1,
  timezone: 'UTC',
  weekStartDay: 0,
  personDisplayNameProperties: ['email'],
  testAccountFilters: [],
  pathCleaningFilters: [],
};

/** All events lie in the days before it. */
export const now = new Date('2026-03-01T12:00:00Z');

const usualDays = 60;

export const scope: QuestionScope = {
  project,
  projectId: project.id,
  now,
  asOf: now,
  overridden: false,
  cohorts: noCohorts,
  filters: [],
  groupType: null,
  histories: [],
  expressions: noExpressions,
  position: '',
  signal: new AbortController().signal,
};

const eventsPerStep = 1_000_000;
const eventsPerPerson = 25;
const personsPerGroup = 4;
/** Sessions begin at multiples of five milliseconds. */
const stepsADay = 86_400_000 / 5;

/** Our tables and, beside them, the layout to compare with, in a folder of their own. */
export const withQuestionData = <T>(events: number, work: (clickhouse: ClickHouse) => AsyncIterable<T>) =>
  withFilled((clickhouse) => fillWithQuestionData(clickhouse, events), work);

/** Our tables alone, with the same events in more days, in the parts that inserts and merges have left. */
export const withYearsOfEvents = <T>(
  events: number,
  days: number,
  work: (clickhouse: ClickHouse) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> =>
  withFilled(async (clickhouse) => {
    await migrateClickHouse(clickhouse, clickhouseMigrations);
    await fillOurs(clickhouse, events, days);
    await untilMerged(clickhouse);
  }, work);

async function* withFilled<T>(
  fill: (clickhouse: ClickHouse) => Promise<void>,
  work: (clickhouse: ClickHouse) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const path = await mkdtemp(join(tmpdir(), 'kohort-bench-'));
  const clickhouse = await ClickHouse.open({ embeddedPath: path }, { info: () => undefined });
  try {
    await fill(clickhouse);
    yield* work(clickhouse);
  } finally {
    await clickhouse.close();
    await rm(path, { recursive: true, force: true });
  }
}

export const fillWithQuestionData = async (clickhouse: ClickHouse, events: number): Promise<void> => {
  await migrateClickHouse(clickhouse, clickhouseMigrations);
  for (const table of referenceTables) await clickhouse.command(table);
  await fillOurs(clickhouse, events, usualDays, (rows) => clickhouse.command(asReference(rows)));
  await clickhouse.command(referencePersons);
  for (const table of [sql`events`, sql`persons`, sql`groups`, sql`reference_events`, sql`reference_persons`]) {
    await clickhouse.command(sql`OPTIMIZE TABLE ${table} FINAL`);
  }
};

const fillOurs = async (
  clickhouse: ClickHouse,
  events: number,
  days: number,
  also: (rows: Sql) => Promise<void> = () => Promise.resolve(),
): Promise<void> => {
  const persons = Math.ceil(events / eventsPerPerson);
  for (let from = 0; from < events; from += eventsPerStep) {
    const rows = generated(from, Math.min(eventsPerStep, events - from), persons, days);
    await clickhouse.command(asOurs(rows));
    await also(rows);
  }
  await clickhouse.command(ourPersons(persons, days));
  await clickhouse.command(ourGroups(persons, days));
};

const untilMerged = async (clickhouse: ClickHouse): Promise<void> => {
  const merging = sql`SELECT count() AS merges FROM system.merges`;
  while (Number((await clickhouse.query<{ merges: number }>(merging, { project: 'system' }))[0]?.merges) > 0)
    await sleep(500);
};

/** Properties as JSON text, persons as UUIDs, sorted by day before event. */
const referenceTables = [
  sql`
  CREATE TABLE reference_events (
    project_id UInt32, uuid UUID, event String, distinct_id String, person_id UUID,
    timestamp DateTime64(6, 'UTC'), properties String
  ) ENGINE = MergeTree
  ORDER BY (project_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))`,
  sql`
  CREATE TABLE reference_persons (project_id UInt32, id UUID, created_at DateTime64(3, 'UTC'), properties String, version UInt64)
  ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, id)`,
];

/**
 * The same in every run. Sessions of five events some seconds or minutes apart; few persons do much, most little; half of all events are
 * page views. No two of one person's lie in the same millisecond, where their order would be anybody's guess.
 */
const generated = (from: number, count: number, persons: number, days: number): Sql => sql`
  SELECT toUUID(concat(substring(hex(MD5(toString(n))), 1, 8), '-0000-4000-8000-', leftPad(hex(n), 12, '0'))) AS uuid,
    ['$pageview', '$pageview', '$pageview', '$pageview', '$pageview', 'signed up', 'searched', 'added to cart', 'purchased', 'shared'][1 + r1 % 10] AS event,
    person, time,
    concat('{"$browser":"', ['Chrome', 'Safari', 'Firefox', 'Edge'][1 + s2 % 4],
      '","$os":"', ['Mac', 'Windows', 'Linux', 'iOS', 'Android'][1 + s2 % 5],
      '","$current_url":"/page/', toString(r2 % 40), '","$pathname":"/page/', toString(r2 % 40),
      '","$referrer":"https://example.test/', toString(r2 % 1000), '","$session_id":"', hex(s1),
      '","$lib":"web","$lib_version":"1.200.0","$screen_width":', toString(800 + s2 % 1200),
      ',"$screen_height":', toString(600 + s2 % 800), ',"$device_type":"', ['Desktop', 'Mobile'][1 + s2 % 2],
      '","plan":"', ['free', 'pro', 'team'][1 + s2 % 3], '","price":', toString(r2 % 10007 / 100), '}') AS properties
  FROM (
    SELECT number + ${unsigned(from)} AS n, intDiv(n, 5) AS session, n % 5 AS turn,
      sipHash64(n, 1) AS r1, sipHash64(n, 2) AS r2, sipHash64(session, 3) AS s1, sipHash64(session, 4) AS s2,
      toUInt32(${unsigned(persons)} * pow((s1 % 1000003) / 1000003, 2)) AS person,
      toDateTime64('2026-03-01 11:00:00', 3, 'UTC') - toIntervalDay(${unsigned(days)}) + toIntervalMillisecond(
        5 * (session * 1000000007 % ${unsigned(days * stepsADay)}) + turn * (5 * (1000 + s2 % 34000) + 1)) AS time
    FROM numbers(${unsigned(count)}))`;

const asOurs = (rows: Sql): Sql => sql`
  INSERT INTO events (project_id, uuid, event, distinct_id, actor, timestamp, received_at, properties, version, groups)
  SELECT 1, uuid, event, concat('user-', toString(person)), person + 1, time, time, properties::JSON, 1,
    map(0, toInt64(1 + intDiv(person, ${unsigned(personsPerGroup)}))) FROM (${rows})`;

const asReference = (rows: Sql): Sql => sql`
  INSERT INTO reference_events
  SELECT 1, uuid, event, concat('user-', toString(person)), reinterpretAsUUID(MD5(toString(person + 1))), time, properties FROM (${rows})`;

const ourPersons = (count: number, days: number): Sql => sql`
  INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at, is_deleted, version)
  SELECT 1, number + 1, generateUUIDv4(number),
    concat('{"email":"user-', toString(number), '@example.test","plan":"', ['free', 'pro', 'team'][1 + number % 3], '"}')::JSON,
    true, toDateTime64('2026-03-01 12:00:00', 3, 'UTC') - toIntervalDay(${unsigned(days)})
      + toIntervalSecond(sipHash64(number) % ${unsigned(days * 86_400)}), 0, 1
  FROM numbers(${unsigned(count)})`;

const ourGroups = (persons: number, days: number): Sql => sql`
  INSERT INTO groups (project_id, actor, id, group_type_index, key, properties, created_at, is_deleted, version)
  SELECT 1, number + 1, number + 1, 0, concat('company-', toString(number)),
    concat('{"name":"Company ', toString(number), '","plan":"', ['free', 'pro', 'team'][1 + number % 3], '"}')::JSON,
    toDateTime64('2026-03-01 12:00:00', 3, 'UTC') - toIntervalDay(${unsigned(days)})
      + toIntervalSecond(sipHash64(number) % ${unsigned(days * 86_400)}), 0, 1
  FROM numbers(${unsigned(Math.ceil(persons / personsPerGroup))})`;

const referencePersons = sql`
  INSERT INTO reference_persons
  SELECT project_id, reinterpretAsUUID(MD5(toString(id))), created_at, toString(properties), version FROM persons FINAL`;
