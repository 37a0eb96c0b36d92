import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { compile, instant, list, sql, text, unsigned } from '../../src/platform/clickhouse/sql.js';
import { Random } from '../fuzz/random.js';
import { askingScope, compiledQuestion } from './compiled-question.js';

let folder: string;
let clickhouse: ClickHouse;

interface SentEvent {
  readonly actor: number;
  readonly time: string;
  readonly page: string;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-sessions-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
  await migrateClickHouse(clickhouse, clickhouseMigrations);
});

afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

const insert = async (projectId: number, events: readonly SentEvent[]): Promise<void> => {
  const of = <T>(value: (event: SentEvent) => T): T[] => events.map(value);
  await clickhouse.command(sql`
    INSERT INTO events (project_id, uuid, event, distinct_id, actor, timestamp, received_at, properties, version)
    SELECT ${unsigned(projectId)}, generateUUIDv4(), '$pageview', toString(e.1), e.1, e.2, e.2,
      concat('{"$pathname":"', e.3, '"}'), 1
    FROM (SELECT arrayJoin(arrayZip(
      ${list(
        unsigned,
        of(({ actor }) => actor),
      )},
      ${list(
        instant,
        of(({ time }) => new Date(time)),
      )},
      ${list(
        text,
        of(({ page }) => page),
      )})) AS e)`);
};

const rowsOf = async (query: string, projectId: number, timezone = 'UTC'): Promise<readonly (readonly unknown[])[]> => {
  const project = { ...askingScope.project, id: projectId, timezone };
  const question = await compiledQuestion(query, { ...askingScope, project, projectId, overridden: false });
  const bytes = await clickhouse.bytes(sql`${question} FORMAT JSONCompactEachRow`, { project: 'system', timezone });
  const lines = bytes.toString().trim();
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as unknown[]);
};

/** How often the statement bounds the times of events. */
const boundsOf = async (query: string): Promise<number> =>
  compile(await compiledQuestion(query)).query.split(/e\.timestamp [<>]=/).length - 1;

