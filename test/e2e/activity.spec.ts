import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { recordActivity } from '../../src/kernel/activity/record-activity.js';
import { type Page } from '../../src/platform/http/page.dto.js';
import { type ProjectContext } from '../../src/kernel/access/project-context.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { inTransaction } from '../../src/platform/postgres/transaction.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
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

const set = (person: PersonDto, properties: object, headers: Record<string, string> = {}) =>
  people.call('PATCH', `persons/${person.id}`, { body: { properties }, headers });
const page = async (path: string, query: Record<string, string | number> = {}) =>
  (await people.call('GET', path, { query })).body as Page<ActivityEntryDto>;
const change = (action: string, field: string | null) => ({ type: 'Person', action, field, before: null, after: null });

describe('the activity of a person', () => {
  it('tells who changed what in which request, newest first, one entry a write, and no values', async () => {
    const ada = await people.make(['ada', 'b'], { plan: 'free', city: 'Ulm' });
    const headers = { 'X-Request-Id': 'req-1', 'X-Test-Now': '2030-01-02T03:04:05.678Z' };
    await set(ada, { plan: 'secret', nick: 'secret', city: 'Ulm' }, headers);
    await people.call('POST', `persons/${ada.id}/update_property`, { body: { key: 'plan', value: 'secret' } });
    await people.call('POST', `persons/${ada.id}/update_property`, { body: { key: 'city', value: 'secret' } });
    await people.call('POST', `persons/${ada.id}/delete_property`, { body: { $unset: 'city' } });
    await people.call('POST', `persons/${ada.id}/split`, { body: { main_distinct_id: null } });
    await people.call('DELETE', `persons/${ada.id}`);
    const { count, results } = await page(`persons/${ada.id}/activity`);
    expect(count).toBe(5);
    expect(JSON.stringify(results)).not.toContain('"b"');
    expect(results.map(({ activity, detail }) => [activity, detail])).toEqual([
      ['deleted', { name: ada.uuid, changes: [change('deleted', null)] }],
      [
        'split_person',
        {
          name: ada.uuid,
          changes: [
            {
              ...change('split', null),
              before: {},
              after: { distinct_ids: 2, distinct_ids_to_split: 1, split_person_ids: [expect.any(Number)] },
            },
          ],
        },
      ],
      ['delete_property', { name: ada.uuid, changes: [change('deleted', 'city')] }],
      ['updated', { name: null, changes: [change('changed', 'city')] }],
      ['updated', { name: null, changes: [change('changed', 'plan'), change('created', 'nick')] }],
    ]);
    expect(results[4]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      user: { id: expect.any(Number), first_name: service.email.split('@')[0], last_name: '', email: service.email },
      scope: 'Person',
      item_id: String(ada.id),
      created_at: '2030-01-02T03:04:05.678Z',
      request_id: 'req-1',
    });
    expect(JSON.stringify(results)).not.toContain('secret');
  });

  it('holds only its own entries, by integer id and by uuid, and is empty for a person nobody touched', async () => {
    const [ada, bob, eve] = [await people.make(['ada']), await people.make(['bob']), await people.make(['eve'])];
    await set(ada, { a: 1 });
    await set(bob, { b: 1 });
    const fields = async (path: string) =>
      (await page(path)).results.map(({ detail }) => detail.changes.map(({ field }) => field).join());
    expect(await fields(`persons/${ada.id}/activity`)).toEqual(['a']);
    expect(await fields(`persons/${bob.uuid}/activity`)).toEqual(['b']);
    expect(await page(`persons/${eve.id}/activity`)).toEqual({ count: 0, next: null, previous: null, results: [] });
    expect(await fields('persons/activity')).toEqual(['b', 'a']);
  });

  it('is found by the integer id after the person was deleted; an unknown person is 404, and so is another project’s', async () => {
    const ada = await people.make(['ada']);
    await people.call('DELETE', `persons/${ada.id}`);
    expect((await page(`persons/${ada.id}/activity`)).count).toBe(1);
    const elsewhere = new PersonsOf(service, (await service.newProject()).id);
    for (const [where, id] of [
      [people, ada.uuid],
      [people, 999_999],
      [elsewhere, ada.id],
    ] as const) {
      expect((await where.call('GET', `persons/${id}/activity`)).status).toBe(404);
    }
    expect((await people.call('GET', 'persons/ada/activity')).status).toBe(400);
    expect(await elsewhere.activity()).toEqual([]);
  });

  it('names the service itself where no user acted', async () => {
    const ada = await people.make(['ada']);
    const pool = service.pool;
    const project = { id: people.projectId } as ProjectContext;
    const activity = { scope: 'Person', itemId: String(ada.id), activity: 'updated', name: null, changes: [] } as const;
    await inTransaction(pool, (client) =>
      recordActivity(client, project, activity, { userId: null, requestId: 'job', now: new Date() }),
    );
    const [entry] = await people.activity(`persons/${ada.id}/activity`);
    expect(entry?.user).toEqual({ id: null, first_name: 'System', last_name: '', email: null, is_system: true });
  });

  it('has no entry for what was refused or rolled back', async () => {
    const ada = await people.make(['ada']);
    await people.call('DELETE', 'persons/999999');
    await people.call('POST', `persons/${ada.id}/split`, { body: { main_distinct_id: 'nobody' } });
    await set(ada, { big: 'x'.repeat(700_000) });
    expect(await people.activity()).toEqual([]);
  });
});

