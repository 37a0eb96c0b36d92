import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { type GroupDto } from '../../src/groups/group.dto.js';
import { GroupsOf, describes, uses } from '../support/groups.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: GroupsOf;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = new GroupsOf(service, (await service.newProject()).id);
});

const at = (day: number) => ({ timestamp: `2026-01-0${day}T10:00:00.000Z` });
const keys = (groups: readonly GroupDto[]) => groups.map(({ group_key: key }) => key);

describe('types of groups', () => {
  it('come with events, and people see them under names that are changed by hand', async () => {
    expect((await of.call('GET', 'groups_types')).body).toEqual([]);
    await of.send(uses('acme'), { properties: { $groups: { project: 7, company: 'acme' } } });
    const [company, project] = (await of.call('GET', 'groups_types')).body as object[];
    expect([company, project]).toMatchObject([
      { group_type_index: 0, group_type: 'company', name_singular: null, name_plural: null },
      { group_type_index: 1, group_type: 'project', name_singular: null, name_plural: null },
    ]);
    const rename = (body: object) => of.call('PATCH', 'groups_types/update_metadata', { body });
    const names = { name_singular: 'Company', name_plural: 'Companies' };
    const renamed = { ...company, ...names };
    expect((await rename([{ group_type_index: 0, ...names }])).body).toEqual([renamed, project]);
    expect((await rename([renamed, { group_type_index: 1, name_singular: 'Project' }])).body).toEqual([
      renamed,
      { ...project, name_singular: 'Project' },
    ]);
    expect((await rename([{ group_type_index: 0, name_singular: null }])).body).toMatchObject([
      { name_singular: null, name_plural: 'Companies' },
      { name_singular: 'Project' },
    ]);
    for (const [body, attr] of [
      [[{ group_type_index: 2 }], '0.group_type_index'],
      [[{ group_type_index: 0 }, { name_plural: 'x' }], '1.group_type_index'],
      [[{ group_type_index: 0, name_plural: 7 }], '0.name_plural'],
      [[{ group_type_index: 0, plural: 'x' }], '0.plural'],
      [{ group_type_index: 0 }, null],
    ] as const) {
      const { status, body: problem } = await rename(body);
      expect([status, problem]).toMatchObject([400, { attr }]);
    }
  });
});