describe('sessions within a bound', () => {
  /**
   * Ada: /a to /b with a pause of exactly 30 minutes, then one millisecond more, then a session over midnight of 2 March.
   * Bob: one event.
   */
  const events: readonly SentEvent[] = [
    { actor: 1, time: '2024-03-01T10:00:00.000Z', page: '/a' },
    { actor: 1, time: '2024-03-01T10:30:00.000Z', page: '/b' },
    { actor: 1, time: '2024-03-01T11:00:00.001Z', page: '/c' },
    { actor: 1, time: '2024-03-01T23:50:00.000Z', page: '/d' },
    { actor: 1, time: '2024-03-02T00:10:00.000Z', page: '/e' },
    { actor: 2, time: '2024-03-01T10:30:00.000Z', page: '/z' },
  ];
  beforeAll(() => insert(50, events));

  const questions: readonly (readonly [where: string, sessions: readonly string[]])[] = [
    // Ada's event of 10:30 begins no session, although it is the first one of those from 10:30 on.
    [`start >= '2024-03-01 10:30:00'`, ['/z', '/c', '/d-/e']],
    [`start > '2024-03-01 10:30:00'`, ['/c', '/d-/e']],
    [`start >= '2024-03-01 10:00:00'`, ['/a-/b', '/z', '/c', '/d-/e']],
    [`start >= '2024-03-02'`, []],
    [`'2024-03-01 11:00:00' <= start`, ['/c', '/d-/e']],
    [`start = '2024-03-01 10:30:00'`, ['/z']],
    [`start = toDateTime64('2024-03-01 11:00:00.001', 3)`, ['/c']],
    // The session that ends at 10:30 ends there only because no event follows within 30 minutes.
    [`end <= '2024-03-01 10:30:00'`, ['/a-/b', '/z']],
    [`end <= '2024-03-01 10:29:59'`, []],
    [`end < '2024-03-01 10:30:00'`, []],
    [`end <= '2024-03-02'`, ['/a-/b', '/z', '/c']],
    [`end <= '2024-03-01 23:55:00'`, ['/a-/b', '/z', '/c']],
    [`end = '2024-03-02 00:10:00'`, ['/d-/e']],
    // A session goes on after a bound on its start, and has started before a bound on its end.
    [`start <= '2024-03-01 10:00:00'`, ['/a-/b']],
    [`start < '2024-03-02'`, ['/a-/b', '/z', '/c', '/d-/e']],
    [`end >= '2024-03-02'`, ['/d-/e']],
    [`end > '2024-03-02 00:10:00'`, []],
    [`start between '2024-03-01 10:30:00' and '2024-03-01 11:00:01'`, ['/z', '/c']],
    [`end between '2024-03-01 10:30:00' and '2024-03-01 11:00:01'`, ['/a-/b', '/z', '/c']],
    [`start >= '2024-03-01 10:30:00' and end <= '2024-03-01 11:00:01'`, ['/z', '/c']],
    [`toDate(start) = '2024-03-01'`, ['/a-/b', '/z', '/c', '/d-/e']],
    [`toDate(end) = '2024-03-02'`, ['/d-/e']],
    [`toDate(end) <= '2024-03-01'`, ['/a-/b', '/z', '/c']],
    [`start >= '2024-03-01 10:30:00' or events = 2`, ['/a-/b', '/z', '/c', '/d-/e']],
    [`not (start >= '2024-03-01 10:30:00')`, ['/a-/b']],
    [`start >= toDateTime('2024-03-01 10:00:00') + interval 30 minute`, ['/z', '/c', '/d-/e']],
    [`start >= now() - interval 7 day`, ['/a-/b', '/z', '/c', '/d-/e']],
    [`start >= now()`, ['/d-/e']],
    [`start >= null`, []],
    // The ends of what can be stored.
    [`start >= '1900-01-01 00:00:00'`, ['/a-/b', '/z', '/c', '/d-/e']],
    [`start >= toDateTime('1970-01-01 00:00:00')`, ['/a-/b', '/z', '/c', '/d-/e']],
    [`end <= '2299-12-31 23:59:59'`, ['/a-/b', '/z', '/c', '/d-/e']],
    [`end <= toDateTime('2106-02-07 06:28:15')`, ['/a-/b', '/z', '/c', '/d-/e']],
  ];

  it.each(questions)('are whole: %s', async (where, sessions) => {
    const rows = await rowsOf(
      `select if(events = 1, entry_page, concat(entry_page, '-', exit_page)) as pages from sessions where ${where}
       order by start, person_id desc`,
      50,
    );
    expect(rows).toEqual(sessions.map((pages) => [pages]));
    expect(await rowsOf(`select count() from sessions where ${where}`, 50)).toEqual([[sessions.length]]);
  });

  /** A row of an outer join that finds no session is empty, not absent. */
  const joins: readonly (readonly [query: string, rows: readonly (readonly unknown[])[]])[] = [
    [`persons x left join sessions s on s.person_id = x.id where s.end <= '2024-03-01 09:00:00'`, [[7]]],
    [`sessions s right join persons x on s.person_id = x.id where s.end <= '2024-03-01 09:00:00'`, [[7]]],
    [`sessions s full join persons x on s.person_id = x.id where s.end <= '2024-03-01 09:00:00'`, [[7]]],
    [`persons x left join sessions s on s.person_id = x.id where s.end <= '2024-03-01 10:30:00'`, [[2], [7]]],
    [`sessions s left join persons x on s.person_id = x.id where s.start >= '2024-03-01 10:30:00'`, [[0], [0], [2]]],
    [`sessions s join persons x on s.person_id = x.id where s.start >= '2024-03-01 10:30:00'`, [[2]]],
    [`persons x join sessions s on s.person_id = x.id where s.start > '2024-03-01 10:30:00'`, []],
    [`persons x right join sessions s on s.person_id = x.id where s.start >= '2024-03-01 10:30:00'`, [[0], [0], [2]]],
    [`persons x cross join sessions s where s.end <= '2024-03-01 10:30:00'`, [[2], [2], [7], [7]]],
    [
      `persons x cross join sessions s left join sessions o on o.person_id = x.id and o.start > s.start
      where s.end <= '2024-03-01 10:30:00' and o.end <= '2024-03-01 10:00:00'`,
      [[2], [7], [7]],
    ],
  ];
  beforeAll(() =>
    clickhouse.command(sql`
      INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at, is_deleted, version, distinct_ids)
      SELECT 50, arrayJoin([2, 7]), generateUUIDv4(), '{}', true, toDateTime64('2024-01-01 00:00:00', 3, 'UTC'), 0, 1, []`),
  );

  it.each(joins)('are whole after %s', async (query, rows) => {
    expect(await rowsOf(`select x.id from ${query} order by x.id`, 50)).toEqual(rows);
  });
});

