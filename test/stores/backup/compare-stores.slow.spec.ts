import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { merging } from '../../support/identity-events.js';
import { members } from '../../support/identity-database.js';
import { Scene } from '../../support/projection-scene.js';
import { loggable, writeEvents } from '../../../src/kernel/event-log/event-log.js';
import { normalise } from '../../../src/kernel/event-log/normalise/normalise.js';
import { applyIdentity } from '../../../src/kernel/identity/apply-identity.js';
import { integer, sql, text, unsigned, uuid } from '../../../src/platform/clickhouse/sql.js';
import {
  compareStores,
  type StoreComparison,
  type ComparisonOptions,
  type Difference,
} from '../../../src/operations/backup/comparison/compare-stores.js';

let scene: Scene;
let project: number;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  project = await scene.newProject();
});
afterEach(async () => {
  await scene.pool.query('DELETE FROM leases');
});

const compare = (options: ComparisonOptions = {}): Promise<StoreComparison> =>
  compareStores(scene, { project, attempts: 2, pauseMs: 10, waitMs: 200, ...options });

const figures = (differences: readonly Difference[]) =>
  differences
    .filter((difference) => difference.project === project)
    .map(({ kind, day, cohort, postgres, clickhouse }) => [kind, day ?? cohort, postgres, clickhouse]);

const receive = (...sent: { distinctId: string; event: string; timestamp: Date; properties: object }[]) =>
  scene.write((client) => {
    const events = sent.map(({ distinctId: distinct_id, ...raw }, index) => {
      const read = normalise(
        { ...raw, distinct_id, timestamp: raw.timestamp.toISOString() },
        { now: raw.timestamp, sentAt: null, index, engage: false },
      );
      if (!read.ok) throw new Error(read.rejection.detail);
      return loggable(read.event);
    });
    return writeEvents(client, project, events, at('2026-02-05'), members);
  });

const at = (day: string, hour = 12): Date => new Date(`${day}T${String(hour).padStart(2, '0')}:00:00.000Z`);

/** Three events of two days, one of them without a person, and a static cohort of one member. */
const small = async (): Promise<{ uuids: string[]; ada: string }> => {
  const ada = await scene.addPerson(project, ['ada'], { plan: 'pro' });
  await scene.pool.query(`UPDATE persons SET created_at = '2026-02-01T12:00:00Z' WHERE project_id = $1`, [project]);
  const uuids = await scene.addEvents(project, [
    { distinctId: 'ada', event: 'bought', timestamp: at('2026-02-03') },
    { distinctId: 'ada', event: 'bought', timestamp: at('2026-02-03', 23) },
    { distinctId: 'guest', event: 'bought', timestamp: at('2026-02-04', 0) },
  ]);
  await scene.pool.query(
    `INSERT INTO cohorts (project_id, id, name, description, groups, is_static, deleted, is_calculating, pending_version,
       attempted_version, errors_calculating, created_at, updated_at)
     VALUES ($1, 7, 'List', '', '[]', true, false, false, 0, 0, 0, now(), now())`,
    [project],
  );
  await scene.write(async (client) => {
    await client.query(
      'INSERT INTO static_cohort_members (project_id, cohort_id, person_id, added_at) VALUES ($1, 7, $2, now())',
      [project, ada],
    );
    await scene.tell(client, project, { kind: 'static_cohorts', refs: [`7:${ada}`] });
  });
  await scene.shipAll();
  return { uuids, ada };
};

