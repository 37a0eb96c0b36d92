import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, type PoolClient } from 'pg';
import { GroupCommit } from '../../src/kernel/event-log/group-commit.js';
import { type LoggableEvent, loggable } from '../../src/kernel/event-log/event-log.js';
import { normalise } from '../../src/kernel/event-log/normalise/normalise.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let log: GroupCommit;
let pool: Pool;

beforeAll(async () => {
  service = await startTestService();
  log = service.app.get(GroupCommit);
  pool = service.app.get(Postgres).pool;
});
afterAll(() => service.stop());

const now = new Date('2025-03-01T10:00:00.000Z');

const event = (distinctId: string, set: object, uuid: string = randomUUID()): LoggableEvent => {
  const raw = { event: 'seen', distinct_id: distinctId, uuid, $set: set };
  const normalised = normalise(raw, { now, sentAt: null, index: 0, engage: false });
  if (!normalised.ok) throw new Error(normalised.rejection.detail);
  return loggable(normalised.event);
};

/** So many that the next group begins while this one's persons are being changed. */
const size = 500;

/** Every request has its say on the one person, and fills up with others. */
const requestsOn = (distinctId: string, count: number): LoggableEvent[][] =>
  Array.from({ length: count }, (_, number) => [
    event(distinctId, { last: number, [`of ${number}`]: true }),
    ...Array.from({ length: size - 1 }, (_, at) => event(`${distinctId}, other ${(number + at) % 700}`, { at })),
  ]);

/** PostgreSQL takes it into the log and refuses it on the person. */
const poison = (): LoggableEvent => {
  const harmless = event(randomUUID(), {});
  return { ...harmless, person: { ...harmless.person, set: { text: '\0' } } };
};

const addInTurn = async (requests: readonly LoggableEvent[][]) => {
  const answers: Promise<unknown>[] = [];
  for (const events of requests) {
    answers.push(log.add(service.project.id, events, now));
    // As requests arrive: some while a group is on its way.
    await sleep(5);
  }
  return Promise.allSettled(answers);
};

const personOf = async (distinctId: string) => {
  const { rows } = await pool.query<{ properties: Record<string, unknown> }>(
    `SELECT properties FROM persons p JOIN person_distinct_ids d ON d.project_id = p.project_id AND d.person_id = p.id
     WHERE d.project_id = $1 AND d.distinct_id = $2`,
    [service.project.id, distinctId],
  );
  return rows[0]?.properties ?? {};
};

const logged = async (uuids: readonly string[]) => {
  const { rows } = await pool.query('SELECT uuid FROM events WHERE project_id = $1 AND uuid = ANY ($2)', [
    service.project.id,
    uuids,
  ]);
  return rows.length;
};

