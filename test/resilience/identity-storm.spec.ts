import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IdentityEvent } from '../../src/kernel/identity/identity-event.js';
import { personUuid } from '../../src/kernel/identity/person-ref.js';
import { RetryTransaction, mayBeRepeated } from '../../src/platform/postgres/transaction.js';
import { IdentityDatabase } from '../support/identity-database.js';
import { event, identify, merging } from '../support/identity-events.js';
import { sampleOf } from '../support/sample.js';

const CONNECTIONS = 24;

let database: IdentityDatabase;

beforeEach(async () => {
  database = await IdentityDatabase.open(CONNECTIONS);
});
afterEach(() => database.remove());

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** The same storm every time. */
const dice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

const expectWholePersons = async (): Promise<void> => {
  const persons = await database.persons();
  expect(persons.filter(({ ids }) => ids.length === 0)).toEqual([]);
};

describe('many transactions at once', () => {
  it('lose none of 64 properties set on one person at the same time, known or new', async () => {
    await database.receive([event('known')]);
    const writers = times(64, (at) => [
      event('known', { set: { [`k${at}`]: at } }),
      event('new', { set: { [`k${at}`]: at } }),
    ]);
    await Promise.all(writers.map((events, at) => database.receive(at % 2 ? events : events.reverse())));
    const all = Object.fromEntries(times(64, (at) => [`k${at}`, at]));
    expect((await database.person('known')).properties).toEqual(all);
    expect((await database.person('new')).properties).toEqual(all);
    await expectWholePersons();
  });

  it('make each new id one person, in whatever order they meet it', async () => {
    const roll = dice(1);
    const ids = times(60, (at) => `id${at}`);
    const groups = times(60, () => times(30, () => event(ids[roll(ids.length)] ?? '')));
    await Promise.all(groups.map((events) => database.receive(events)));
    const persons = await database.persons();
    expect(persons.map(({ ids: own }) => own)).toEqual(persons.map(({ ids: own }) => [own[0]]));
    const seen = new Set(groups.flat().map(({ distinctId }) => distinctId));
    expect(persons.map(({ uuid }) => uuid).sort()).toEqual(
      [...seen].map((id) => personUuid(database.projectId, id)).sort(),
    );
    expect(database.repeated).toBe(0);
  });

  it.each(sampleOf([1, 2, 3], 3))(
    'merge, identify and set over the same ids without losing anything (storm %i)',
    async (seed) => {
      await auditChanges();
      const groups = mergeStorm(seed);
      await Promise.all(groups.map((events) => database.receive(events)));
      await expectWholePersons();
      const owners = new Map((await database.persons()).flatMap((person) => person.ids.map((id) => [id, person])));
      for (const { distinctId, merge, person } of groups.flat()) {
        expect(owners.get(distinctId)?.properties).toMatchObject(person.set);
        if (merge) expect(owners.has(merge.otherDistinctId)).toBe(true);
        if (merge?.kind === 'merge_dangerously') {
          expect(owners.get(merge.otherDistinctId)).toBe(owners.get(distinctId));
        }
      }
      await expectOutboxToTellAllChanges();
    },
  );

  it('stay right while persons are deleted', async () => {
    const groups = mergeStorm(4);
    const deleting = times(30, async (at) => {
      await sleep(at * 10);
      await database.pool.query(
        'DELETE FROM persons WHERE project_id = $1 AND id = (SELECT min(id) FROM persons WHERE project_id = $1)',
        [database.projectId],
      );
    });
    await Promise.all([...groups.map((events) => database.receive(events)), ...deleting]);
    await expectWholePersons();
  });
});

/** Every event sets a key of its own, so that no later one may hide it. */
const mergeStorm = (seed: number): IdentityEvent[][] => {
  const roll = dice(seed);
  const id = () => `id${roll(40)}`;
  const one = (): IdentityEvent => {
    const [own, other, set] = [id(), id(), { [`k${roll(1e9)}`]: 1 }];
    const kind = (['identify', 'alias', 'merge_dangerously'] as const)[roll(12)];
    return kind === undefined || own === other ? event(own, { set }) : merging(kind, own, other, { set });
  };
  return times(300, () => times(1 + roll(8), one));
};