describe('the comparison of both stores', () => {
  it('finds no difference after merges, a deletion and events without persons, of every storable day', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await scene.addPerson(project, [`d${n}`, `e${n}`], { n }));
    await scene.addEvents(
      project,
      Array.from({ length: 300 }, (_, n) => ({
        distinctId: `${n % 2 ? 'd' : 'guest | ü'}${n % 8}`,
        event: n % 3 ? 'bought | twice' : '🙂',
        timestamp: new Date(Date.UTC(1890 + 2 * n, 0, 1, 0, 0, 0, n)),
      })),
    );
    await scene.shipAll();
    await scene.giveDistinctIds(project, ['d1', 'guest | ü2'], ids[0] ?? '');
    await scene.write((client) => scene.tell(client, project, { kind: 'persons', refs: ids }));
    await scene.deletePerson(project, ids[3] ?? '');
    const byHand = ['d4', 'guest | ü6'].map((other) => merging('merge_dangerously', 'd2', other));
    await scene.postgres.transaction((client) =>
      applyIdentity(client, project, byHand, new Date(), { members, inLog: false }),
    );
    await scene.shipAll();
    const compared = await compare();
    expect(compared).toMatchObject({ differences: [], waiting: [] });
    expect(compared.events).toBeGreaterThanOrEqual(300);
  });

  it('counts what it has compared', async () => {
    const before = await compare();
    await small();
    const after = await compare();
    expect(after).toMatchObject({ differences: [], waiting: [] });
    expect([
      after.events - before.events,
      after.persons - before.persons,
      after.staticMembers - before.staticMembers,
    ]).toEqual([3, 1, 1]);
  });

  it('finds groups that one store lacks, or that are another one there', async () => {
    const describing = (key: string, day: number) => ({
      distinctId: 'ada',
      event: '$groupidentify',
      timestamp: at(`2026-02-0${day}`),
      properties: { $group_type: 'company', $group_key: key, $group_set: { name: 'Ü | 🙂' } },
    });
    await receive(describing('acme | 1', 3), describing('beta', 4), describing('beta', 5));
    await scene.shipAll();
    expect(await compare()).toMatchObject({ differences: [], waiting: [], groups: 2 });
    await scene.clickhouse.command(
      sql`ALTER TABLE groups DELETE WHERE key = ${text('beta')} SETTINGS mutations_sync = 2`,
    );
    expect(figures((await compare()).differences)).toEqual([['groups', '2026-02-04', 1, 0]]);
    await scene.pool.query(`UPDATE groups SET key = 'other' WHERE project_id = $1 AND key = 'acme | 1'`, [project]);
    expect(figures((await compare()).differences)).toEqual([
      ['groups', '2026-02-03', 1, 1],
      ['groups', '2026-02-04', 1, 0],
    ]);
  });

  it('names the day of an event that ClickHouse lacks', async () => {
    const { uuids } = await small();
    await scene.clickhouse.command(sql`DELETE FROM events WHERE uuid = ${uuid(uuids[1] ?? '')}`);
    const { differences } = await compare();
    expect(figures(differences)).toEqual([['events', '2026-02-03', 2, 1]]);
    expect(differences[0]?.postgresHash).not.toBe(differences[0]?.clickhouseHash);
  });

  it('names the day of an event that ClickHouse has twice', async () => {
    const { uuids } = await small();
    await scene.clickhouse.command(sql`INSERT INTO events SELECT * FROM events WHERE uuid = ${uuid(uuids[2] ?? '')}`);
    expect(figures((await compare()).differences)).toEqual([['events', '2026-02-04', 1, 2]]);
  });

  it('notices an event that PostgreSQL has no longer', async () => {
    const { uuids } = await small();
    await scene.pool.query('DELETE FROM events WHERE project_id = $1 AND uuid = $2', [project, uuids[2]]);
    expect(figures((await compare()).differences)).toEqual([['events', '2026-02-04', 0, 1]]);
  });

  it.each([
    ['another name', `event = 'sold'`],
    ['another time of the same day', `timestamp = timestamp + interval '1 millisecond'`],
    ['another distinct id', `distinct_id = 'adb'`],
  ])('notices equal numbers with %s', async (_, change) => {
    const { uuids } = await small();
    await scene.pool.query(`UPDATE events SET ${change} WHERE project_id = $1 AND uuid = $2`, [project, uuids[0]]);
    expect(figures((await compare()).differences)).toEqual([['events', '2026-02-03', 2, 2]]);
  });

  it('notices events that belong to another person in ClickHouse', async () => {
    const { ada } = await small();
    await scene.pool.query(
      `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id) VALUES ($1, 'guest', $2)`,
      [project, ada],
    );
    expect(figures((await compare()).differences)).toEqual([
      ['events', '2026-02-04', 1, 1],
      ['persons', '2026-02-01', 1, 1],
    ]);
  });

  it('notices persons that differ, and persons that one store lacks', async () => {
    const { ada } = await small();
    await scene.pool.query('UPDATE persons SET is_identified = false WHERE project_id = $1', [project]);
    expect(figures((await compare()).differences)).toEqual([['persons', '2026-02-01', 1, 1]]);
    await scene.pool.query('UPDATE persons SET is_identified = true WHERE project_id = $1', [project]);
    expect(figures((await compare()).differences)).toEqual([]);
    await scene.clickhouse.command(sql`DELETE FROM persons WHERE id = ${integer(BigInt(ada))}`);
    const found = figures((await compare()).differences);
    expect(found).toContainEqual(['persons', '2026-02-01', 1, 0]);
  });

  it('notices a member of a static cohort that ClickHouse lacks, and one that it has too many', async () => {
    const { ada } = await small();
    await scene.clickhouse.command(sql`DELETE FROM cohort_members WHERE project_id = ${unsigned(project)}`);
    expect(figures((await compare()).differences)).toEqual([['static cohort', 7, 1, 0]]);
    await scene.pool.query('DELETE FROM static_cohort_members WHERE project_id = $1', [project]);
    expect(figures((await compare()).differences)).toEqual([]);
    await scene.clickhouse.command(
      sql`INSERT INTO cohort_members SELECT ${unsigned(project)}, 7, 1, ${integer(BigInt(ada))}`,
    );
    expect(figures((await compare()).differences)).toEqual([['static cohort', 7, 0, 1]]);
  });

  it('notices rows of a project that PostgreSQL does not know', async () => {
    await scene.clickhouse.command(
      sql`INSERT INTO events (project_id, uuid, event, distinct_id, actor, timestamp, received_at, properties, version)
        SELECT 4000000, generateUUIDv4(), ${text('x')}, ${text('x')}, 1, toDateTime64('2026-02-03 00:00:00', 3, 'UTC'),
          toDateTime64('2026-02-03 00:00:00', 3, 'UTC'), '{}', 1`,
    );
    const { differences } = await compare({ project: undefined });
    expect(differences).toContainEqual(expect.objectContaining({ project: 4_000_000, postgres: 0, clickhouse: 1 }));
    await scene.clickhouse.command(sql`DELETE FROM events WHERE project_id = 4000000`);
  });

  it('reports changes that are not shipped, and does not call them differences', async () => {
    await small();
    await scene.addEvents(project, [{ distinctId: 'ada', timestamp: at('2026-02-03') }]);
    const { differences, waiting } = await compare();
    expect(figures(differences)).toEqual([]);
    expect(waiting).toEqual([{ project, changes: 1 }]);
    await scene.shipAll();
    expect((await compare()).waiting).toEqual([]);
  });

  it('does not take for a difference what is equal when it is read again', async () => {
    const { uuids } = await small();
    await scene.pool.query(`UPDATE events SET event = 'late' WHERE project_id = $1 AND uuid = $2`, [project, uuids[0]]);
    const comparing = compare({ pauseMs: 3_000 });
    setTimeout(() => {
      void scene.pool.query(`UPDATE events SET event = 'bought' WHERE project_id = $1 AND uuid = $2`, [
        project,
        uuids[0],
      ]);
    }, 1_500);
    expect(figures((await comparing).differences)).toEqual([]);
  });
});
