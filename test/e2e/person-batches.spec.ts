import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { PersonsOf } from '../support/persons.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let people: PersonsOf;
let foreign: PersonsOf;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  people = new PersonsOf(service, (await service.newProject()).id);
  foreign = new PersonsOf(service, (await service.newProject()).id);
});

describe('persons by many ids', () => {
  it('are found by each of their distinct ids, and only in their project', async () => {
    const ada = await people.make(['ada', 'ada-2'], { plan: 'pro' });
    const bob = await people.make(['bob']);
    await foreign.make(['carol']);
    const ids = ['ada', 'ada-2', 'bob', 'carol', 'nobody', '__proto__', 'ada'];
    const { status, body } = await people.call('POST', 'persons/batch_by_distinct_ids', {
      body: { distinct_ids: ids },
    });
    expect([status, body]).toEqual([200, { results: { ada, 'ada-2': ada, bob } }]);
    expect((await foreign.call('POST', 'persons/batch_by_distinct_ids', { body: { distinct_ids: [] } })).body).toEqual({
      results: {},
    });
  });

  it('are found by their uuids', async () => {
    const [ada, other] = [await people.make(['ada']), await foreign.make(['ada'])];
    const uuids = [ada.uuid, other.uuid, '00000000-0000-4000-8000-000000000000'];
    const { body } = await people.call('POST', 'persons/batch_by_uuids', { body: { uuids } });
    expect(body).toEqual({ results: { [ada.uuid]: ada } });
  });

  it.each([
    ['batch_by_distinct_ids', { distinct_ids: Array.from({ length: 201 }, String) }, 'distinct_ids'],
    ['batch_by_distinct_ids', {}, 'distinct_ids'],
    ['batch_by_uuids', { uuids: ['ada'] }, 'uuids'],
  ])('%s refuses %j', async (route, sent, attr) => {
    const { status, body } = await people.call('POST', `persons/${route}`, { body: sent });
    expect([status, body]).toMatchObject([400, { attr }]);
  });

  it('need the scope of persons', async () => {
    const { text: key } = await service.newKey({ scopes: ['event:read'] });
    const body = { distinct_ids: ['ada'] };
    expect((await people.call('POST', 'persons/batch_by_distinct_ids', { key, body })).status).toBe(403);
  });
});

describe('the events of a person', () => {
  it('are deleted in the next run, while the person and later events stay', async () => {
    const ada = await people.make(['ada', 'ada-2'], { plan: 'pro' });
    await people.make(['bob']);
    const { status, body } = await people.call('POST', `persons/${ada.uuid}/delete_events`);
    expect(status).toBe(202);
    const { deletion_request_id: id } = body as { deletion_request_id: string };
    expect(await people.activity(`persons/${ada.id}/activity`)).toMatchObject([
      { activity: 'updated', detail: { changes: [{ field: 'events', action: 'deleted' }] } },
    ]);
    const headers = { 'content-type': 'application/x-ndjson' };
    const later = JSON.stringify({
      type: 'event',
      event: 'later',
      distinct_id: 'ada',
      timestamp: '2024-01-03T00:00:00Z',
    });
    await people.call('POST', 'import', { body: later, headers });
    await service.app.get(DeletionsJob).run();
    expect((await people.call('GET', `deletion_requests/${id}`)).body).toMatchObject({
      ...{ person_id: ada.id, distinct_id_count: 2, events_deleted: 2 },
    });
    expect(await people.get(ada.id)).toEqual(ada);
    expect((await people.events({})).map(({ event, distinct_id }) => [event, distinct_id])).toEqual([
      ['later', 'ada'],
      ['seen', 'bob'],
    ]);
  });

  it('of an unknown or foreign person are no request', async () => {
    const ada = await foreign.make(['ada']);
    for (const id of [ada.id, ada.uuid, 77_777])
      expect((await people.call('POST', `persons/${id}/delete_events`)).status).toBe(404);
    expect((await people.call('GET', 'deletion_requests')).body).toMatchObject({ count: 0 });
  });
});

describe('the values of a property of events', () => {
  it('are those of persons/values with type=event', async () => {
    const headers = { 'content-type': 'application/x-ndjson' };
    const line = (plan: string) =>
      JSON.stringify({
        type: 'event',
        event: 'paid',
        distinct_id: 'ada',
        timestamp: '2024-01-03T00:00:00Z',
        properties: { plan },
      });
    await people.call('POST', 'import', { body: ['pro', 'pro', 'free'].map(line).join('\n'), headers });
    const values = await people.call('GET', 'events/values', { query: { key: 'plan' } });
    expect(values.body).toMatchObject({
      count: 2,
      results: [
        { name: 'pro', count: 2 },
        { name: 'free', count: 1 },
      ],
    });
    const part = await people.call('GET', 'events/values/', { query: { key: 'plan', value: 'FRE' } });
    expect(part.body).toMatchObject({ count: 1, results: [{ name: 'free' }] });
  });
});
