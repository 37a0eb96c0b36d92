import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeletionRequestDto } from '../../src/deletions/deletion-request.dto.js';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { DeletionRecorder } from '../../src/kernel/deletions/deletion-recorder.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { ClickHouseUnavailable } from '../../src/platform/clickhouse/errors.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { eventsTable } from '../../src/kernel/projection/schema/projected-tables.js';
import { table, type SchemaForm } from '../../src/platform/clickhouse/schema/table.js';
import { removeWhere } from '../../src/platform/clickhouse/remove-where.js';
import { type Sql, sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { startClickHouseCluster, type ClickHouseCluster } from '../support/clickhouse/cluster.mjs';
import { deletePersonWithEvents } from '../support/deletions.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const silent = { info: () => undefined };
const system = { project: 'system' } as const;

let cluster: ClickHouseCluster;
let service: TestService;
let clickhouse: ClickHouse;
let project: ProjectDto;

/** One shard, of which the second replica receives removals and no rows: the first one answers questions. */
beforeAll(async () => {
  cluster = await startClickHouseCluster();
  service = await startTestService({
    CLICKHOUSE_URL: new URL('/replicas', cluster.url).href,
    CLICKHOUSE_CLUSTER: cluster.pair,
    PROJECTION_WAIT_MS: '5000',
  });
  clickhouse = service.app.get(ClickHouse);
});
afterAll(async () => {
  await service.stop();
  await cluster.close();
});
beforeEach(async () => {
  project = await service.newProject();
});

/** A server that was just started may be slow to answer. */
const openReplica = async (at: number): Promise<ClickHouse> => {
  const url = new URL('/replicas', cluster.urlOf(at));
  for (let tries = 1; ; tries += 1)
    try {
      return await ClickHouse.open({ url, cluster: null }, silent);
    } catch (error) {
      if (tries === 20 || !(error instanceof ClickHouseUnavailable)) throw error;
      await sleep(500);
    }
};

/** On one server alone. */
const ofReplica = async <T>(at: number, work: (replica: ClickHouse) => Promise<T>): Promise<T> => {
  const replica = await openReplica(at);
  try {
    return await work(replica);
  } finally {
    await replica.close();
  }
};

const capture = async (...distinctIds: string[]): Promise<void> => {
  const batch = distinctIds.map((distinct_id) => ({ event: 'seen', distinct_id }));
  const body = JSON.stringify({ api_key: project.api_token, batch });
  expect((await fetch(`${service.url}/batch`, { method: 'POST', body })).status).toBe(200);
};

const remove = (distinctId: string) =>
  deletePersonWithEvents(service.app.get(DeletionRecorder), service.app.get(Postgres).pool, project.id, distinctId);

const receipt = async (id: string): Promise<DeletionRequestDto> =>
  (await service.call('GET', `/api/projects/${project.id}/deletion_requests/${id}`)).body as DeletionRequestDto;

/** Of the project, in the answer of the first replica and in the table of the second. */
const counts = async (): Promise<number[]> => {
  const question = (table: Sql) => sql`SELECT count() AS n FROM ${table} WHERE project_id = ${unsigned(project.id)}`;
  const [answer] = await clickhouse.query<{ n: number }>(question(sql`events`), system);
  const [second] = await ofReplica(1, (replica) => replica.query<{ n: number }>(question(sql`events_local`), system));
  return [answer?.n ?? NaN, second?.n ?? NaN];
};

const copyToSecond = async (): Promise<void> => {
  const rows = await clickhouse.query<object>(
    sql`SELECT * FROM events WHERE project_id = ${unsigned(project.id)}`,
    system,
  );
  await ofReplica(1, (replica) => replica.insert('events_local', rows));
};

const shipped = (events: number) => until(async () => (await counts())[0] === events);

describe('a statement on a cluster', () => {
  const settings = sql`concat(toString(getSetting('insert_quorum')), ' ', toString(getSetting('insert_quorum_parallel')),
    ' ', toString(getSetting('select_sequential_consistency')), ' ', toString(getSetting('apply_mutations_on_fly')))`;

  beforeAll(async () => {
    for (const at of [0, 1])
      await ofReplica(at, async (replica) => {
        await replica.command(sql`CREATE TABLE seen_local (a Int8, settings String DEFAULT ${settings})
          ENGINE = MergeTree ORDER BY a`);
        await replica.command(sql`CREATE TABLE seen (a Int8) ENGINE = Distributed(pair, replicas, seen_local)`);
        await replica.command(sql`CREATE VIEW questions_local AS SELECT ${settings} AS settings`);
        await replica.command(sql`CREATE TABLE questions (settings String)
          ENGINE = Distributed(pair, replicas, questions_local)`);
        await replica.command(sql`CREATE TABLE gate (a Int8) ENGINE = MergeTree ORDER BY a`);
        await replica.command(sql`CREATE TABLE gated (a Int8) ENGINE = MergeTree ORDER BY a`);
        await replica.command(sql`CREATE TABLE passed (a UInt8) ENGINE = MergeTree ORDER BY a`);
        await replica.command(sql`CREATE MATERIALIZED VIEW guard TO passed AS
          SELECT throwIf(a NOT IN (SELECT a FROM gate), 'another insert waits', 286::Int32) AS a FROM gated`);
      });
  });

  it('goes to most replicas, and is answered by one that has all: the server of a shard knows it from the first', async () => {
    await clickhouse.insert('seen', [{ a: 1 }]);
    await clickhouse.insertSelected(sql`INSERT INTO seen SELECT 2`, system);
    const inserted = sql`SELECT a, settings FROM seen_local ORDER BY a`;
    expect(await ofReplica(0, (replica) => replica.query(inserted, system))).toEqual([
      { a: 1, settings: 'auto false 1 true' },
      { a: 2, settings: 'auto false 1 true' },
    ]);
    expect(await clickhouse.query(sql`SELECT settings FROM questions`, system)).toEqual([
      { settings: 'auto false 1 true' },
    ]);
  });

  it('has settings that one of a single server does not have', async () => {
    const changed = sql`SELECT name FROM system.settings WHERE changed AND name IN ('insert_quorum', 'insert_quorum_parallel',
      'insert_quorum_timeout', 'select_sequential_consistency', 'lightweight_deletes_sync', 'apply_mutations_on_fly')`;
    expect(await ofReplica(0, (replica) => replica.query(changed, system))).toEqual([]);
    expect(await clickhouse.query(changed, system)).toHaveLength(6);
  });

  const open = async () => {
    await sleep(500);
    for (const at of [0, 1]) await ofReplica(at, (replica) => replica.insert('gate', [{ a: 1 }]));
  };

  it('is repeated while its replica lacks the newest rows, or another insert waits for its quorum', async () => {
    const question = sql`SELECT throwIf(count() = 0, 'behind', 289::Int32) AS behind FROM gate`;
    const both = Promise.all([clickhouse.query(question, system), clickhouse.insert('gated', [{ a: 1 }]), open()]);
    expect((await both)[0]).toEqual([{ behind: 0 }]);
  });

  it('is an outage when that does not pass', async () => {
    const never = sql`SELECT throwIf(1, 'behind', 289::Int32)`;
    await expect(clickhouse.query(never, system)).rejects.toThrow(ClickHouseUnavailable);
    await expect(clickhouse.insert('gated', [{ a: 2 }])).rejects.toThrow(ClickHouseUnavailable);
  });
});

describe('a table that a server which is away may have', () => {
  it('is not created, because its next replica would begin another one', async () => {
    const later = {
      version: clickhouseMigrations.length + 1,
      name: 'later',
      statements: (form: SchemaForm) => table(form, { ...eventsTable, name: 'later' }),
    };
    await cluster.stop(1);
    await expect(migrateClickHouse(clickhouse, [...clickhouseMigrations, later])).rejects.toThrow(
      ClickHouseUnavailable,
    );
    await cluster.run(1);
    const created = sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'later')`;
    for (const at of [0, 1]) expect(await ofReplica(at, (replica) => replica.query(created, system))).toEqual([]);
  });
});

describe('a removal', () => {
  const ofProject = () => sql`project_id = ${unsigned(project.id)}`;

  /** The cluster, except that its removals are lost. */
  const withoutRemovals = () =>
    new Proxy(clickhouse, {
      get: (target, name) => {
        if (name === 'remove') return () => Promise.resolve();
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });

  it('waits for the shard, and fails when that still has the rows', async () => {
    await capture('ada');
    await shipped(1);
    const removal = removeWhere(withoutRemovals(), 'events', ofProject(), 300);
    await expect(removal).rejects.toThrow(ClickHouseUnavailable);
    let done = false;
    const waiting = removeWhere(withoutRemovals(), 'events', ofProject()).then(() => (done = true));
    await sleep(400);
    expect(done).toBe(false);
    await removeWhere(clickhouse, 'events', ofProject());
    await waiting;
  });

  it('does not wait for a replica that is away, and rows that this has are not there for a question', async () => {
    await capture('ada', 'bob');
    await shipped(2);
    await copyToSecond();
    await cluster.stop(1);
    await removeWhere(clickhouse, 'events', sql`${ofProject()} AND distinct_id = 'ada'`);
    await capture('carl');
    const answer = sql`SELECT distinct_id FROM events WHERE ${ofProject()} ORDER BY distinct_id`;
    const ids = async () =>
      (await clickhouse.query<{ distinct_id: string }>(answer, system)).map((row) => row.distinct_id);
    await until(async () => (await ids()).join() === 'bob,carl');
    await cluster.run(1);
    expect(await counts()).toEqual([2, 2]);
  });
});

describe('the receipt of a deletion', () => {
  let running: Promise<unknown> | null = null;
  const begin = () => {
    running = service.app.get(DeletionsJob).run();
  };
  afterEach(async () => {
    await running;
    running = null;
  });

  it('is not verified before every replica has answered', async () => {
    await capture('ada');
    await shipped(1);
    const { request } = await remove('ada');
    await cluster.stop(1);
    begin();
    await until(async () => (await receipt(request)).error !== null);
    expect(await counts().catch(() => [])).toEqual([]);
    const open = await receipt(request);
    expect([open.state, open.verified_at, open.events_deleted]).toEqual(['running', null, 1]);
    await cluster.run(1);
    await running;
    const done = await receipt(request);
    expect([done.state, done.events_left, done.error]).toEqual(['done', 0, null]);
    expect(done.verified_at).not.toBeNull();
  });

  it('is not verified while a replica has an event that all others have removed', async () => {
    await capture('ada', 'ada', 'bob');
    await shipped(3);
    await copyToSecond();
    const { request } = await remove('ada');
    await cluster.stop(1);
    begin();
    await until(async () => (await receipt(request)).error !== null);
    expect((await receipt(request)).verified_at).toBeNull();
    await cluster.run(1);
    await running;
    const done = await receipt(request);
    expect([done.state, done.events_left, done.events_deleted]).toEqual(['done', 0, 2]);
    expect(await counts()).toEqual([1, 1]);
  });
});
