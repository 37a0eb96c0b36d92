import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startClickHouseServer, type ClickHouseServer } from '../../support/clickhouse/server.mjs';
import { until } from '../../support/until.js';
import { startHeavyWork } from '../../../src/platform/work/heavy-work.js';
import { ClickHouse, type QueryOptions } from '../../../src/platform/clickhouse/client.js';
import { Costs, type EndedStatement, type StatementWork } from '../../../src/platform/clickhouse/costs.js';
import { ClickHouseUnavailable, QueryTooExpensive } from '../../../src/platform/clickhouse/errors.js';
import {
  type Slot,
  boolean,
  day,
  identifier,
  instant,
  integer,
  join,
  list,
  real,
  sql,
  text,
  unsigned,
  uuid,
} from '../../../src/platform/clickhouse/sql.js';
import { table } from '../../../src/platform/clickhouse/schema/table.js';

const silent = { info: () => undefined };
const long = sql`SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) = 1`;
/** As long, but leaves the processors to the tests beside this one. */
const asleep = sql`SELECT sum(sleepEachRow(0.1)) AS n FROM numbers(10000) SETTINGS max_block_size = 1`;
const unlimitedRows = { maxRowsToRead: 10 ** 15 };
const hostile = [
  "'",
  '"',
  '\\',
  "\\'",
  '\0',
  '\t\n\r\b\f',
  '😀',
  '{x:String}',
  "'); DROP TABLE t --",
  '`',
  '\\N',
  '',
  'ü\u2028',
];

/** Counts how many of the works have ended. */
const counted = (works: readonly Promise<unknown>[]): { ended: number } => {
  const count = { ended: 0 };
  const add = () => (count.ended += 1);
  for (const work of works) void work.then(add, add);
  return count;
};

const timed = async <T>(work: Promise<T>): Promise<[Awaited<T> | Error, number]> => {
  const start = Date.now();
  const outcome = await work.catch((error: Error) => error);
  return [outcome, Date.now() - start];
};