describe('groups that follow each other closely', () => {
  it('change a person in the order in which they came, and lose no change', async () => {
    const requests = requestsOn('ada', 14);
    const answers = await addInTurn(requests);
    expect(answers).toEqual(requests.map(() => ({ status: 'fulfilled', value: { accepted: size, duplicates: 0 } })));
    const properties = await personOf('ada');
    expect(properties.last).toBe(13);
    expect(Object.keys(properties).filter((key) => key.startsWith('of '))).toHaveLength(14);
    expect(await logged(requests.flat().map(({ uuid }) => uuid))).toBe(14 * size);
  });

  it('count an event that two of them bring as new once', async () => {
    const requests = requestsOn('bob', 12);
    const twice = requests.map((events, at) => [...events, ...(requests[at - 1] ?? []).slice(0, 50)]);
    const answers = await addInTurn(twice);
    expect(answers).toEqual(
      twice.map((_, at) => ({ status: 'fulfilled', value: { accepted: size, duplicates: at === 0 ? 0 : 50 } })),
    );
    expect((await personOf('bob')).last).toBe(11);
  });

  it('keep the order when one of them fails on the way: only the poisoned request is refused, and leaves no trace', async () => {
    const requests = requestsOn('eve', 16);
    const poisoned = new Set([3, 8, 9, 13]);
    const sent = requests.map((events, at) => {
      const before = (requests[at - 1] ?? []).slice(0, 20);
      return poisoned.has(at) ? [...events, poison()] : [...events, ...(poisoned.has(at - 1) ? [] : before)];
    });
    const answers = await addInTurn(sent);
    answers.forEach(({ status }, at) =>
      expect([at, status]).toEqual([at, poisoned.has(at) ? 'rejected' : 'fulfilled']),
    );
    const properties = await personOf('eve');
    expect(properties.last).toBe(15);
    const spoken = Object.keys(properties).filter((key) => key.startsWith('of '));
    expect(spoken).toHaveLength(16 - poisoned.size);
    for (const at of poisoned) {
      expect(spoken).not.toContain(`of ${at}`);
      expect(await logged((requests[at] ?? []).map(({ uuid }) => uuid))).toBe(0);
    }
  });

  it('wait with their persons for the group before, however long another transaction holds that up', async () => {
    const [older, newer] = await twoRequestsOn('kim', 0);
    const { client, end } = await holding('zoe');
    const first = log.add(service.project.id, older, now);
    await untilSomebodyWaits(client);
    let overtook = false;
    const second = log.add(service.project.id, newer, now).then((verdict) => {
      overtook = true;
      return verdict;
    });
    await sleep(500);
    expect(overtook).toBe(false);
    await end();
    expect([await first, await second]).toEqual([
      { accepted: size, duplicates: 0 },
      { accepted: size, duplicates: 0 },
    ]);
    expect(await personOf('kim')).toMatchObject({ last: 1, 'of 0': true, 'of 1': true });
  });

  it('let the group before be repeated first when it lost against another transaction', async () => {
    const [older, newer] = await twoRequestsOn('uma', 50);
    const { client, end } = await holding('zoe');
    const first = log.add(service.project.id, older, now);
    await untilSomebodyWaits(client);
    const second = log.add(service.project.id, newer, now);
    await sleep(200);
    // Each now waits for the other, and the group is to be the one that notices.
    await client.query(`SET LOCAL deadlock_timeout = '30s'`);
    await client.query(
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
       VALUES ($1, $2, 'mine', 'x', $3, $3, '{}')`,
      [service.project.id, older[0]?.uuid, now],
    );
    await end();
    expect([await first, await second]).toEqual([
      { accepted: size, duplicates: 0 },
      { accepted: size - 50, duplicates: 50 },
    ]);
    expect(await personOf('uma')).toMatchObject({ last: 1, 'of 0': true, 'of 1': true });
    expect(await logged([...older, ...newer].map(({ uuid }) => uuid))).toBe(2 * size - 50);
  });
});

// There, a trigger of the coordinator sees no rows; test/citus/kills-of-nodes kills a node.
(process.env.TEST_CITUS_WORKERS ? it.skip : it)(
  'a node of Citus that is away fails the requests of its projects, and none of those that came with them',
  async () => {
    const { id: away } = await service.newProject();
    await pool.query(`CREATE FUNCTION be_away() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'connection to the remote node failed' USING ERRCODE = '08006'; END $$`);
    await pool.query(`CREATE TRIGGER away BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.project_id = ${away})
      EXECUTE FUNCTION be_away()`);
    const requests = [away, service.project.id, away, service.project.id];
    const answers = await Promise.allSettled(requests.map((id) => log.add(id, [event(randomUUID(), {})], now)));
    await pool.query('DROP FUNCTION be_away CASCADE');
    expect(answers).toEqual(
      requests.map((id) =>
        id === away
          ? { status: 'rejected', reason: expect.objectContaining({ code: '08006' }) }
          : { status: 'fulfilled', value: { accepted: 1, duplicates: 0 } },
      ),
    );
  },
);

/** The older one also speaks of zoe, whose person is locked before the other; the newer one may repeat some of the older. */
const twoRequestsOn = async (distinctId: string, repeated: number): Promise<[LoggableEvent[], LoggableEvent[]]> => {
  await log.add(service.project.id, [event('zoe', {})], now);
  await log.add(service.project.id, [event(distinctId, {})], now);
  const [older = [], newest = []] = requestsOn(distinctId, 2);
  // With others of its own: nothing but the order of groups shall hold it up.
  const newer = newest.map((each, at) => (at === 0 ? each : event(`${distinctId}, later ${at}`, { at })));
  return [
    [...older.slice(0, -1), event('zoe', { of: distinctId })],
    [...newer.slice(0, size - repeated), ...older.slice(100, 100 + repeated)],
  ];
};

/** Another transaction that has locked somebody's person. */
const holding = async (distinctId: string) => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(
    `SELECT 1 FROM persons p JOIN person_distinct_ids d ON d.project_id = p.project_id AND d.person_id = p.id
     WHERE d.project_id = $1 AND d.distinct_id = $2 FOR UPDATE OF p`,
    [service.project.id, distinctId],
  );
  const end = async () => {
    await client.query('ROLLBACK');
    client.release();
  };
  return { client, end };
};

const waitsForClient = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
/** The locks are those of connections between the nodes. */
const waitsForClientOnCitus = 'SELECT FROM citus_lock_waits WHERE blocking_gpid = citus_backend_gpid()';

const untilSomebodyWaits = async (client: PoolClient): Promise<void> => {
  const waits = process.env.TEST_CITUS_WORKERS ? waitsForClientOnCitus : waitsForClient;
  for (;;) {
    const { rows } = await client.query<{ waits: boolean }>(`SELECT EXISTS (${waits}) AS waits`);
    if (rows[0]?.waits) return;
    await sleep(20);
  }
};
