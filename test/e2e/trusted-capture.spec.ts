import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type NewKey, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { until } from '../support/until.js';

let service: ServiceHandle;
let project: ProjectDto;

const settings = {
  protected_person_properties: ['plan', 'a.b'],
  protected_group_properties: ['seats'],
  protected_merges: true,
};

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
  const { body } = await service.call('PATCH', `/api/projects/${project.id}`, { body: settings });
  expect(body).toMatchObject(settings);
});

const keyFor = async (key: NewKey = {}): Promise<string> => (await service.newKey(key)).text;

const capture = async (batch: readonly object[], key: string | null = null, headers: Record<string, string> = {}) => {
  const answer = await service.call('POST', '/batch', { key, body: { api_key: project.api_token, batch }, headers });
  return { status: answer.status, body: answer.body as { accepted: number; detail: string; warnings?: object[] } };
};

const at = { timestamp: '2026-03-01T10:00:00Z' };
const set = (distinct_id: string, properties: object) => ({ ...at, event: '$set', distinct_id, properties });
const identify = (distinct_id: string) => ({ ...at, event: '$identify', distinct_id });

const personOf = async (distinctId: string) => {
  const { rows } = await service.pool.query<{ id: string; properties: Record<string, unknown> }>(
    `SELECT p.id, p.properties FROM persons p JOIN person_distinct_ids d ON (d.project_id, d.person_id) = (p.project_id, p.id)
     WHERE d.project_id = $1 AND d.distinct_id = $2`,
    [project.id, distinctId],
  );
  return rows[0];
};

const groupOf = async (key: string): Promise<unknown> => {
  const { rows } = await service.pool.query<{ properties: unknown }>(
    'SELECT properties FROM groups WHERE project_id = $1 AND key = $2',
    [project.id, key],
  );
  return rows[0]?.properties;
};

const loggedProperties = async (): Promise<object[]> => {
  const { body } = await service.call('GET', `/api/projects/${project.id}/events`, { query: { limit: 100 } });
  return (body as { results: { properties: object }[] }).results.map(({ properties }) => properties).reverse();
};

const typesOfWarnings = async (): Promise<string[]> => {
  const { body } = await service.call('GET', `/api/projects/${project.id}/ingestion_warnings`);
  return (body as { results: { type: string }[] }).results.map(({ type }) => type).sort();
};

const describeGroup = (more: object) => ({
  ...at,
  event: '$groupidentify',
  distinct_id: 'job',
  properties: { $group_type: 'company', $group_key: 'acme', ...more },
});

describe('the project token alone', () => {
  it('changes no protected property, and the event stays with the rest and a verdict', async () => {
    const answer = await capture([
      {
        ...set('ada', { $set: { plan: 'pro', name: 'Ada' }, $set_once: { 'a.b': 1 }, own: 1 }),
        $set: { plan: 'free' },
      },
    ]);
    expect(answer.body).toMatchObject({
      accepted: 1,
      warnings: [
        {
          index: 0,
          type: 'cannot_change_protected_property',
          detail: 'only a secret key may change "plan", "a.b" in this project: ignored',
        },
      ],
    });
    expect((await personOf('ada'))?.properties).toEqual({ name: 'Ada' });
    // An undo replays the log, so the log has only what took effect.
    expect(await loggedProperties()).toEqual([{ $set: { name: 'Ada' }, $set_once: {}, own: 1 }]);
    expect(await typesOfWarnings()).toEqual(['cannot_change_protected_property']);
  });

  it('removes none either, by a list or by an object', async () => {
    const key = await keyFor({ scopes: ['person:write'] });
    await capture([set('ada', { $set: { plan: 'pro', 'a.b': 1, name: 'Ada' } })], key);
    await capture([set('ada', { $unset: ['plan', 'name'] }), set('ada', { $unset: { 'a.b': true } })]);
    expect((await personOf('ada'))?.properties).toEqual({ plan: 'pro', 'a.b': 1 });
  });

  it('changes no protected property of a group', async () => {
    const key = await keyFor({ scopes: ['group:write'] });
    await capture([describeGroup({ $group_set: { seats: 5 } })], key);
    await capture([
      describeGroup({ $group_set: { seats: 500, name: 'Acme' } }),
      describeGroup({ $group_set_once: { seats: 1 }, $group_unset: ['seats'] }),
    ]);
    expect(await groupOf('acme')).toEqual({ seats: 5, name: 'Acme' });
  });

  it('merges an anonymous person, and no identified one', async () => {
    await capture([identify('ada'), identify('bob'), set('visitor', {})]);
    const merge = (event: string, properties: object) => ({ ...at, event, distinct_id: 'ada', properties });
    const { body } = await capture([
      merge('$identify', { $anon_distinct_id: 'visitor' }),
      merge('$identify', { $anon_distinct_id: 'bob' }),
      merge('$create_alias', { alias: 'bob' }),
      merge('$merge_dangerously', { alias: 'bob' }),
    ]);
    expect(body).toMatchObject({ accepted: 4, warnings: [{ index: 3, type: 'cannot_merge_with_token' }] });
    const [ada, bob, visitor] = await Promise.all(['ada', 'bob', 'visitor'].map(personOf));
    expect([visitor?.id, bob?.id === ada?.id]).toEqual([ada?.id, false]);
  });

  it('holds for messages of Segment, for /engage, and for an event in the address', async () => {
    const { api_token: token } = project;
    const send = (path: string, body: object) => service.call('POST', path, { key: null, body });
    await send('/v1/identify', { writeKey: token, userId: 'lin', traits: { plan: 'pro', name: 'Lin' } });
    await send('/v1/group', { writeKey: token, userId: 'lin', groupId: 'acme', traits: { seats: 9 } });
    await send('/engage', { api_key: token, distinct_id: 'eve', $set: { plan: 'pro', name: 'Eve' } });
    const data = JSON.stringify({ api_key: token, ...set('kim', { $set: { plan: 'pro', name: 'Kim' } }) });
    await service.call('GET', '/e', { key: null, query: { data } });
    const found = await Promise.all(['lin', 'eve', 'kim'].map(personOf));
    expect(found.map((person) => person?.properties)).toEqual([{ name: 'Lin' }, { name: 'Eve' }, { name: 'Kim' }]);
    expect(await groupOf('acme')).toEqual({});
  });
});

