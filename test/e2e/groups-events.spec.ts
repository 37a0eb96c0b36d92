import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { type Related } from '../../src/events/groups/related.dto.js';
import { type GroupChangeDto } from '../../src/groups/timeline/group-history.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { GroupsOf, describes, uses } from '../support/groups.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: GroupsOf;
let persons: PersonsOf;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const { id } = await service.newProject();
  [of, persons] = [new GroupsOf(service, id), new PersonsOf(service, id)];
});

interface Page<T> {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly T[];
}

const daysAgo = (days: number) => ({ timestamp: new Date(Date.now() - days * 86_400_000).toISOString() });
const by = (distinctId: string, groups: object, more: object = {}) => ({
  distinct_id: distinctId,
  properties: { $groups: groups },
  ...more,
});

const get = async <T>(path: string, query: Record<string, string | number> = {}): Promise<T> => {
  const { status, body } = await of.call('GET', path, { query });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as T;
};

describe('the events of a group', () => {
  beforeEach(async () => {
    await persons.make(['ada', 'ada-phone'], { email: 'ada@example.test' });
    await persons.make(['bob'], { email: 'bob@example.test' });
    await persons.make(['cy']);
    await of.send(
      by('ada', { company: 'acme', site: 'berlin' }, daysAgo(5)),
      by('ada-phone', { company: 'acme' }, { event: 'paid', ...daysAgo(4) }),
      by('bob', { company: 'acme', site: 'berlin' }, daysAgo(3)),
      by('bob', { company: 'beta', site: 'paris' }, daysAgo(2)),
      by('stranger', { company: 'acme', site: 'paris' }, daysAgo(100)),
    );
  });

  it('are listed with an exact count, and filtered as all events', async () => {
    const { id } = await of.find('acme');
    const first = await get<Page<EventDto>>(`groups/${id}/events`, { limit: 3 });
    expect([first.count, ...first.results.map(({ distinct_id: distinctId }) => distinctId)]).toEqual([
      ...[4, 'bob', 'ada-phone', 'ada'],
    ]);
    const second = await get<Page<EventDto>>(`groups/${id}/events${new URL(first.next ?? '').search}`);
    expect(second).toMatchObject({ count: 4, next: null, results: [{ distinct_id: 'stranger' }] });
    expect(await get(`groups/${id}/events`, { event: 'paid' })).toMatchObject({ count: 1 });
    const berlin = await of.find('berlin', 1);
    expect(await get(`groups/${berlin.id}/events`)).toMatchObject({ count: 2 });
    expect(await get(`groups/${berlin.id}/events`, { distinct_id: 'bob' })).toMatchObject({ count: 1 });
  });

  it('have persons, counted once each; those of a merged person count for the person it became', async () => {
    const { id } = await of.find('acme');
    const names = async (query: Record<string, string> = {}) => {
      const { count, results } = await get<Page<PersonDto>>(`groups/${id}/persons`, query);
      return [count, ...results.map(({ name }) => name).sort()];
    };
    // The person of a stranger is made by its event.
    expect(await names()).toEqual([3, 'ada@example.test', 'bob@example.test', 'stranger']);
    expect(await names({ search: 'bob' })).toEqual([1, 'bob@example.test']);
    const [ada, cy] = [await persons.ofDistinctId('ada'), await persons.ofDistinctId('cy')];
    expect((await persons.call('POST', `persons/${cy.id}/merge`, { body: { persons: [ada.id] } })).status).toBe(200);
    const { results } = await get<Page<PersonDto>>(`groups/${id}/persons`, { distinct_id: 'ada' });
    expect(results.map((person) => person.id)).toEqual([cy.id]);
    expect((await names())[0]).toBe(3);
  });

  it('relate persons and groups to it within ninety days, and groups to a person', async () => {
    const related = async (query: Record<string, string | number>) =>
      (await get<Related[]>('groups/related', query)).map(({ type, name, events }) => [type, name, events]);
    expect(await related({ group_type_index: 0, id: 'acme' })).toEqual([
      ['person', 'ada@example.test', 2],
      ['person', 'bob@example.test', 1],
      ['group', 'berlin', 2],
    ]);
    expect(await related({ group_type_index: 1, id: 'paris' })).toEqual([
      ['person', 'bob@example.test', 1],
      ['group', 'beta', 1],
    ]);
    const bob = await persons.ofDistinctId('bob');
    const ofBob = [
      ['group', 'acme', 1],
      ['group', 'berlin', 1],
      ['group', 'beta', 1],
      ['group', 'paris', 1],
    ];
    expect((await related({ id: bob.uuid })).sort()).toEqual(ofBob);
    expect((await related({ id: bob.id })).sort()).toEqual(ofBob);
    const [first] = await get<Related[]>('groups/related', { group_type_index: 1, id: 'berlin' });
    const person = await persons.ofDistinctId('ada');
    expect(first).toEqual({ ...person, type: 'person', id: person.uuid, person_id: person.id, events: 1 });
    const unknown: Record<string, string | number>[] = [{ group_type_index: 0, id: 'none' }, { id: '999999' }];
    const answers = await Promise.all(unknown.map((query) => of.call('GET', 'groups/related', { query })));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('are for keys that may read what they show, in the project of the group', async () => {
    const { id } = await of.find('acme');
    const { text: key } = await service.newKey({ scopes: ['group:read'] });
    const foreign = new GroupsOf(service, (await service.newProject()).id);
    for (const path of [`groups/${id}/events`, `groups/${id}/persons`]) {
      expect((await of.call('GET', path, { key })).status).toBe(403);
      expect((await foreign.call('GET', path)).status).toBe(404);
    }
    const query = { group_type_index: 0, id: 'acme' };
    expect((await of.call('GET', 'groups/related', { key, query })).status).toBe(403);
    expect((await foreign.call('GET', 'groups/related', { query })).status).toBe(404);
    expect((await foreign.call('GET', `groups/${id}/property_history`)).status).toBe(404);
  });
});

describe('the properties of groups', () => {
  it('are listed by type with their values, and the numbers of groups that have them', async () => {
    await of.send(
      describes('company', 'acme', { plan: 'pro', seats: 5, 'a.b': true }),
      describes('company', 'beta', { plan: 'pro' }),
      describes('company', 'gamma', { plan: 'free' }),
      describes('site', 'berlin', { plan: 'pro' }),
      uses('delta', { properties: { $groups: { team: 'red' } } }),
    );
    expect(await get('groups/property_definitions')).toEqual({
      0: [
        { name: 'plan', count: 3 },
        { name: 'a.b', count: 1 },
        { name: 'seats', count: 1 },
      ],
      1: [{ name: 'plan', count: 1 }],
      2: [],
    });
    const values = (query: object) => get('groups/property_values', { group_type_index: 0, key: 'plan', ...query });
    const [pro, free] = [
      { name: 'pro', count: 2 },
      { name: 'free', count: 1 },
    ];
    expect(await values({})).toEqual({ count: 2, next: null, previous: null, results: [pro, free] });
    expect(await values({ value: 'PR' })).toMatchObject({ count: 1, results: [pro] });
    expect(await values({ limit: 1, offset: 5 })).toMatchObject({ count: 2, results: [] });
    expect(await values({ key: 'seats' })).toMatchObject({ results: [{ name: 5, count: 1 }] });
    expect(await values({ group_type_index: 1 })).toMatchObject({ results: [{ name: 'pro', count: 1 }] });
    expect(await values({ group_type_index: 9 })).toMatchObject({ count: 0, results: [] });
  });

  it('have a history of the events and requests that changed them', async () => {
    await of.send(describes('company', 'acme', { name: 'Acme', seats: 3 }));
    await of.send(describes('company', 'acme', { name: 'Acme' }), describes('company', 'beta', { name: 'Beta' }));
    const { id } = await of.find('acme');
    await of.call('PATCH', `groups/${id}`, { body: { properties: { seats: null, name: 'ACME', tags: ['a'] } } });
    const { count, results } = await get<Page<GroupChangeDto>>(`groups/${id}/property_history`);
    const [second, first] = results;
    expect(count).toBe(2);
    expect(second?.changes).toEqual([
      { key: 'name', before: 'Acme', after: 'ACME' },
      { key: 'tags', before: null, after: ['a'] },
      { key: 'seats', before: 3, after: null },
    ]);
    expect(first?.changes).toEqual([
      { key: 'name', before: null, after: 'Acme' },
      { key: 'seats', before: null, after: 3 },
    ]);
    const page = await get(`groups/${id}/property_history`, { limit: 1, offset: 1 });
    expect(page).toMatchObject({ count: 2, next: null, results: [first] });
  });
});
