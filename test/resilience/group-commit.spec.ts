import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { GroupCommit } from '../../src/events/ingest/group-commit.js';
import { normalise, type NormalisedEvent } from '../../src/events/normalise/normalise.js';
import { pgPool } from '../../src/stores/postgres/pool.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let log: GroupCommit;
let pool: Pool;

beforeAll(async () => {
  service = await startTestService();
  log = service.app.get(GroupCommit);
  pool = pgPool(service.app.get<DataSource>(getDataSourceToken()));
});
afterAll(() => service.stop());

const now = new Date('2025-03-01T10:00:00.000Z');

const event = (distinctId: string, set: object, uuid: string = randomUUID()): NormalisedEvent => {
  const raw = { event: 'seen', distinct_id: distinctId, uuid, $set: set };
  const normalised = normalise(raw, { now, sentAt: null, index: 0, engage: false });
  if (!normalised.ok) throw new Error(normalised.rejection.detail);
  return normalised.event;
};

/** So many that the next group begins while this one's persons are being changed. */
const size = 500;

/** Every request has its say on the one person, and fills up with others. */
const requestsOn = (distinctId: string, count: number): NormalisedEvent[][] =>
  Array.from({ length: count }, (_, number) => [
    event(distinctId, { last: number, [`of ${number}`]: true }),
    ...Array.from({ length: size - 1 }, (_, at) => event(`${distinctId}, other ${(number + at) % 700}`, { at })),
  ]);

/** PostgreSQL takes it into the log and refuses it on the person. */
const poison = (): NormalisedEvent => {
  const harmless = event(randomUUID(), {});
  return { ...harmless, person: { ...harmless.person, set: { text: '\0' } } };
};

const addInTurn = async (requests: readonly NormalisedEvent[][]) => {
  const answers: Promise<unknown>[] = [];
  for (const events of requests) {
    answers.push(log.add(service.project.id, events, now));
    // As requests arrive: some while a group is on its way.
    await new Promise((resolve) => setTimeout(resolve, 5));
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
  }, 60_000);

  it('count an event that two of them bring as new once', async () => {
    const requests = requestsOn('bob', 12);
    const twice = requests.map((events, at) => [...events, ...(requests[at - 1] ?? []).slice(0, 50)]);
    const answers = await addInTurn(twice);
    expect(answers).toEqual(
      twice.map((_, at) => ({ status: 'fulfilled', value: { accepted: size, duplicates: at === 0 ? 0 : 50 } })),
    );
    expect((await personOf('bob')).last).toBe(11);
  }, 60_000);

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
  }, 60_000);

  it('repeats what lost against another transaction before the group behind it, which knows the same events', async () => {
    const requests = requestsOn('kim', 12);
    await log.add(service.project.id, [event('kim', {})], now);
    await log.add(service.project.id, [event('zoe', {})], now);
    const sent = requests.map((events, at) => [...events, ...(requests[at - 1] ?? []).slice(1, 100)]);
    const adding = addInTurn(sent.map((events) => [...events, event('zoe', { n: events.length })]));
    await quarrel(adding);
    for (const answer of await adding) expect(answer.status).toBe('fulfilled');
    const properties = await personOf('kim');
    expect(properties.last).toBe(11);
    expect(Object.keys(properties).filter((key) => key.startsWith('of '))).toHaveLength(12);
  }, 60_000);
});

/** Locks the two persons in the other order again and again, so that PostgreSQL has to end one of both. */
const quarrel = async (until: Promise<unknown>): Promise<void> => {
  let ended = false;
  void until.then(() => (ended = true));
  const lock = `SELECT 1 FROM persons p JOIN person_distinct_ids d ON d.project_id = p.project_id AND d.person_id = p.id
    WHERE d.project_id = $1 AND d.distinct_id = $2 FOR UPDATE OF p`;
  while (!ended) {
    const client = await pool.connect();
    try {
      await client.query(`BEGIN`);
      // The others are to notice the deadlock.
      await client.query(`SET LOCAL deadlock_timeout = '20s'`);
      await client.query(lock, [service.project.id, 'zoe']);
      await new Promise((resolve) => setTimeout(resolve, 30));
      await client.query(lock, [service.project.id, 'kim']);
      await client.query('COMMIT');
    } catch {
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