describe('a secret key beside the token', () => {
  it('changes what its scopes say, and merges', async () => {
    const key = await keyFor({ scopes: ['person:write'], projectIds: [project.id] });
    const { body } = await capture(
      [
        set('ada', { $set: { plan: 'pro' } }),
        identify('ada'),
        identify('bob'),
        { ...at, event: '$merge_dangerously', distinct_id: 'ada', properties: { alias: 'bob' } },
        describeGroup({ $group_set: { seats: 5, name: 'Acme' } }),
      ],
      key,
    );
    expect(body).toMatchObject({ accepted: 5, warnings: [{ index: 4, type: 'cannot_change_protected_property' }] });
    expect(await personOf('bob')).toEqual(await personOf('ada'));
    expect((await personOf('bob'))?.properties).toEqual({ plan: 'pro' });
    expect(await groupOf('acme')).toEqual({ name: 'Acme' });
  });

  it('is refused where it does not count, and nothing is stored', async () => {
    const [lessened, elsewhere] = [
      await keyFor({ scopes: ['event:write'] }),
      await keyFor({ projectIds: [service.project.id] }),
    ];
    const expired = await keyFor({ expiresAt: new Date('2026-03-01T00:00:00Z') });
    const one = [set('ada', { $set: { plan: 'pro' } })];
    expect(await capture(one, lessened)).toMatchObject({
      status: 403,
      body: { detail: 'The API key lacks the scope person:write or group:write' },
    });
    expect(await capture(one, elsewhere)).toMatchObject({
      status: 403,
      body: { detail: 'The API key does not open the project of the project token' },
    });
    for (const unknown of [expired, `${lessened.slice(0, -1)}!`, 'phx_'])
      expect(await capture(one, unknown)).toMatchObject({ status: 401 });
    for (const header of ['origin', 'sec-fetch-site'])
      expect(await capture(one, await keyFor(), { [header]: 'https://shop.test' })).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('A web page sent a secret key') },
      });
    expect(await personOf('ada')).toBeUndefined();
    expect(await loggedProperties()).toEqual([]);
  });

  it('is not looked at in a project that protects nothing', async () => {
    project = await service.newProject();
    expect(await capture([set('ada', { $set: { plan: 'pro' } })], 'phx_unknown')).toMatchObject({ status: 200 });
    expect((await personOf('ada'))?.properties).toEqual({ plan: 'pro' });
  });
});

describe('routes that need a key', () => {
  it('change protected properties as before', async () => {
    await capture([set('ada', {})]);
    const id = (await personOf('ada'))?.id;
    const path = `/api/projects/${project.id}`;
    await service.call('PATCH', `${path}/persons/${id}`, { body: { properties: { plan: 'pro' } } });
    const line = JSON.stringify({ type: 'event', ...set('bob', { $set: { plan: 'free' } }) });
    const headers = { 'content-type': 'application/x-ndjson' };
    await service.call('POST', `${path}/import`, { body: line, headers });
    expect([(await personOf('ada'))?.properties, (await personOf('bob'))?.properties]).toEqual([
      { plan: 'pro' },
      { plan: 'free' },
    ]);
  });
});

describe('the settings', () => {
  const patch = (body: object) => service.call('PATCH', `/api/projects/${project.id}`, { body });

  it('take effect within about a second, and are in the activity log', async () => {
    await patch({ protected_person_properties: [], protected_group_properties: [], protected_merges: false });
    await until(async () => {
      await capture([set('ada', { $set: { plan: 'pro' } })]);
      return (await personOf('ada'))?.properties.plan === 'pro';
    });
    const [newest] = await new PersonsOf(service, project.id).activity('activity', { scope: 'Project' });
    expect(newest?.detail.changes).toContainEqual(
      expect.objectContaining({ field: 'protected_person_properties', before: ['plan', 'a.b'], after: [] }),
    );
  });

  it('refuse names that no list can protect', async () => {
    for (const name of ['$browser', 'utm_source', '$initial_referrer'])
      expect((await patch({ protected_person_properties: [name] })).body).toMatchObject({
        attr: 'protected_person_properties',
        detail: expect.stringContaining('that each event gives its person'),
      });
    for (const wrong of ['plan', [''], [1], ['plan', 'plan'], ['x'.repeat(401)], Array.from({ length: 101 }, String)])
      expect((await patch({ protected_person_properties: wrong })).status).toBe(400);
  });
});
