import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loggable, writeEvents } from '../../../src/kernel/event-log/event-log.js';
import { normalise } from '../../../src/kernel/event-log/normalise/normalise.js';
import { sql, unsigned } from '../../../src/platform/clickhouse/sql.js';
import { members } from '../../support/identity-database.js';
import { Scene } from '../../support/projection-scene.js';

let scene: Scene;
let project: number;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());
beforeEach(async () => {
  project = await scene.newProject();
});

const now = new Date('2026-03-01T12:00:00.000Z');

const receive = (...sent: readonly object[]) =>
  scene.write((client) => {
    const events = sent.map((raw, index) => {
      const read = normalise(raw, { now, sentAt: null, index, engage: false });
      if (!read.ok) throw new Error(read.rejection.detail);
      return loggable(read.event);
    });
    return writeEvents(client, project, events, now, members);
  });

const uses = (groups: unknown, more: object = {}) => ({
  event: 'used',
  distinct_id: 'ada',
  properties: { $groups: groups },
  ...more,
});
const describes = (type: unknown, key: unknown, properties: object) => ({
  event: '$groupidentify',
  distinct_id: `$${String(type)}_${String(key)}`,
  properties: { $group_type: type, $group_key: key, ...properties },
});

interface StoredGroup {
  readonly type: string;
  readonly key: string;
  readonly properties: object;
  readonly created_at: Date;
}

const stored = async (): Promise<StoredGroup[]> => {
  const { rows } = await scene.pool.query<StoredGroup>(
    `SELECT t.name AS type, g.key, g.properties, g.created_at FROM groups AS g
     JOIN group_types AS t ON t.project_id = g.project_id AND t.group_type_index = g.group_type_index
     WHERE g.project_id = $1 ORDER BY g.group_type_index, g.key`,
    [project],
  );
  return rows;
};

const named = async () => (await stored()).map(({ type, key }) => `${type} ${key}`);

const warnings = async (): Promise<string[]> => {
  const { rows } = await scene.pool.query<{ type: string }>(
    'SELECT type FROM ingestion_warnings WHERE project_id = $1 ORDER BY id',
    [project],
  );
  return rows.map(({ type }) => type);
};

/** The events of each group, as ClickHouse has them. */
const projected = async () => {
  const rows = await scene.clickhouse.query<{ key: string; name: string; events: number }>(
    sql`SELECT g.key AS key, ifNull(g.properties.name::Nullable(String), '') AS name, count() AS events
      FROM (SELECT arrayJoin(mapValues(groups)) AS actor FROM events WHERE project_id = ${unsigned(project)}) AS e
      JOIN (SELECT actor, key, properties FROM groups FINAL WHERE project_id = ${unsigned(project)}) AS g ON g.actor = e.actor
      GROUP BY key, name ORDER BY key`,
    { project: 'system' },
  );
  return rows.map(({ key, name, events }) => `${key} ${name} ${events}`.replace('  ', ' '));
};

