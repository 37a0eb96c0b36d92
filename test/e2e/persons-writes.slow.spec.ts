import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { personUuid } from '../../src/kernel/identity/person-ref.js';
import { PersonsOf } from '../support/persons.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let people: PersonsOf;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  people = new PersonsOf(service, (await service.newProject()).id);
});

const refusal = ({ status, body }: Answer) => [status, (body as { attr: string }).attr];
const names = (events: readonly { event: string }[]) => events.map(({ event }) => event).sort();

describe('PATCH persons/{id}', () => {
  it('merges key by key, answers with the new values, and captures one $set event', async () => {
    const ada = await people.make(['ada', 'ada-2'], { plan: 'free', city: 'Ulm' });
    const body = { properties: { plan: 'team', 'a.b': [1, { c: null }] }, id: ada.id };
    const answer = await people.call('PATCH', `persons/${ada.uuid}`, { body });
    const properties = { plan: 'team', city: 'Ulm', 'a.b': [1, { c: null }] };
    expect([answer.status, answer.body]).toEqual([200, { ...ada, properties }]);
    expect((await people.get(ada.id)).properties).toEqual(properties);
    const events = await people.events({ person_id: ada.id, event: '$set' });
    expect(events).toMatchObject([
      { distinct_id: 'ada', person_id: ada.id, properties: { $set: { plan: 'team', 'a.b': [1, { c: null }] } } },
    ]);
  });

  it('captures the event also when nothing differs, but logs no activity then', async () => {
    const ada = await people.make(['ada'], { plan: 'free' });
    await people.call('PATCH', `persons/${ada.id}`, { body: { properties: { plan: 'free' } } });
    expect(await people.events({ person_id: ada.id, event: '$set' })).toHaveLength(1);
    expect(await people.activity()).toEqual([]);
  });

  it('takes any key and any value, also __proto__, constructor and a NUL', async () => {
    const ada = await people.make(['ada']);
    const properties = '{"__proto__":{"x":1},"constructor":"c","\'\\"; --":"🦉","nul":"a\\u0000b"}';
    const answer = await fetch(`${service.url}/api/projects/${people.projectId}/persons/${ada.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: `{"properties":${properties}}`,
    });
    expect(answer.status).toBe(200);
    const { rows } = { rows: Object.entries((await people.get(ada.id)).properties) };
    expect(Object.fromEntries(rows.filter(([key]) => key !== '__proto__'))).toEqual({
      constructor: 'c',
      '\'"; --': '🦉',
      nul: 'a\uFFFDb',
    });
    expect(rows.filter(([key]) => key === '__proto__')).toEqual([['__proto__', { x: 1 }]]);
  });

  it.each([
    [{}, 'properties'],
    [{ properties: null }, 'properties'],
    [{ properties: [1] }, 'properties'],
    [{ properties: 'plan' }, 'properties'],
    [{ properties: { big: 'x'.repeat(700_000) } }, 'properties'],
  ])('refuses %#', async (body, attr) => {
    const ada = await people.make(['ada'], { plan: 'free' });
    expect(refusal(await people.call('PATCH', `persons/${ada.id}`, { body }))).toEqual([400, attr]);
    expect((await people.get(ada.id)).properties).toEqual({ plan: 'free' });
    expect(names(await people.events({}))).toEqual(['seen']);
  });

  it('refuses a value that nests too deeply, and an id that is none', async () => {
    const ada = await people.make(['ada']);
    const deep = `{"properties":{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
    const answer = await fetch(`${service.url}/api/projects/${people.projectId}/persons/${ada.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: deep,
    });
    expect(answer.status).toBe(400);
    const body = { properties: { plan: 'pro' } };
    expect(refusal(await people.call('PATCH', 'persons/ada', { body }))).toEqual([400, 'id']);
    expect((await people.call('PATCH', 'persons/999999', { body })).status).toBe(404);
  });

  it('loses none of 64 concurrent writers of distinct keys, nor their events and entries', async () => {
    const ada = await people.make(['ada'], { plan: 'free' });
    const keys = Array.from({ length: 64 }, (_, at) => `k${at}`);
    const answers = await Promise.all(
      keys.map((key, at) => people.call('PATCH', `persons/${ada.id}`, { body: { properties: { [key]: at } } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const all = Object.fromEntries(keys.map((key, at) => [key, at]));
    expect((await people.get(ada.id)).properties).toEqual({ plan: 'free', ...all });
    expect(await people.events({ person_id: ada.id, event: '$set' })).toHaveLength(64);
    expect(await people.activity('persons/activity', { limit: 100 })).toHaveLength(64);
  });

  it('answers as a table of one row with format=csv', async () => {
    const ada = await people.make(['ada', 'ada-2']);
    const options = { body: { properties: { plan: '=1+1', a: { b: 1 } } }, query: { format: 'csv' } };
    const answer = await people.call('PATCH', `persons/${ada.id}`, options);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.text).toBe(
      'id,uuid,name,created_at,distinct_ids,properties.a,properties.plan\r\n' +
        `${ada.id},${ada.uuid},ada,2024-01-01T00:00:00.000Z,ada;ada-2,"{""b"":1}",'=1+1\r\n`,
    );
    const refused = await people.call('PATCH', `persons/${ada.id}`, { ...options, query: { format: 'xml' } });
    expect(refusal(refused)).toEqual([400, 'format']);
  });
});

describe('POST persons/{id}/delete_property', () => {
  it.each([
    ['body', { body: { $unset: 'plan' } }],
    ['query', { query: { $unset: 'plan' } }],
    ['both alike', { body: { $unset: 'plan' }, query: { $unset: 'plan' } }],
  ])('removes the key named in the %s and captures $delete_person_property', async (_, options) => {
    const ada = await people.make(['ada'], { plan: 'free', city: 'Ulm' });
    const answer = await people.call('POST', `persons/${ada.id}/delete_property`, options);
    expect([answer.status, answer.body]).toEqual([200, { ...ada, properties: { city: 'Ulm' } }]);
    expect(await people.events({ event: '$delete_person_property' })).toMatchObject([
      { distinct_id: 'ada', properties: { $unset: ['plan'] } },
    ]);
  });

  it('is 200 without an event and without an entry for a key that is not there', async () => {
    const ada = await people.make(['ada'], { plan: 'free' });
    const answer = await people.call('POST', `persons/${ada.id}/delete_property`, { body: { $unset: 'constructor' } });
    expect([answer.status, answer.body]).toEqual([200, ada]);
    expect(names(await people.events({}))).toEqual(['seen']);
    expect(await people.activity()).toEqual([]);
  });

  it.each([
    ['none', {}],
    ['two different ones', { body: { $unset: 'plan' }, query: { $unset: 'city' } }],
    ['a list', { body: { $unset: ['plan'] } }],
    ['two in the query', { query: { $unset: ['plan', 'city'] } }],
  ])('refuses %s', async (_, options) => {
    const ada = await people.make(['ada'], { plan: 'free' });
    const answer = await people.call('POST', `persons/${ada.id}/delete_property`, options);
    expect(refusal(answer)).toEqual([400, '$unset']);
  });
});

describe('POST persons/{id}/update_property', () => {
  it.each<[string, object, unknown]>([
    ['text in the body', { body: { key: 'k', value: 'team' } }, 'team'],
    ['JSON text in the body, which stays text', { body: { key: 'k', value: '30' } }, '30'],
    ['null in the body', { body: { key: 'k', value: null } }, null],
    ['an object in the body', { body: { key: 'k', value: { a: [1] } } }, { a: [1] }],
    ['a number in the query', { query: { key: 'k', value: '30' } }, 30],
    ['quoted JSON in the query', { query: { key: 'k', value: '"30"' } }, '30'],
    ['true in the query', { query: { key: 'k', value: 'true' } }, true],
    ['a list in the query', { query: { key: 'k', value: '[1,2]' } }, [1, 2]],
    ['other text in the query', { query: { key: 'k', value: 'team A' } }, 'team A'],
    ['empty text in the query', { query: { key: 'k', value: '' } }, ''],
    ['the same in both', { query: { key: 'k', value: '{"a":1}' }, body: { key: 'k', value: { a: 1 } } }, { a: 1 }],
    ['the key in one and the value in the other', { query: { key: 'k' }, body: { value: 7 } }, 7],
  ])('sets %s', async (_, options, value) => {
    const ada = await people.make(['ada'], { plan: 'free' });
    const answer = await people.call('POST', `persons/${ada.id}/update_property`, options);
    expect([answer.status, answer.body]).toEqual([200, { ...ada, properties: { plan: 'free', k: value } }]);
    expect(await people.events({ event: '$set' })).toMatchObject([{ properties: { $set: { k: value } } }]);
  });

  it.each<[string, object, string]>([
    ['no value', { body: { key: 'k' } }, 'value'],
    ['no key', { body: { value: 1 } }, 'key'],
    ['an empty key', { body: { key: '', value: 1 } }, 'key'],
    ['a key that is no text', { body: { key: 5, value: 1 } }, 'key'],
    ['two values', { body: { key: 'k', value: 1 }, query: { value: '2' } }, 'value'],
    ['two keys', { body: { key: 'k', value: 1 }, query: { key: 'l' } }, 'key'],
  ])('refuses %s', async (_, options, attr) => {
    const ada = await people.make(['ada']);
    const answer = await people.call('POST', `persons/${ada.id}/update_property`, options);
    expect(refusal(answer)).toEqual([400, attr]);
  });
});

describe('DELETE persons/{id}', () => {
  it('queues the deletion of the events when asked to, and says where that can be followed', async () => {
    const ada = await people.make(['ada', 'ada-2']);
    const answer = await people.call('DELETE', `persons/${ada.id}`, { query: { delete_events: 'true' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const { location } = answer.headers as { location: string };
    expect(location).toMatch(/^\/api\/projects\/\d+\/deletion_requests\/[0-9a-f-]{36}$/);
    const request = await people.call('GET', location.replace(/^.*(deletion_requests)/, '$1'));
    expect(request.body).toMatchObject({ person_uuid: ada.uuid, person_id: ada.id, state: 'pending' });
  });

  it('takes the person and its ids away at once; its past events belong to nobody', async () => {
    const ada = await people.make(['ada', 'ada-2']);
    const answer = await people.call('DELETE', `persons/${ada.id}`);
    expect([answer.status, answer.text, answer.headers.location]).toEqual([204, '', undefined]);
    expect((await people.call('GET', `persons/${ada.id}`)).status).toBe(404);
    expect((await people.call('DELETE', `persons/${ada.id}`)).status).toBe(404);
    expect(await people.events({ person_id: ada.id })).toEqual([]);
    expect((await people.events({})).map(({ person_id }) => person_id)).toEqual([null, null]);
  });

  it('frees the ids: the next event of one makes a new person of the same uuid, which has its past', async () => {
    const ada = await people.make(['ada', 'ada-2'], { plan: 'free' });
    await people.call('DELETE', `persons/${ada.uuid}?delete_events=false`);
    const again = await people.make(['ada']);
    expect([again.uuid, again.distinct_ids, again.properties]).toEqual([ada.uuid, ['ada'], {}]);
    expect(again.id).not.toBe(ada.id);
    expect(await people.events({ person_id: again.id })).toHaveLength(2);
  });

  it.each(['maybe', '', 'TRUE', '2'])('refuses delete_events=%s', async (text) => {
    const ada = await people.make(['ada']);
    const answer = await people.call('DELETE', `persons/${ada.id}`, { query: { delete_events: text } });
    expect(refusal(answer)).toEqual([400, 'delete_events']);
    expect(await people.get(ada.id)).toEqual(ada);
  });
});

describe('POST persons/bulk_delete', () => {
  type Reply = { deleted: number; results: { given: unknown; result: string; id: number | null }[] };
  const bulkDelete = async (body: object) => {
    const answer = await people.call('POST', 'persons/bulk_delete', { body });
    expect(answer.status).toBe(200);
    return answer.body as Reply;
  };

  it('says of each id, integer or uuid, whether it was deleted', async () => {
    const [ada, bob, eve] = [await people.make(['ada']), await people.make(['bob']), await people.make(['eve'])];
    const unknown = '00000000-0000-4000-8000-000000000000';
    const given = [ada.id, bob.uuid.toUpperCase(), 999_999, unknown, String(ada.id), ada.uuid];
    const gone = ({ id, uuid }: PersonDto, as: unknown) => ({
      given: as,
      result: 'deleted',
      id,
      uuid,
      deletion_request_id: null,
    });
    const missing = (as: unknown) => ({
      given: as,
      result: 'not_found',
      id: null,
      uuid: null,
      deletion_request_id: null,
    });
    expect(await bulkDelete({ ids: given })).toEqual({
      deleted: 2,
      results: [
        gone(ada, ada.id),
        gone(bob, given[1]),
        missing(999_999),
        missing(unknown),
        gone(ada, String(ada.id)),
        gone(ada, ada.uuid),
      ],
    });
    expect((await people.events({})).map(({ person_id }) => person_id).sort()).toEqual([eve.id, null, null].sort());
    expect((await people.activity()).map(({ item_id, activity }) => [item_id, activity]).sort()).toEqual([
      [String(ada.id), 'deleted'],
      [String(bob.id), 'deleted'],
    ]);
  });

  it('finds persons by distinct ids too', async () => {
    const ada = await people.make(['ada', 'ada-2']);
    expect(await bulkDelete({ distinct_ids: ['ada', 'nobody', 'ada-2', 'ada'] })).toMatchObject({
      deleted: 1,
      results: [
        { given: 'ada', result: 'deleted', id: ada.id },
        { given: 'nobody', result: 'not_found', id: null },
        { given: 'ada-2', result: 'deleted', id: ada.id },
        { given: 'ada', result: 'deleted', id: ada.id },
      ],
    });
  });

  it('deletes a thousand at once', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => `u${at}`);
    const lines = ids.map((id) => JSON.stringify({ type: 'person', distinct_ids: [id] })).join('\n');
    await fetch(`${service.url}/api/projects/${people.projectId}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
      body: lines,
    });
    expect((await bulkDelete({ distinct_ids: ids })).deleted).toBe(1000);
    const { count } = (await people.call('GET', 'persons/activity')).body as { count: number };
    expect(count).toBe(1000);
  });

  it.each<[string, object, string]>([
    ['neither list', {}, 'ids'],
    ['both lists', { ids: [1], distinct_ids: ['a'] }, 'distinct_ids'],
    ['an empty list', { ids: [] }, 'ids'],
    ['more than a thousand', { ids: Array.from({ length: 1001 }, (_, at) => at) }, 'ids'],
    ['an id that is none', { ids: [1, 'ada'] }, 'ids.1'],
    ['a fraction', { ids: [1.5] }, 'ids.0'],
    ['an object', { ids: [{}] }, 'ids.0'],
    ['a distinct id that is no text', { distinct_ids: ['a', 5] }, 'distinct_ids'],
    ['text for delete_events', { ids: [1], delete_events: 'yes' }, 'delete_events'],
  ])('refuses %s', async (_, body, attr) => {
    expect(refusal(await people.call('POST', 'persons/bulk_delete', { body }))).toEqual([400, attr]);
  });
});

describe('POST persons/{id}/split', () => {
  type Split = PersonDto & { split_persons: PersonDto[] };
  const split = async (id: number | string, body: object = {}) => {
    const answer = await people.call('POST', `persons/${id}/split`, { body });
    expect(answer.status).toBe(200);
    return answer.body as Split;
  };

  it('refuses a body that does not choose, with the ids, and keeps none of them but by null', async () => {
    const generated = '018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e';
    const ada = await people.make([generated, 'ada', 'b']);
    for (const options of [{}, { body: {} }]) {
      const answer = await people.call('POST', `persons/${ada.id}/split`, options);
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.objectContaining({ code: 'required', attr: 'main_distinct_id', distinct_ids: ['ada', 'b', generated] }),
      ]);
      for (const id of ['ada', 'b', generated]) expect((answer.body as { detail: string }).detail).toContain(id);
    }
    expect(await people.get(ada.id)).toEqual(ada);
    const { split_persons: persons, ...original } = await split(ada.id, { main_distinct_id: null });
    expect([original.distinct_ids, persons.map(({ distinct_ids }) => distinct_ids)]).toEqual([
      ['ada'],
      [[generated], ['b']],
    ]);
  });

  it('leaves the first id and gives every other a person of its own, whom its past events follow at once', async () => {
    const ada = await people.make(['ada', 'b', 'c'], { plan: 'free' });
    const { split_persons: persons, ...original } = await split(ada.id, { main_distinct_id: null });
    expect(original).toEqual({ ...ada, distinct_ids: ['ada'], distinct_id_count: 1 });
    expect(persons.map(({ uuid, distinct_ids, properties }) => [uuid, distinct_ids, properties])).toEqual([
      [personUuid(people.projectId, 'b'), ['b'], {}],
      [personUuid(people.projectId, 'c'), ['c'], {}],
    ]);
    for (const { id, distinct_ids } of [original, ...persons]) {
      const events = await people.events({ person_id: id });
      expect(events.map(({ distinct_id, person_id }) => [distinct_id, person_id])).toEqual([[distinct_ids[0], id]]);
      expect(await people.get(id)).toMatchObject({ id, distinct_ids });
    }
  });

  it('keeps main_distinct_id with the original; the uuid of the first id is taken, so its person gets another', async () => {
    const ada = await people.make(['ada', 'b']);
    const { split_persons: persons, ...original } = await split(ada.uuid, { main_distinct_id: 'b' });
    expect([original.uuid, original.distinct_ids]).toEqual([ada.uuid, ['b']]);
    expect(persons.map(({ distinct_ids }) => distinct_ids)).toEqual([['ada']]);
    expect(persons[0]?.uuid).not.toBe(personUuid(people.projectId, 'ada'));
    expect(await people.events({ person_id: persons[0]?.id ?? 0 })).toHaveLength(1);
  });

  it('lets only distinct_ids_to_split leave', async () => {
    const ada = await people.make(['ada', 'b', 'c']);
    const { split_persons: persons, ...original } = await split(ada.id, { distinct_ids_to_split: ['c', 'c'] });
    expect(original.distinct_ids).toEqual(['ada', 'b']);
    expect(persons.map(({ distinct_ids }) => distinct_ids)).toEqual([['c']]);
  });

  it('changes nothing where there is one id', async () => {
    const ada = await people.make(['ada']);
    expect(await split(ada.id)).toEqual({ ...ada, split_persons: [] });
    expect(await split(ada.id, { distinct_ids_to_split: ['ada'] })).toEqual({ ...ada, split_persons: [] });
    expect(await people.activity()).toEqual([]);
  });

  it('undoes a merge, and the ids can be merged again', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    await people.make(['ada', 'bob']);
    expect(await people.events({ person_id: ada.id })).toHaveLength(4);
    const { split_persons: persons } = await split(ada.id, { distinct_ids_to_split: ['bob'] });
    expect(persons).toMatchObject([{ uuid: bob.uuid, distinct_ids: ['bob'] }]);
    expect(await people.events({ person_id: ada.id })).toHaveLength(2);
    await people.make(['bob', 'ada']);
    expect((await people.get(persons[0]?.id ?? 0)).distinct_ids.sort()).toEqual(['ada', 'bob']);
    expect(await people.events({ person_id: persons[0]?.id ?? 0 })).toHaveLength(6);
  });

  it.each<[string, object, string]>([
    ['both fields', { main_distinct_id: 'ada', distinct_ids_to_split: ['b'] }, 'distinct_ids_to_split'],
    ['an unknown main id', { main_distinct_id: 'x' }, 'main_distinct_id'],
    ['unknown ids', { distinct_ids_to_split: ['b', 'x'] }, 'distinct_ids_to_split'],
    ['an empty list', { distinct_ids_to_split: [] }, 'distinct_ids_to_split'],
    ['every id', { distinct_ids_to_split: ['ada', 'b'] }, 'distinct_ids_to_split'],
    ['no list', { distinct_ids_to_split: 'b' }, 'distinct_ids_to_split'],
    ['no texts', { distinct_ids_to_split: [5] }, 'distinct_ids_to_split'],
    ['no text', { main_distinct_id: 5 }, 'main_distinct_id'],
  ])('refuses %s and changes nothing', async (_, body, attr) => {
    const ada = await people.make(['ada', 'b']);
    expect(refusal(await people.call('POST', `persons/${ada.id}/split`, { body }))).toEqual([400, attr]);
    expect(await people.get(ada.id)).toEqual(ada);
  });
});