describe.each(['embedded', 'over HTTP'])('ClickHouse %s', (form) => {
  let folder: string;
  let server: ClickHouseServer | null = null;
  let clickhouse: ClickHouse;

  const open = (embeddedPath = folder) =>
    ClickHouse.open(server ? { url: new URL('/client_spec', server.url), cluster: null } : { embeddedPath }, silent);
  /** An embedded engine holds its folder alone. */
  const openAnother = () => open(joinPath(folder, randomUUID()));
  const one = async (slot: Slot, options: Partial<QueryOptions> = {}) =>
    (await clickhouse.query<{ x: unknown }>(sql`SELECT ${slot} AS x`, { project: 'system', ...options }))[0]?.x;

  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'kohort-clickhouse-'));
    if (form === 'over HTTP') server = await startClickHouseServer({ path: folder, password: "p'w:%" });
    clickhouse = await open();
    await clickhouse.createDatabase();
  });

  afterAll(async () => {
    await clickhouse.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('gives back what was bound, for every type', async () => {
    expect(await one(integer(-5))).toBe(-5);
    expect(await one(sql`toString(${integer(-(2n ** 63n))})`)).toBe('-9223372036854775808');
    expect(await one(sql`toString(${unsigned(2n ** 64n - 1n)})`)).toBe('18446744073709551615');
    expect(await one(unsigned(2 ** 53 - 1))).toBe(2 ** 53 - 1);
    expect(await one(real(-1.5e-7))).toBe(-1.5e-7);
    expect(await one(boolean(true))).toBe(true);
    expect(await one(uuid('6f9619ff-8b86-d011-b42d-00cf4fc964ff'))).toBe('6f9619ff-8b86-d011-b42d-00cf4fc964ff');
    expect(await one(day('1969-02-28'))).toBe('1969-02-28');
    expect(await one(instant(new Date('1960-01-01T00:00:00.123Z')))).toBe('1960-01-01T00:00:00.123Z');
    expect(await one(list(integer, [1, -2n]))).toEqual([1, -2]);
    expect(await one(list(boolean, [true, false]))).toEqual([true, false]);
    expect(await one(list(uuid, []))).toEqual([]);
    expect(await one(list(instant, [new Date(0)]))).toEqual(['1970-01-01T00:00:00.000Z']);
  });

  it('takes hostile text as text: alone, in lists, in names', async () => {
    for (const value of hostile) {
      expect(await one(text(value))).toBe(value);
      if (value)
        expect(await clickhouse.query(sql`SELECT 1 AS ${identifier(value)}`, { project: 'system' })).toEqual([
          { [value]: 1 },
        ]);
    }
    expect(await one(list(text, hostile))).toEqual(hostile);
    const many = Array.from({ length: 20_000 }, (_, at) => `${at}${hostile[at % hostile.length]}`);
    expect(await one(sql`length(${list(text, many)})`)).toBe(20_000);
  });

  it('takes more and longer values than a server accepts as parameters, in questions and in changes', async () => {
    const uuids = Array.from(
      { length: 10_000 },
      (_, at) => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`,
    );
    expect(await one(sql`length(${list(uuid, uuids)})`)).toBe(10_000);
    const long = hostile.join('ü').repeat(2_000);
    expect(await one(sql`length(${text(long)})`)).toBe(Buffer.byteLength(long));
    const many = Array.from({ length: 1_500 }, (_, at) => text(`${at}${hostile[at % hostile.length]}`));
    expect(await one(sql`length(array(${join(many)}))`)).toBe(1_500);
    const numbers = Array.from({ length: 30_000 }, (_, at) => -at);
    const sums = sql`${list(integer, numbers)} AS numbers, arraySum(${list(
      real,
      numbers.map((n) => n + 0.5),
    )}) AS halves`;
    expect(
      await clickhouse.query(sql`SELECT arraySum(numbers) AS sum, halves FROM (SELECT ${sums})`, { project: 'system' }),
    ).toEqual([{ sum: -449_985_000, halves: -449_970_000 }]);
    await clickhouse.command(sql`CREATE TABLE ids (id UUID) ENGINE = MergeTree ORDER BY id`);
    await clickhouse.insert(
      'ids',
      uuids.map((id) => ({ id })),
    );
    await clickhouse.command(sql`DELETE FROM ids WHERE id IN (${list(uuid, uuids.slice(1, 9_000))})`);
    await clickhouse.insertSelected(
      sql`INSERT INTO ids SELECT arrayJoin(${list(uuid, uuids.slice(0, 5_000))}) SETTINGS max_partitions_per_insert_block = 0`,
      { project: 'system' },
    );
    expect(
      await clickhouse.query(sql`SELECT count() AS n, uniqExact(id) AS ids FROM ids`, { project: 'system' }),
    ).toEqual([{ n: 6_001, ids: 6_000 }]);
  });

  it('runs a statement under its own limits and not under those of the one before', async () => {
    const inForce = () =>
      clickhouse.query<{ name: string; value: string }>(
        sql`SELECT name, value FROM system.settings WHERE changed AND name NOT IN ('log_comment') ORDER BY name`,
        { project: 'system', short: true },
      );
    const before = await inForce();
    const strict = { timeoutMs: 900, maxMemoryBytes: 50_000_000, maxRowsToRead: 10, maxResultRows: 1 };
    for (let round = 0; round < 4; round += 1) await one(text('secret'), strict);
    expect(await inForce()).toEqual(before);
    expect(await clickhouse.query(sql`SELECT number FROM numbers(100)`, { project: 'system' })).toHaveLength(100);
  });

  it('does not show a statement the values of the one before', async () => {
    await clickhouse.query(sql`SELECT ${text('a')}, ${text('secret')}`, { project: 'system' });
    const peek = clickhouse.query(sql`SELECT {p2:String} AS x`, { project: 'system' }).catch(String);
    expect(JSON.stringify(await peek)).not.toContain('secret');
  });

  it('lets no question write or lift its own fence', async () => {
    await expect(
      clickhouse.query(sql`CREATE TABLE x (a Int32) ENGINE = Memory`, { project: 'system' }),
    ).rejects.toThrow(/readonly/i);
    await expect(clickhouse.query(sql`SELECT 1 SETTINGS readonly = 0`, { project: 'system' })).rejects.toThrow(
      /readonly/i,
    );
  });

  it.each([
    ['time', asleep, { timeoutMs: 300 }],
    ['memory', sql`SELECT groupArray(number) AS x FROM numbers(50000000)`, { maxMemoryBytes: 20_000_000 }],
    ['rows', sql`SELECT count() FROM numbers(1000000)`, { maxRowsToRead: 1000 }],
    ['rows', sql`SELECT number FROM numbers(1000000)`, { maxResultRows: 1000 }],
  ] as const)(
    'says that a question is too expensive in %s, and is well afterwards',
    async (reason, question, limits) => {
      const [error] = await timed(clickhouse.query(question, { project: 'system', ...limits }));
      expect(error).toBeInstanceOf(QueryTooExpensive);
      expect(error).toMatchObject({ reason });
      expect(await one(integer(1))).toBe(1);
    },
  );

  it('counts what each statement took, also of one that waits without a processor, or is stopped at its limit', async () => {
    const project = { id: 77 };
    const costOf = (work: StatementWork) => clickhouse.costs.byOwner.get(project.id)?.get(work);
    for (const rows of [1000, 10])
      await clickhouse.query(sql`SELECT sum(number) FROM numbers(${integer(rows)})`, { project });
    expect(costOf('question')).toEqual({ statements: 2, cpuMs: expect.any(Number), readRows: 1010, readBytes: 8080 });
    // It takes 2.5 s.
    const idle = sql`SELECT sum(sleepEachRow(0.1)) AS n FROM numbers(25) SETTINGS max_block_size = 1`;
    await clickhouse.query(idle, { project, work: 'export' });
    expect(costOf('export')).toMatchObject({ statements: 1, readRows: 25 });
    expect(costOf('export')?.cpuMs).toBeLessThan(1_000);
    // On a busy machine a statement may get little done before its limit, and the engine may not say in time what it took.
    await until(
      async () => {
        await timed(clickhouse.query(long, { project, ...unlimitedRows, timeoutMs: 1_500, work: 'calculation' }));
        const { readRows = 0, cpuMs = 0 } = costOf('calculation') ?? {};
        return readRows > 100_000 && cpuMs > 100;
      },
      { withinMs: 60_000 },
    );
  });

  it('writes a line about a slow statement: what it took, and how it ended, without its values', () => {
    const lines: object[] = [];
    const slow = new Costs({ info: () => undefined, warn: (line: object) => lines.push(line) }, 1_000);
    const record = (ended: Partial<EndedStatement>) =>
      slow.record({
        ...{
          owner: 1,
          work: 'question',
          text: () => 'SELECT\n  {p1:String}',
          waitedMs: 0,
          ranMs: 999,
          isStopped: false,
        },
        ...{ headers: null, taken: null, error: null },
        ...ended,
      });
    record({});
    record({ owner: 'system', ranMs: 5_000 });
    expect(lines).toEqual([]);
    record({ waitedMs: 1 });
    const taken = { elapsedMs: 1_000, cpuMs: 1_500, readRows: 10, readBytes: 80, peakMemoryBytes: 4_096 };
    record({ ranMs: 2_000, taken, error: new QueryTooExpensive('memory') });
    record({ ranMs: 2_000, error: new Error('left'), isStopped: true });
    const line = { project: 1, work: 'question', statement: 'SELECT {p1:String}', waited_ms: 0 };
    const unread = { read_rows: 0, read_bytes: 0, peak_memory_bytes: null };
    expect(lines).toEqual([
      { ...line, ...unread, waited_ms: 1, ran_ms: 999, cpu_ms: 999, ended: 'answered' },
      {
        ...{ ...line, ran_ms: 2_000, cpu_ms: 3_000, read_rows: 20, read_bytes: 160, peak_memory_bytes: 4_096 },
        ended: 'limit of memory',
      },
      { ...line, ...unread, ran_ms: 2_000, cpu_ms: 2_000, ended: 'stopped' },
    ]);
  });

  it('says that the computer is too busy for a question that others keep from the processors', async () => {
    // Processes of one session share its part of the processors.
    const detached = { detached: true };
    const others = Array.from({ length: 4 * availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], detached),
    );
    try {
      const [error] = await timed(clickhouse.query(long, { project: 'system', ...unlimitedRows, timeoutMs: 3_000 }));
      expect(error).toBeInstanceOf(ClickHouseUnavailable);
      expect(error).toMatchObject({ detail: 'The computer is too busy to answer the question in time: try again' });
    } finally {
      for (const other of others) other.kill('SIGKILL');
    }
  });

  it('leaves a mistake in a statement a mistake', async () => {
    const [error] = await timed(clickhouse.query(sql`SELECT nothing_like_this`, { project: 'system' }));
    expect(error).toMatchObject({ code: '47' });
    expect(error).not.toBeInstanceOf(ClickHouseUnavailable);
  });

  it('answers a short look-up beside more long questions than there are connections', async () => {
    const left = new AbortController();
    const questions = Array.from({ length: 10 }, () =>
      timed(clickhouse.query(long, { project: 'system', ...unlimitedRows, timeoutMs: 60_000, signal: left.signal })),
    );
    await sleep(150);
    const count = counted(questions);
    for (let look = 0; look < 5; look += 1) expect(await one(text('x'), { short: true })).toBe('x');
    expect(count.ended).toBe(0);
    left.abort(new Error('the caller left'));
    for (const [outcome] of await Promise.all(questions)) expect(outcome).toMatchObject({ message: 'the caller left' });
  });

  it('lets an aborting caller go at once and stops the engine soon after', async () => {
    const callers = Array.from({ length: 8 }, () => new AbortController());
    const answers = callers.map(({ signal }) =>
      timed(clickhouse.query(long, { project: 'system', ...unlimitedRows, timeoutMs: 20_000, signal })),
    );
    await sleep(300);
    const start = Date.now();
    const count = counted(answers);
    for (const caller of callers) caller.abort(new Error('the caller left'));
    // No answer of the engine is read within one turn of the event loop.
    await yieldToEventLoop();
    expect(count.ended).toBe(callers.length);
    const outcomes = await Promise.all(answers);
    for (const [outcome] of outcomes) expect(outcome).toMatchObject({ message: 'the caller left' });
    const stillRunning = () =>
      clickhouse.query(
        sql`SELECT 1 FROM system.processes WHERE query LIKE ${text('%sipHash64%= 1%')} AND query NOT LIKE ${text('%processes%')}`,
        { project: 'system' },
      );
    while ((await stillRunning()).length > 0) await sleep(50);
    // Long before their limit.
    expect(Date.now() - start).toBeLessThan(15_000);
    expect(await one(integer(1))).toBe(1);
  });

  it('answers one project while another has fifty long questions waiting, and refuses no question of the first', async () => {
    const left = new AbortController();
    const flood = Array.from({ length: 50 }, () =>
      timed(clickhouse.query(long, { project: { id: 1, signal: left.signal }, ...unlimitedRows, timeoutMs: 60_000 })),
    );
    await sleep(1_200);
    const count = counted(flood);
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await clickhouse.query(sql`SELECT 1 AS x`, { project: { id: 2 } })).toEqual([{ x: 1 }]);
    expect(count.ended).toBe(0);
    left.abort(new Error('the client left'));
    for (const [outcome] of await Promise.all(flood)) expect(outcome).toMatchObject({ message: 'the client left' });
  });

  it('begins a long question of a project again with less of the machine once another project is active', async () => {
    const slow = sql`
      SELECT getSetting('max_block_size') AS block, sum(sleepEachRow(0.2)) AS slept FROM numbers(8) GROUP BY block`;
    const fresh = await openAnother();
    const ask = () => timed(fresh.query<{ block: number }>(slow, { project: { id: 1 } }));
    const [alone] = await ask();
    const beside = ask();
    await sleep(100);
    await fresh.query(sql`SELECT 1 AS x`, { project: { id: 2 } });
    const [crowded, ms] = await beside;
    // A second is over half of this limit: begun again, the question could not end in time.
    const [nearItsEnd] = await timed(
      fresh.query(
        sql`SELECT getSetting('max_block_size') AS block, sum(sleepEachRow(0.2)) FROM numbers(6) GROUP BY block`,
        { project: { id: 3 }, timeoutMs: 1_990 },
      ),
    );
    await fresh.close();
    expect(nearItsEnd).toMatchObject([{ block: 65_409 }]);
    const whole = 65_409;
    expect(alone).toMatchObject([{ block: whole }]);
    // An engine on a machine of its own takes nothing from the service, and is left alone.
    expect(crowded).toMatchObject([{ block: form === 'embedded' ? 2_048 : whole }]);
    // One second until it is stopped, and the whole question once more.
    expect(ms).toBeGreaterThan(form === 'embedded' ? 2_600 : 1_600);
  });

  const isEmbedded = form === 'embedded' ? it : it.skip;
  isEmbedded(
    'waits with a heavy question for other heavy work of its project, and starts nothing for a client that has left',
    async () => {
      const fresh = await openAnother();
      const slow = sql`SELECT sum(sleepEachRow(0.2)) AS slept FROM numbers(10)`;
      await fresh.query(slow, { project: { id: 1 } });
      await fresh.query(sql`SELECT 1 AS x`, { project: { id: 2 } });
      const endTurn = await startHeavyWork(1, { waitMs: 0 });
      const left = new AbortController();
      const abandoned = timed(fresh.query(sql`SELECT 1 AS x`, { project: { id: 1, signal: left.signal } }));
      await sleep(100);
      left.abort(new Error('the client left'));
      const waited = timed(fresh.query(sql`SELECT 2 AS x`, { project: { id: 1 } }));
      await sleep(300);
      endTurn();
      expect((await abandoned)[0]).toMatchObject({ message: 'the client left' });
      const [answer, ms] = await waited;
      expect(answer).toEqual([{ x: 2 }]);
      expect(ms).toBeGreaterThan(280);
      const again = await startHeavyWork(1, { waitMs: 10_000 });
      again();
      await fresh.close();
    },
  );

  it('refuses at once what a project asks beyond its queue, and after ten to twelve seconds what still waits', async () => {
    // Where no other project was active a moment ago.
    const fresh = await openAnother();
    const left = new AbortController();
    const ask = () => timed(fresh.query(asleep, { project: { id: 3, signal: left.signal }, timeoutMs: 25_000 }));
    const flood = Array.from({ length: 80 }, ask);
    const [refused, ms] = await (flood.at(-1) as (typeof flood)[number]);
    expect(refused).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(ms).toBeLessThan(1_000);
    await sleep(13_000);
    left.abort(new Error('the client left'));
    const outcomes = await Promise.all(flood);
    const waited = outcomes.filter(([outcome, took]) => outcome instanceof ClickHouseUnavailable && took > 9_000);
    expect(waited).toHaveLength(64);
    expect(outcomes.filter(([outcome]) => !(outcome instanceof ClickHouseUnavailable)).length).toBeLessThanOrEqual(3);
    await fresh.close();
  });

  isEmbedded('starts the engine with few threads to delete files, and with bounds for its caches', async () => {
    const settings = await clickhouse.query<{ name: string; value: string }>(
      sql`SELECT name, value FROM system.server_settings
        WHERE name IN ('max_parts_cleaning_thread_pool_size', 'mark_cache_size', 'compiled_expression_cache_size') ORDER BY name`,
      { project: 'system' },
    );
    expect(settings.map(({ name, value }) => [name, Number(value)])).toEqual([
      ['compiled_expression_cache_size', 16 * 1024 ** 2],
      ['mark_cache_size', 128 * 1024 ** 2],
      ['max_parts_cleaning_thread_pool_size', 2],
    ]);
  });

  it('keeps a question embedded in the process below two gigabytes', async () => {
    const [row] = await clickhouse.query<{ bytes: number }>(
      sql`SELECT toUInt64(getSetting('max_memory_usage')) AS bytes`,
      { project: { id: 1 } },
    );
    if (form === 'embedded') expect(row?.bytes).toBeLessThan(2 * 1024 ** 3);
    expect(row?.bytes).toBeGreaterThanOrEqual(512 * 1024 ** 2);
  });

  it('does not start what was aborted before', async () => {
    const [error] = await timed(one(integer(1), { signal: AbortSignal.abort(new Error('never mind')) }));
    expect(error).toMatchObject({ message: 'never mind' });
  });

  describe('inserts', () => {
    const rows = hostile.map((label, id) => ({
      id,
      label,
      at: new Date(1e12 + id),
      properties: { 'a.b': label, c: { d: id } },
    }));
    const count = async () =>
      (await clickhouse.query<{ n: number }>(sql`SELECT count() AS n FROM things`, { project: 'system' }))[0]?.n;

    beforeAll(async () => {
      const [create] = table(clickhouse.form, {
        name: 'things',
        columns: sql`id UInt64, label String, at DateTime64(3, 'UTC'), properties JSON`,
        engine: 'MergeTree',
        orderBy: sql`id`,
        shardBy: sql`id`,
      });
      await clickhouse.command(create as NonNullable<typeof create>);
    });

    it('keeps text, instants and dotted keys as they are', async () => {
      await clickhouse.insert('things', rows);
      const stored = await clickhouse.query(sql`SELECT * FROM things ORDER BY id`, { project: 'system' });
      expect(stored).toEqual(JSON.parse(JSON.stringify(rows)));
      const byKey = sql`SELECT getSubcolumn(properties, ${text('a%2Eb')})::Nullable(String) AS x FROM things ORDER BY id`;
      expect((await clickhouse.query<{ x: string }>(byKey, { project: 'system' })).map(({ x }) => x)).toEqual(hostile);
    });

    it('counts the same token once, another token or none anew', async () => {
      const before = (await count()) ?? 0;
      const batch = rows.slice(0, 3);
      for (const deduplicationToken of ["ship'ment\\1", "ship'ment\\1", 'shipment 2']) {
        await clickhouse.insert('things', batch, { deduplicationToken });
      }
      expect(await count()).toBe(before + 6);
      await clickhouse.insert('things', batch);
      await clickhouse.insert('things', batch);
      expect(await count()).toBe(before + 12);
    });

    it('carries a large batch', async () => {
      const before = (await count()) ?? 0;
      await clickhouse.insert(
        'things',
        Array.from({ length: 20_000 }, (_, id) => ({ ...rows[0], id, label: 'x'.repeat(200) })),
      );
      expect(await count()).toBe(before + 20_000);
    });

    it('is not held up by questions', async () => {
      const questions = Array.from({ length: 10 }, () =>
        timed(clickhouse.query(long, { project: 'system', ...unlimitedRows, timeoutMs: 1_000 })),
      );
      await sleep(100);
      const [outcome, ms] = await timed(clickhouse.insert('things', rows));
      expect(outcome).toBeUndefined();
      expect(ms).toBeLessThan(800);
      await Promise.all(questions);
    });

    it('refuses a column the table does not have', async () => {
      await expect(clickhouse.insert('things', [{ id: 1, oops: 1 }])).rejects.toMatchObject({ code: '117' });
    });
  });

  it('opens several at once, and closes while a question runs', async () => {
    const both = await Promise.all([openAnother(), openAnother()]);
    const running = timed(both[0].query(asleep, { project: 'system', timeoutMs: 600 }));
    await sleep(100);
    await Promise.all(both.map((client) => client.close()));
    const [outcome] = await running;
    expect(outcome).toBeInstanceOf(QueryTooExpensive);
    await expect(both[1].query(sql`SELECT 1`, { project: 'system' })).rejects.toThrow(ClickHouseUnavailable);
    expect(await both[1].ping(500)).toBe(false);
    expect(await clickhouse.ping(1_000)).toBe(true);
    expect(await one(integer(1))).toBe(1);
  });
});