describe('the activity of a project', () => {
  it('holds its creation and changes, imports with counts, exports and changes of persons, and no token', async () => {
    const made = await service.call('POST', '/api/projects', { body: { name: 'audited' } });
    const { id, api_token } = made.body as { id: number; api_token: string };
    const audited = new PersonsOf(service, id);
    const ada = await audited.make(['ada'], { plan: 'free' });
    await service.call('PATCH', `/api/projects/${id}`, { body: { timezone: 'Europe/Berlin', name: 'audited' } });
    await audited.call('PATCH', `persons/${ada.id}`, { body: { properties: { plan: 'pro' } } });
    const csv = await audited.call('GET', 'persons', { query: { format: 'csv', search: 'ada@secret.test' } });
    expect(csv.status).toBe(200);
    const all = () => audited.activity('activity', { limit: 100 });
    for (let tries = 0; tries < 100 && (await all()).length < 5; tries += 1) await sleep(20);
    const entries = await all();
    expect(entries.map(({ scope, activity }) => `${scope} ${activity}`)).toEqual([
      'Export exported',
      'Person updated',
      'Project updated',
      'Import imported',
      'Project created',
    ]);
    const [exported, , updated, imported] = entries;
    expect(exported).toMatchObject({ item_id: 'persons', user: { email: service.email } });
    expect(exported?.detail.changes[0]?.after).toEqual({ format: 'csv', complete: true });
    expect(updated?.detail.changes).toEqual([
      { type: 'Project', action: 'changed', field: 'timezone', before: 'UTC', after: 'Europe/Berlin' },
    ]);
    expect(imported?.detail.changes[0]?.after).toEqual({ persons: 1, events: 1, duplicates: 0, rejected: 0 });
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${api_token}|secret`));
    const imports = await audited.activity('activity', { scope: 'Import' });
    expect(imports.map(({ scope }) => scope)).toEqual(['Import']);
    expect((await audited.call('GET', 'activity', { query: { scope: 'Nothing' } })).status).toBe(400);
    const [first] = entries;
    const ofItem = { scope: first?.scope ?? '', item_id: first?.item_id ?? '' };
    const aboutIt = entries.filter((entry) => entry.scope === ofItem.scope && entry.item_id === ofItem.item_id);
    expect(await audited.activity('activity', ofItem)).toEqual(aboutIt);
    expect((await audited.call('GET', 'activity', { query: { item_id: '1' } })).body).toMatchObject({ attr: 'scope' });
    expect((await audited.call('GET', 'activity', { query: { format: 'csv' } })).status).toBe(200);
  });
});

describe('pages of activity', () => {
  const fill = async (entries: number): Promise<PersonDto> => {
    const ada = await people.make(['ada']);
    for (let at = 1; at <= entries; at += 1) await set(ada, { [`k${at}`]: at });
    return ada;
  };
  const keys = ({ results }: Page<ActivityEntryDto>) => results.map(({ detail }) => detail.changes[0]?.field);
  const follow = async (link: string | null): Promise<Page<ActivityEntryDto>> => {
    const url = new URL(link ?? '');
    return (await service.call('GET', url.pathname, { query: Object.fromEntries(url.searchParams) }))
      .body as Page<ActivityEntryDto>;
  };

  it('hold ten entries unless the request says otherwise, and lead on by links', async () => {
    const ada = await fill(12);
    const first = await page(`persons/${ada.id}/activity`);
    expect([first.count, first.previous, first.results.length]).toEqual([12, null, 10]);
    const second = await follow(first.next);
    expect([keys(second), second.next]).toEqual([['k2', 'k1'], null]);
    expect(keys(await follow(second.previous))).toEqual(keys(first));
  });

  it('are counted by page or by offset, and the links keep what was used', async () => {
    await fill(5);
    const second = await page('persons/activity', { limit: 2, page: 2 });
    expect(keys(second)).toEqual(['k3', 'k2']);
    expect(new URL(second.next ?? '').searchParams.get('page')).toBe('3');
    expect(keys(await follow(second.next))).toEqual(['k1']);
    expect(keys(await follow(second.previous))).toEqual(['k5', 'k4']);
    expect(keys(await page('persons/activity', { limit: 2, offset: 2 }))).toEqual(['k3', 'k2']);
    expect(keys(await page('persons/activity', { limit: 2, offset: 2, page: 2 }))).toEqual(['k3', 'k2']);
    expect(keys(await page('persons/activity', { page: 9 }))).toEqual([]);
  });

  it.each([
    ['page', { page: 2, offset: 3 }],
    ['page', { page: 0 }],
    ['page', { page: 'x' }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 1001 }],
    ['offset', { offset: -1 }],
    ['format', { format: 'xml' }],
  ])('refuse a wrong %s: %j', async (attr, query) => {
    const answer = await people.call('GET', 'persons/activity', { query });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr })]);
  });

  it('are the whole list as CSV, or a page of it when a limit is given', async () => {
    const ada = await fill(12);
    const answer = await people.call('GET', `persons/${ada.id}/activity`, { query: { format: 'csv' } });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="person-activity.csv"');
    const [header, ...rows] = answer.text.trimEnd().split('\r\n');
    expect(header).toBe('id,created_at,user_id,user_email,activity,scope,item_id,request_id,name,changes');
    expect(rows).toHaveLength(12);
    expect(rows[0]).toMatch(new RegExp(`${service.email},updated,Person,${ada.id},.*""field"":""k12""`));
    const part = await people.call('GET', 'persons/activity', { query: { format: 'csv', limit: 2, offset: 1 } });
    expect(part.text.trimEnd().split('\r\n').slice(1)).toEqual(rows.slice(1, 3));
  });
});