describe('a list of groups', () => {
  beforeEach(() =>
    of.send(
      uses('acme', at(1)),
      uses('beta', at(2)),
      uses('gamma', at(3)),
      describes('company', 'acme', { name: 'Acme Works', email: 'hello@acme.test' }),
      describes('company', 'gamma', { name: 'Gamma' }),
      describes('site', 'acme', { name: 'Acme Site' }, at(4)),
    ),
  );

  it('has those of one type, newest first, in pages', async () => {
    const { count, results } = await of.list();
    expect([count, keys(results)]).toEqual([3, ['gamma', 'beta', 'acme']]);
    const { id, ...acme } = results[2] as GroupDto;
    expect(acme).toEqual({
      ...{ group_type_index: 0, group_key: 'acme', name: 'Acme Works', created_at: '2026-01-01T10:00:00.000Z' },
      group_properties: { name: 'Acme Works', email: 'hello@acme.test' },
    });
    expect(results[1]).toMatchObject({ name: 'beta', group_properties: {} });
    expect((await of.call('GET', `groups/${id}`)).body).toEqual({ id, ...acme });
    const seen: string[] = [];
    let path: string | null = 'groups?group_type_index=0&limit=2';
    let last: string | null = null;
    while (path !== null) {
      const { body } = await of.call('GET', path);
      const page = body as { count: number; next: string | null; previous: string | null; results: GroupDto[] };
      expect(page.count).toBe(3);
      seen.push(...keys(page.results));
      path = page.next && `groups${new URL(page.next).search}`;
      last = page.previous;
    }
    expect(seen).toEqual(['gamma', 'beta', 'acme']);
    const back = await of.call('GET', `groups${new URL(last ?? '').search}`);
    expect(back.body).toMatchObject({ previous: null, results: [{ group_key: 'gamma' }, { group_key: 'beta' }] });
  });

  it('is searched by key, name and e-mail, with an exact count, also in pages', async () => {
    const found = async (query: Record<string, string | number>) => {
      const { count, results } = await of.list(query);
      return [count, ...keys(results)];
    };
    expect(await found({ search: 'ACM' })).toEqual([1, 'acme']);
    expect(await found({ search: 'hello@' })).toEqual([1, 'acme']);
    expect(await found({ search: 'et' })).toEqual([1, 'beta']);
    expect(await found({ search: 'a', limit: 2 })).toEqual([3, 'gamma', 'beta']);
    expect(await found({ search: 'a', limit: 2, offset: 2 })).toEqual([3, 'acme']);
    expect(await found({ search: 'a', group_key: 'beta' })).toEqual([1, 'beta']);
    expect(await found({ search: '%' })).toEqual([0]);
    expect(await found({ group_key: 'gamma' })).toEqual([1, 'gamma']);
    expect(await found({ group_key: 'gam' })).toEqual([0]);
    expect(await found({ group_type_index: 1 })).toEqual([1, 'acme']);
    expect(await found({ group_type_index: 5, group_key: 'acme' })).toEqual([0]);
  });

  it('is filtered by properties of the groups, and warns of those that no group has', async () => {
    const leaf = (key: string, more: object = {}) => ({ type: 'group', group_type_index: 0, key, ...more });
    const found = async (properties: unknown, query: Record<string, string> = {}) => {
      const { count, results } = await of.list({ properties: JSON.stringify(properties), ...query });
      return [count, ...keys(results)];
    };
    expect(await found([leaf('name', { value: ['Gamma'], operator: 'exact' })])).toEqual([1, 'gamma']);
    expect(await found([leaf('name', { operator: 'is_not_set' })])).toEqual([1, 'beta']);
    expect(await found([leaf('$group_key', { value: 'a', operator: 'icontains' })])).toEqual([
      3,
      'gamma',
      'beta',
      'acme',
    ]);
    const either = {
      type: 'OR',
      values: [leaf('name', { operator: 'is_not_set' }), leaf('email', { operator: 'is_set' })],
    };
    expect(await found(either)).toEqual([2, 'beta', 'acme']);
    expect(await found(either, { search: 'works' })).toEqual([1, 'acme']);
    const { body } = await of.call('GET', 'groups', {
      query: { group_type_index: 0, properties: JSON.stringify([leaf('nam', { value: 'x' })]) },
    });
    expect(body).toMatchObject({ count: 0, warnings: [{ code: 'unknown_property' }] });
    for (const [filter, attr] of [
      [{ key: 'name', value: 'x', type: 'person' }, 'properties.0.type'],
      [{ key: 'name', value: 'x' }, 'properties.0.type'],
      [leaf('name', { value: 'x', group_type_index: 1 }), 'properties.0.group_type_index'],
    ] as const) {
      const query = { group_type_index: 0, properties: JSON.stringify([filter]) };
      const { status, body: problem } = await of.call('GET', 'groups', { query });
      expect([status, problem]).toMatchObject([400, { attr }]);
    }
  });

  it('is a table with format=csv', async () => {
    const { text } = await of.call('GET', 'groups', { query: { group_type_index: 0, format: 'csv', search: 'gamma' } });
    const { id } = await of.find('gamma');
    expect(text).toBe(
      'id,group_type_index,group_key,name,created_at,group_properties\r\n' +
        `${id},0,gamma,Gamma,2026-01-03T10:00:00.000Z,"{""name"":""Gamma""}"\r\n`,
    );
    const all = await of.call('GET', 'groups', { query: { group_type_index: 0, format: 'csv' } });
    expect(
      all.text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[2]),
    ).toEqual(['gamma', 'beta', 'acme']);
  });

  it('names its type, unless the project has one type only', async () => {
    const { status, body } = await of.call('GET', 'groups');
    expect([status, body]).toMatchObject([400, { code: 'required', attr: 'group_type_index' }]);
    const other = new GroupsOf(service, (await service.newProject()).id);
    expect((await other.call('GET', 'groups')).body).toMatchObject({ count: 0, results: [] });
    await other.send(uses('delta'));
    expect((await other.call('GET', 'groups')).body).toMatchObject({ count: 1, results: [{ group_key: 'delta' }] });
  });

  it('is found by key within its type', async () => {
    const company = await of.find('acme');
    expect((await of.find('acme', 1)).name).toBe('Acme Site');
    expect(company.name).toBe('Acme Works');
    for (const [index, key] of [
      [0, 'none'],
      [7, 'acme'],
    ] as const) {
      const query = { group_type_index: index, group_key: key };
      expect((await of.call('GET', 'groups/find', { query })).status).toBe(404);
    }
  });
});

