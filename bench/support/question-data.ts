import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProjectContext } from '../../src/common/project-context.js';
import { noCohorts } from '../../src/filters/cohort-memberships.js';
import { type QuestionScope } from '../../src/analytics/asking/question-scope.js';
import { ClickHouse } from '../../src/stores/clickhouse/client.js';
import { migrations } from '../../src/stores/clickhouse/schema/migrations.js';
import { migrateClickHouse } from '../../src/stores/clickhouse/schema/migrate.js';
import { sql, type Sql } from '../../src/stores/clickhouse/sql.js';
import { unsigned } from '../../src/stores/clickhouse/values.js';

export const project: ProjectContext = {
  id: 1,
  timezone: 'UTC',
  weekStartDay: 0,
  personDisplayNameProperties: ['email'],
  testAccountFilters: [],
  pathCleaningFilters: [],
};

/** All events lie in the sixty days before it. */
export const now = new Date('2026-03-01T12:00:00Z');

export const scope: QuestionScope = {
  project,
  projectId: project.id,
  now,
  asOf: now,
  overridden: false,
  cohorts: noCohorts,
  position: '',
  signal: new AbortController().signal,
};

const eventsPerStep = 500_000;
const eventsPerPerson = 25;

/** Our tables and, beside them, the layout to compare with: properties as JSON text, sorted by day before event. */
export async function* withQuestionData<T>(
  events: number,
  work: (clickhouse: ClickHouse) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const path = await mkdtemp(join(tmpdir(), 'kohort-bench-'));
  const clickhouse = await ClickHouse.open({ embeddedPath: path }, { info: () => undefined });
  try {
    await migrateClickHouse(clickhouse, migrations);
    await clickhouse.command(referenceTable);
    for (let from = 0; from < events; from += eventsPerStep) {
      await clickhouse.command(moreEvents(from, Math.min(eventsPerStep, events - from), events / eventsPerPerson));
    }
    await clickhouse.command(persons(events / eventsPerPerson));
    await clickhouse.command(asReference);
    for (const table of [sql`events`, sql`persons`, sql`reference_events`]) {
      await clickhouse.command(sql`OPTIMIZE TABLE ${table} FINAL`);
    }
    yield* work(clickhouse);
  } finally {
    await clickhouse.close();
    await rm(path, { recursive: true, force: true });
  }
}

const referenceTable = sql`
  CREATE TABLE reference_events (
    project_id UInt32, uuid UUID, event String, distinct_id String, person_id UUID,
    timestamp DateTime64(6, 'UTC'), properties String
  ) ENGINE = MergeTree
  ORDER BY (project_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))`;

/** Few persons do much, most little; half of all events are page views. The same in every run. */
const moreEvents = (from: number, count: number, persons: number): Sql => sql`
  INSERT INTO events (project_id, uuid, event, distinct_id, actor, timestamp, received_at, properties, version)
  SELECT 1, toUUID(concat(substring(hex(MD5(toString(n))), 1, 8), '-0000-4000-8000-', leftPad(hex(n), 12, '0'))),
    ['$pageview', '$pageview', '$pageview', '$pageview', '$pageview', 'signed up', 'searched', 'added to cart', 'purchased', 'shared'][1 + r1 % 10] AS event,
    concat('user-', toString(person)), person + 1, time, time,
    concat('{"$browser":"', ['Chrome', 'Safari', 'Firefox', 'Edge'][1 + r3 % 4],
      '","$os":"', ['Mac', 'Windows', 'Linux', 'iOS', 'Android'][1 + r3 % 5],
      '","$current_url":"/page/', toString(r4 % 40), '","$pathname":"/page/', toString(r4 % 40),
      '","$referrer":"https://example.test/', toString(r4 % 1000), '","$session_id":"', toString(r1),
      '","$lib":"web","$lib_version":"1.200.0","$screen_width":', toString(800 + r3 % 1200),
      ',"$screen_height":', toString(600 + r4 % 800), ',"$device_type":"', ['Desktop', 'Mobile'][1 + r3 % 2],
      '","plan":"', ['free', 'pro', 'team'][1 + r4 % 3], '","price":', toString(r2 % 10000 / 100), '}')::JSON,
    1
  FROM (
    SELECT number + ${unsigned(from)} AS n, sipHash64(n, 1) AS r1, sipHash64(n, 2) AS r2, sipHash64(n, 3) AS r3, sipHash64(n, 4) AS r4,
      toUInt32(${unsigned(Math.floor(persons))} * pow((r2 % 1000003) / 1000003, 2)) AS person,
      toDateTime64('2025-12-31 12:00:00', 3, 'UTC') + INTERVAL (r4 % 5184000) SECOND AS time
    FROM numbers(${unsigned(count)}))`;

const persons = (count: number): Sql => sql`
  INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at, is_deleted, version)
  SELECT 1, number + 1, generateUUIDv4(number),
    concat('{"email":"user-', toString(number), '@example.test","plan":"', ['free', 'pro', 'team'][1 + number % 3], '"}')::JSON,
    true, toDateTime64('2025-12-31 12:00:00', 3, 'UTC') + INTERVAL (sipHash64(number) % 5184000) SECOND, 0, 1
  FROM numbers(${unsigned(Math.ceil(count))})`;

const asReference = sql`
  INSERT INTO reference_events
  SELECT project_id, uuid, event, distinct_id, reinterpretAsUUID(MD5(toString(actor))), timestamp, toString(properties) FROM events`;