const AUDIT = `
  CREATE TABLE audit (xid xid8 DEFAULT pg_current_xact_id(), kind text, key text, op text);
  CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO audit (kind, key, op) VALUES (TG_ARGV[0], coalesce(to_jsonb(NEW), to_jsonb(OLD)) ->> TG_ARGV[1], TG_OP);
    RETURN NULL;
  END $$;
  CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON persons
    FOR EACH ROW EXECUTE FUNCTION audit('persons', 'id');
  CREATE TRIGGER audit AFTER INSERT OR UPDATE ON person_redirects
    FOR EACH ROW EXECUTE FUNCTION audit('redirects', 'source');
  CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON person_distinct_ids
    FOR EACH ROW EXECUTE FUNCTION audit('distinct_ids', 'distinct_id')`;

const auditChanges = () => database.pool.query(AUDIT);

/** Compared transaction by transaction: what a transaction made and removed again itself is nobody's business. */
const expectOutboxToTellAllChanges = async (): Promise<void> => {
  const { rows: differing } = await database.pool.query(`
    WITH changed AS (
      SELECT xid::xid AS xid, kind, key FROM audit GROUP BY 1, 2, 3
      HAVING CASE kind WHEN 'persons' THEN NOT (bool_or(op = 'INSERT') AND bool_or(op = 'DELETE'))
        WHEN 'distinct_ids' THEN bool_or(op = 'UPDATE') AND NOT bool_or(op = 'INSERT') ELSE true END
    ), announced AS (
      SELECT xmin AS xid, kind, jsonb_array_elements_text(refs) AS key FROM outbox
    )
    SELECT 'not announced' AS wrong, kind, key FROM (SELECT * FROM changed EXCEPT ALL SELECT * FROM announced) AS missing
    UNION ALL
    SELECT 'announced', kind, key FROM (SELECT * FROM announced EXCEPT ALL SELECT * FROM changed) AS surplus`);
  expect(differing).toEqual([]);
  const { rows } = await database.pool.query<{ kind: string; changes: number }>(
    'SELECT kind, sum(size)::integer AS changes FROM outbox GROUP BY kind ORDER BY kind',
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['distinct_ids', 'persons', 'redirects']);
};

describe('two transactions that meet', () => {
  it('ask for a repetition when a person was merged away while the other waited for it', async () => {
    await database.receive([event('ada'), event('anon')]);
    const [winner, loser] = [await database.pool.connect(), await database.pool.connect()];
    try {
      await winner.query('BEGIN');
      await loser.query('BEGIN');
      await database.receiveIn(winner, [identify('ada', 'anon')]);
      const waiting = database
        .receiveIn(loser, [event('anon', { set: { plan: 'pro' } })])
        .catch((error: unknown) => error);
      await someoneWaits();
      await winner.query('COMMIT');
      const error = await waiting;
      expect(error).toBeInstanceOf(RetryTransaction);
      expect(mayBeRepeated(error)).toBe(true);
    } finally {
      await loser.query('ROLLBACK');
      winner.release();
      loser.release();
    }
  });

  /** The later one has to wait for the earlier, and must not need a second attempt. */
  const meet = async (earlier: IdentityEvent[], later: IdentityEvent[]): Promise<void> => {
    await database.transaction(async (client) => {
      await database.receiveIn(client, earlier);
      waiting = database.receive(later);
      await someoneWaits();
    });
    await waiting;
    expect(database.repeated).toBe(0);
  };
  let waiting: Promise<unknown>;

  it.each([
    ['takes over', event('ada', { setOnce: { plan: 'free' } }), ['ada']],
    ['merges', identify('bob', 'ada', { setOnce: { plan: 'free' } }), ['ada', 'bob']],
  ])('need no repetition when the later one %s the person the earlier has just made', async (_, later, ids) => {
    await meet([event('ada', { set: { plan: 'pro' } })], [later]);
    expect(await database.persons()).toMatchObject([{ ids, properties: { plan: 'pro' } }]);
  });

  it('need no repetition when the later one merges what the earlier has changed into a new person', async () => {
    await database.receive([event('anon', { set: { city: 'Ulm' } })]);
    const earlier = event('anon', { set: { plan: 'pro' }, unset: ['city'] });
    await meet([earlier], [event('ada'), identify('ada', 'anon')]);
    expect(await database.persons()).toMatchObject([{ ids: ['anon', 'ada'], is_identified: true }]);
    expect((await database.person('ada')).properties).toEqual({ plan: 'pro' });
  });
});

const someoneWaits = async (): Promise<void> => {
  for (;;) {
    const { rows } = await database.pool.query<{ waiting: boolean }>(
      `SELECT count(*) > 0 AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows[0]?.waiting) return;
    await sleep(5);
  }
};