describe('a bound on sessions', () => {
  const counts: readonly (readonly [from: string, bounds: number])[] = [
    [`sessions where start >= '2024-03-01'`, 1],
    [`sessions where start < '2024-03-01'`, 0],
    [`sessions where end <= '2024-03-01'`, 1],
    [`sessions where end > '2024-03-01'`, 0],
    [`sessions where start >= '2024-03-01' and end < '2024-03-08'`, 2],
    [`sessions where start = '2024-03-01'`, 1],
    [`sessions s where toDate(s.start) = '2024-03-01'`, 1],
    [`sessions where start >= now() - interval 7 day`, 1],
    [`sessions where start >= dateTrunc('month', now())`, 1],
    [`sessions where start >= {since}`.replace('{since}', `'2024-03-01'`), 1],
    [`sessions where start >= end - interval 5 minute`, 0],
    [`sessions where start >= (select min(timestamp) from events)`, 0],
    [`sessions where start >= now() - interval (rand() % 7) day`, 0],
    [`sessions where start >= 1709251200`, 0],
    [`sessions where start >= '2024-03-01' or events > 5`, 0],
    [`(select * from sessions) where start >= '2024-03-01'`, 0],
    [`events e left join sessions s on s.person_id = e.person_id where s.start >= '2024-03-01'`, 0],
    [`events e join sessions s on s.person_id = e.person_id where s.start >= '2024-03-01'`, 1],
    [`events e join sessions s on s.person_id = e.person_id where e.timestamp >= '2024-03-01'`, 0],
  ];

  it.each(counts)('bounds the events where it can: %s', async (from, bounds) => {
    expect(await boundsOf(`select count() from ${from}`)).toBe(bounds);
  });

  it('of the SELECT around is that of an alias too', async () => {
    expect(await boundsOf(`select start as s from sessions where s >= '2024-03-01'`)).toBe(1);
    expect(await boundsOf(`select toStartOfHour(end) as start from sessions where start >= '2024-03-01'`)).toBe(0);
  });
});

/** Random events a little more, a little less and exactly 30 minutes apart, and random bounds at and around them. */
describe('random bounds on sessions', () => {
  const runs = Number(process.env.QUERIES ?? 0) > 1_000 ? 60 : 6;
  const gaps = [0, 1, 60_000, 1_799_999, 1_800_000, 1_800_001, 3_600_000, 3_600_001, 86_400_000];
  const near = [-1_800_001, -1_800_000, -1_799_999, -1, 0, 1, 1_799_999, 1_800_000, 1_800_001];

  const stream = (random: Random): readonly SentEvent[] => {
    const of = (actor: number): SentEvent[] => {
      let at = Date.parse('2024-03-10T05:00:00Z') + random.integer(0, 3) * 600_000;
      return Array.from({ length: random.integer(1, 14) }, (_, n) => {
        at += random.pick(gaps);
        return { actor, time: new Date(at).toISOString(), page: `/${actor}.${n}` };
      });
    };
    return [1, 2, 3].flatMap(of);
  };

  const conditionOf = (random: Random, events: readonly SentEvent[]): string => {
    const moment = (): string => {
      const at = Date.parse(random.pick(events).time) + random.pick(near);
      const time = new Date(at).toISOString().replace('T', ' ').replace('Z', '');
      return random.pick([
        `toDateTime64('${time}', 3, 'UTC')`,
        `toDateTime64('${time}', 3, 'UTC')`,
        `'${time}'`,
        `toDateTime('${time.slice(0, 19)}')`,
        `toDate('${time.slice(0, 10)}')`,
      ]);
    };
    const column = (): string => random.pick(['start', 'end', 'start', 'end', 'toDate(start)', 'toStartOfHour(end)']);
    const one = (): string => {
      const [of, than] = [column(), moment()];
      if (of !== 'start' && of !== 'end') {
        return `${of} ${random.pick(['=', '<=', '>='])} ${than.startsWith('toDate(') ? than : `'2024-03-10'`}`;
      }
      return random.pick([
        () => `${of} ${random.pick(['=', '<', '<=', '>', '>='])} ${than}`,
        () => `${of} ${random.pick(['>=', '<='])} ${than}`,
        () => `${than} ${random.pick(['<', '<=', '>', '>='])} ${of}`,
        () => `${of} between ${than} and ${moment()}`,
        () => `(${of} >= ${than} or events = 1)`,
        () => `not (${of} < ${than})`,
      ])();
    };
    return Array.from({ length: random.integer(1, 3) }, one).join(' and ');
  };

  const columns = `person_id as p, toUnixTimestamp64Milli(start) as a, toUnixTimestamp64Milli(end) as b, events as n, entry_page as x, exit_page as y`;

  it.each(Array.from({ length: runs }, (_, run) => [run]))(
    'answer as without reading less, run %d',
    async (run) => {
      const random = new Random(Number(process.env.SEED ?? 1), run);
      const projectId = 1_000 + run;
      const events = stream(random);
      await insert(projectId, events);
      const timezone = random.pick(['UTC', 'America/New_York', 'Europe/Berlin']);
      const sizes = new Set<number>();
      for (let n = 0; n < 25; n += 1) {
        const condition = conditionOf(random, events);
        const tail = `where ${condition} order by p, a`;
        const got = await rowsOf(`select ${columns} from sessions ${tail} limit 1000`, projectId, timezone);
        const expected = await rowsOf(
          `select ${columns} from (select * from sessions) ${tail} limit 1000`,
          projectId,
          timezone,
        );
        expect([condition, got]).toEqual([condition, expected]);
        sizes.add(got.length);
      }
      expect(sizes.size).toBeGreaterThan(1);
    },
    120_000,
  );
});