describe('a group', () => {
  it('is made by the first event that names it, with the time of that event', async () => {
    await receive(uses({ company: 'acme' }, { timestamp: '2026-02-01T00:00:00Z' }));
    await receive(uses({ company: 'acme', project: 7 }), uses({ company: 'acme' }));
    expect(await stored()).toEqual([
      { type: 'company', key: 'acme', properties: {}, created_at: new Date('2026-02-01T00:00:00Z') },
      { type: 'project', key: '7', properties: {}, created_at: now },
    ]);
    await scene.shipAll();
    expect(await projected()).toEqual(['7 1', 'acme 3']);
  });

  it('has the properties of its events, which change in the order of arrival', async () => {
    await receive(
      describes('company', 'acme', {
        $group_set: { name: 'Acme', seats: 3 },
        $group_set_once: { plan: 'free', seats: 1 },
      }),
      describes('company', 'acme', { $group_set: { seats: 4 }, $group_set_once: { plan: 'pro' } }),
      uses({ company: 'acme' }),
    );
    await receive(describes('company', 'acme', { $group_set: { name: 'ACME' }, $group_unset: ['plan', 'other'] }));
    expect(await stored()).toMatchObject([{ key: 'acme', properties: { name: 'ACME', seats: 4 } }]);
    await scene.shipAll();
    expect(await projected()).toEqual(['acme ACME 1']);
  });

  it('is not made by a repeated event, nor by an event that names it wrongly', async () => {
    const uuid = '01890000-0000-7000-8000-000000000001';
    await receive(uses({ company: 'acme' }, { uuid }));
    await scene.pool.query('DELETE FROM groups WHERE project_id = $1', [project]);
    await receive(uses({ company: 'acme' }, { uuid }));
    await receive(
      uses(['acme']),
      uses({ company: { name: 'acme' }, project: null, site: '' }),
      uses({ company: 'x'.repeat(401) }),
      describes('company', undefined, { $group_set: { name: 'Acme' } }),
    );
    expect(await named()).toEqual([]);
    expect(await warnings()).toEqual(Array.from({ length: 4 }, () => 'invalid_group'));
  });

  it('keeps its properties when operators have a wrong form, and a warning names the right one', async () => {
    await receive(
      describes('company', 'acme', { $group_set: { plan: 'pro' }, $group_set_once: null }),
      describes('company', 'acme', { $group_set: 'plan', $group_set_once: ['plan'], $group_unset: 'plan' }),
      describes('company', 'acme', { $group_set: { seats: 3 }, $group_unset: ['plan', 7] }),
    );
    expect(await stored()).toMatchObject([{ key: 'acme', properties: { seats: 3 } }]);
    const { rows } = await scene.pool.query<{ type: string; detail: string }>(
      'SELECT type, detail FROM ingestion_warnings WHERE project_id = $1 ORDER BY id',
      [project],
    );
    expect(rows.map(({ type, detail }) => [type, detail])).toEqual([
      ['invalid_group', '$group_set must be an object of properties'],
      ['invalid_group', '$group_set_once must be an object of properties'],
      ['invalid_group', '$group_unset must be a list of keys, which are texts'],
      ['invalid_group', '$group_unset must be a list of keys, which are texts'],
    ]);
  });

  it('has one of at most twenty types, which are numbered in the order they came', async () => {
    const types = Array.from({ length: 22 }, (_, at) => `type ${at}`);
    await receive(...types.map((type) => uses({ [type]: 'one' })));
    await receive(uses({ 'type 21': 'two', 'type 3': 'two' }));
    const { rows } = await scene.pool.query<{ name: string; at: number }>(
      'SELECT name, group_type_index AS at FROM group_types WHERE project_id = $1 ORDER BY group_type_index',
      [project],
    );
    expect(rows).toEqual(types.slice(0, 20).map((name, at) => ({ name, at })));
    expect(await named()).toContain('type 3 two');
    expect(await stored()).toHaveLength(21);
    expect(await warnings()).toEqual(['too_many_group_types', 'too_many_group_types', 'too_many_group_types']);
  });

  it('is the same one for writers at the same time, and loses none of their changes', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        receive(
          describes(`type ${at % 3}`, 'acme', { $group_set: { [`k${at}`]: at } }),
          uses({ company: `c${at % 5}` }),
        ),
      ),
    );
    const groups = await stored();
    expect(groups.filter(({ type }) => type === 'company')).toHaveLength(5);
    const others = groups.filter(({ type }) => type !== 'company');
    expect(others).toHaveLength(3);
    expect(Object.assign({}, ...others.map(({ properties }) => properties))).toEqual(
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`k${at}`, at])),
    );
  });

  it('has its events in a projection that was filled from the log', async () => {
    await receive(uses({ company: 'acme', ['__proto__']: 'odd' }), uses({ company: 'other' }));
    await scene.write(async (client) => {
      await client.query('DELETE FROM outbox WHERE project_id = $1', [project]);
      const { rows } = await client.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [project]);
      const groups = await client.query<{ actor: string }>('SELECT actor FROM groups WHERE project_id = $1', [project]);
      await scene.tell(client, project, { kind: 'events', refs: rows.map(({ uuid }) => uuid) });
      await scene.tell(client, project, { kind: 'groups', refs: groups.rows.map(({ actor }) => actor) });
    });
    await scene.shipAll();
    expect(await projected()).toEqual(['acme 1', 'odd 1', 'other 1']);
  });
});