describe('a group', () => {
  it('is made by hand once, and is the one that events name', async () => {
    const body = { group_type: 'company', group_key: 'acme', group_properties: { name: 'Acme', plan: null } };
    const made = await of.call('POST', 'groups', { body });
    expect([made.status, made.body]).toMatchObject([201, { group_type_index: 0, group_properties: { name: 'Acme' } }]);
    const again = await of.call('POST', 'groups', { body: { group_type_index: 0, group_key: 'acme' } });
    expect([again.status, again.body]).toMatchObject([409, { code: 'conflict', attr: 'group_key' }]);
    await of.send(uses('acme'));
    expect(await of.list()).toMatchObject({ count: 1, results: [made.body] });
    expect(await of.list({ search: 'acme' })).toMatchObject({ count: 1, results: [made.body] });
    const bare = await of.call('POST', 'groups', { body: { group_type_index: 0, group_key: 'bare' } });
    expect([bare.status, (await of.list({ search: 'bare' })).count]).toEqual([201, 1]);
    for (const [wrong, attr] of [
      [{ group_key: 'x' }, 'group_type_index'],
      [{ group_key: 'x', group_type_index: 4 }, 'group_type_index'],
      [{ group_key: 'x', group_type_index: 0, group_type: 'company' }, 'group_type'],
      [{ group_type_index: 0 }, 'group_key'],
      [{ group_key: 'x', group_type_index: 0, group_properties: [] }, 'group_properties'],
    ] as const) {
      const { status, body: problem } = await of.call('POST', 'groups', { body: wrong });
      expect([status, problem]).toMatchObject([400, { attr }]);
    }
  });

  it('is made once by requests at the same time', async () => {
    const body = { group_type: 'company', group_key: 'acme' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => of.call('POST', 'groups', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect((await of.list()).count).toBe(1);
  });

  it('gets no twenty-first type', async () => {
    const make = (index: number) =>
      of.call('POST', 'groups', { body: { group_type: `type ${index}`, group_key: 'one' } });
    for (let index = 0; index < 20; index += 1) expect((await make(index)).status).toBe(201);
    const { status, body } = await make(20);
    expect([status, body]).toMatchObject([400, { attr: 'group_type' }]);
  });

  it('is changed by hand as by events, and the log has the change', async () => {
    await of.send(uses('acme'), describes('company', 'acme', { name: 'Acme', plan: 'free', seats: 3 }));
    const { id } = await of.find('acme');
    const change = (body: object) => of.call('PATCH', `groups/${id}`, { body });
    expect((await change({ group_properties: { plan: 'pro', seats: null, tags: ['a'] } })).body).toMatchObject({
      group_properties: { name: 'Acme', plan: 'pro', tags: ['a'] },
    });
    const renamed = await change({ properties: { name: 'ACME' } });
    expect(renamed.body).toMatchObject({ name: 'ACME' });
    expect((await change(renamed.body as object)).body).toEqual(renamed.body);
    expect(await of.list({ search: 'ACME' })).toMatchObject({ count: 1, results: [renamed.body] });
    const { body: events } = await of.call('GET', 'events', { query: { event: '$groupidentify' } });
    const changes = (events as { results: { properties: object }[] }).results.map(({ properties }) => properties);
    expect(changes).toHaveLength(3);
    expect(changes).toContainEqual({
      ...{ $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'pro', tags: ['a'] } },
      $group_unset: ['seats'],
    });
    for (const [body, attr] of [
      [{}, 'group_properties'],
      [{ group_properties: {}, properties: {} }, 'properties'],
      [{ group_properties: 'x' }, 'group_properties'],
      [{ properties: { a: 1 }, group_key: 'other' }, 'group_key'],
    ] as const) {
      const { status, body: problem } = await change(body);
      expect([status, problem]).toMatchObject([400, { attr }]);
    }
    const { body: log } = await of.call('GET', `groups/${id}/activity`);
    const { count, results } = log as { count: number; results: ActivityEntryDto[] };
    expect(count).toBe(2);
    expect(results.map(({ scope, activity, detail }) => [scope, activity, detail.name])).toEqual([
      ['Group', 'updated', 'company'],
      ['Group', 'updated', 'company'],
    ]);
    expect(results[1]?.detail.changes.map(({ action, field }) => [action, field])).toEqual([
      ['changed', 'plan'],
      ['created', 'tags'],
      ['deleted', 'seats'],
    ]);
  });

  it('loses no change of requests at the same time', async () => {
    await of.send(uses('acme'));
    const { id } = await of.find('acme');
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => of.call('PATCH', `groups/${id}`, { body: { properties: { [`k${n}`]: n } } })),
    );
    const expected = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`k${n}`, n]));
    expect((await of.find('acme')).group_properties).toEqual(expected);
  });

  it('is deleted until an event names it again; its log stays', async () => {
    await of.send(uses('acme'), describes('company', 'acme', { name: 'Acme' }));
    const { id } = await of.find('acme');
    expect((await of.call('DELETE', `groups/${id}`)).status).toBe(204);
    expect((await of.call('GET', `groups/${id}`)).status).toBe(404);
    expect((await of.call('DELETE', `groups/${id}`)).status).toBe(404);
    expect(await of.list()).toMatchObject({ count: 0, results: [] });
    expect(await of.list({ search: 'acme' })).toMatchObject({ count: 0, results: [] });
    expect((await of.call('GET', `groups/${id}/activity`)).body).toMatchObject({
      count: 1,
      results: [{ activity: 'deleted', item_id: String(id) }],
    });
    await of.send(uses('acme'));
    const again = await of.find('acme');
    expect([again.id > id, again.group_properties]).toEqual([true, {}]);
    expect(await of.list({ search: 'acme' })).toMatchObject({ count: 1, results: [again] });
  });

  it('of another project does not exist', async () => {
    await of.send(uses('acme'));
    const { id } = await of.find('acme');
    const foreign = new GroupsOf(service, (await service.newProject()).id);
    const body = { properties: { a: 1 } };
    for (const answer of await Promise.all([
      foreign.call('GET', `groups/${id}`),
      foreign.call('PATCH', `groups/${id}`, { body }),
      foreign.call('DELETE', `groups/${id}`),
      foreign.call('GET', `groups/${id}/activity`),
      foreign.call('GET', 'groups/find', { query: { group_type_index: 0, group_key: 'acme' } }),
      of.call('GET', 'groups/x'),
      of.call('GET', 'groups/999999999999999'),
    ]))
      expect(answer.status).toBe(404);
    expect((await of.find('acme')).group_properties).toEqual({});
  });

  it('is for keys with the scopes of groups', async () => {
    await of.send(uses('acme'));
    const { id } = await of.find('acme');
    const { text: reader } = await service.newKey({ scopes: ['group:read'] });
    const { text: writer } = await service.newKey({ scopes: ['group:write'] });
    const { text: other } = await service.newKey({ scopes: ['person:write'] });
    const body = { properties: { a: 1 } };
    const statuses = async (key: string) => [
      (await of.call('GET', 'groups', { key })).status,
      (await of.call('GET', 'groups_types', { key })).status,
      (await of.call('PATCH', `groups/${id}`, { key, body })).status,
    ];
    expect(await statuses(reader)).toEqual([200, 200, 403]);
    expect(await statuses(writer)).toEqual([200, 200, 200]);
    expect(await statuses(other)).toEqual([403, 403, 403]);
  });
});
