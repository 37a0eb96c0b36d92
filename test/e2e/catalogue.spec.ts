import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CatalogueEventDto,
  type CataloguePropertiesPage,
  type CataloguePropertyDto,
} from '../../src/catalogue/catalogue.dto.js';
import { type Page } from '../../src/platform/http/page.dto.js';
import { all, CohortsOf, did, where } from '../support/cohorts/cohorts-of.js';
import { type CallOptions, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;

const headers = { 'X-Test-Now': '2024-03-10T12:00:00Z' };

const event = (name: string, timestamp: string, properties: object = {}) => ({
  ...{ type: 'event', event: name, distinct_id: 'ada', timestamp, properties },
});

/** 10 February is the first of the thirty days before the moment of the requests. */
const lines = [
  { type: 'person', distinct_ids: ['ada'], properties: { email: 'ada@example.test', age: 36 } },
  { type: 'person', distinct_ids: ['bob'], properties: { age: 'unknown' } },
  event('paid', '2024-01-01T00:00:00Z', { old: 1 }),
  event('paid', '2024-02-10T00:00:00Z', { plan: 'pro', 'a.b': true }),
  event('signed up', '2024-02-09T23:59:59Z'),
  event('signed up', '2024-03-05T10:00:00Z', { plan: 7 }),
  event('signed up', '2024-03-10T11:00:00Z', { plan: 'free' }),
  event('Seen once', '2023-01-01T00:00:00Z'),
  event('$set', '2024-03-05T10:00:00Z'),
];

beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, service.project.id);
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const sent = { body, headers: { 'content-type': 'application/x-ndjson' } };
  expect((await of.call('POST', 'import', sent)).body).toMatchObject({ rejected: [] });
});
afterAll(() => service.stop());

const get = async <T>(path: string, query: CallOptions['query'] = {}, key = service.key): Promise<T> => {
  const answer = await of.call('GET', path, { query: { ...query }, headers, key });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as T;
};

const events = async (query: CallOptions['query'] = {}, key = service.key): Promise<CatalogueEventDto[]> => [
  ...(await get<Page<CatalogueEventDto>>('catalogue/events', query, key)).results,
];
const properties = async (query: CallOptions['query'] = {}): Promise<CataloguePropertyDto[]> => [
  ...(await get<CataloguePropertiesPage>('catalogue/properties', query)).results,
];
const describeName = (kind: 'events' | 'properties', body: object, key = service.key) =>
  of.call('PATCH', `catalogue/${kind}`, { body, headers, key });

const none = { cohorts: [], insights: [], actions: [] };

describe('the events of the catalogue', () => {
  it('have their numbers of thirty days, and the times of their first and last event', async () => {
    const plain = { description: '', owner: null, hidden: false, tags: [], used_by: none };
    expect(await events()).toEqual([
      {
        ...{ name: 'signed up', volume_30_days: 2, ...plain },
        ...{ first_seen: '2024-02-09T23:59:59.000Z', last_seen: '2024-03-10T11:00:00.000Z' },
      },
      {
        ...{ name: 'paid', volume_30_days: 1, ...plain },
        ...{ first_seen: '2024-01-01T00:00:00.000Z', last_seen: '2024-02-10T00:00:00.000Z' },
      },
      {
        ...{ name: 'Seen once', volume_30_days: 0, ...plain },
        ...{ first_seen: '2023-01-01T00:00:00.000Z', last_seen: '2023-01-01T00:00:00.000Z' },
      },
    ]);
    expect((await events({ search: 'SE' })).map(({ name }) => name)).toEqual(['Seen once']);
    const second = await get<Page<CatalogueEventDto>>('catalogue/events', { limit: 1, offset: 1 });
    expect([second.count, second.results.map(({ name }) => name)]).toEqual([3, ['paid']]);
    expect((await get<Page<CatalogueEventDto>>('catalogue/events', { offset: 5 })).count).toBe(3);
  });

  it('get a description and an owner, and the change is logged', async () => {
    const user = (await service.call('GET', '/api/users/@me')).body as { id: number };
    const answer = await describeName('events', { name: 'paid', description: 'Money came', owner: user.id });
    expect(answer.body).toMatchObject({ name: 'paid', description: 'Money came', owner: { email: service.email } });
    expect((await describeName('events', { name: 'paid', owner: null })).body).toMatchObject({
      description: 'Money came',
      owner: null,
    });
    const entries = await of.activity('activity', { scope: 'Definition' });
    expect(entries.map(({ item_id: id, detail }) => [id, detail.changes.map(({ field }) => field)])).toEqual([
      ['event paid', ['owner']],
      ['event paid', ['description', 'owner']],
    ]);
  });

  it('are hidden from lists of names, and not from answers', async () => {
    const names = async (query: CallOptions['query'] = {}) =>
      (await get<Page<{ name: string }>>('events/names', query)).results.map(({ name }) => name).sort();
    expect((await describeName('events', { name: 'Seen once', hidden: true })).body).toMatchObject({ hidden: true });
    expect(await names()).toEqual(['paid', 'signed up']);
    expect(await names({ include_hidden: 'true' })).toEqual(['Seen once', 'paid', 'signed up']);
    expect((await events({ hidden: 'true' })).map(({ name }) => name)).toEqual(['Seen once']);
    expect((await events({ hidden: 'false' })).map(({ name }) => name)).toEqual(['signed up', 'paid']);
    expect(await events()).toHaveLength(3);
    const query = { events: '[{"id":"Seen once"}]', date_from: 'all', interval: 'month', include: 'insight' };
    const { insight } = await get<{ insight: { series: { count: number }[] } }>('persons/trends', query);
    expect(insight.series[0]?.count).toBe(1);
    await describeName('events', { name: 'Seen once', hidden: false });
    expect(await names()).toEqual(['Seen once', 'paid', 'signed up']);
  });

  it('name the cohorts, saved questions and actions that use them', async () => {
    const cohort = await of.create({ name: 'Payers', filters: all(did('paid')) });
    const sequence = did('signed up', {
      ...{ value: 'performed_event_sequence', seq_event: 'paid', seq_time_value: 1, seq_time_interval: 'day' },
      event_filters: [{ type: 'event', key: 'plan', value: 'pro' }],
    });
    const second = await of.create({ name: 'Then paid', filters: all(sequence, where('age', 36)) });
    const action = { name: 'Pays', steps: [{ event: 'paid', properties: [{ key: 'plan', value: 'pro' }] }] };
    const { id: actionId } = (await of.call('POST', 'actions', { body: action })).body as { id: number };
    const save = async (name: string, question: object) =>
      ((await of.call('POST', 'insights', { body: { name, question } })).body as { id: number }).id;
    const trends = await save('Sums', {
      type: 'trends',
      params: { events: [{ id: 'paid' }], breakdown: 'age', breakdown_type: 'person' },
    });
    const sql = await save('In SQL', {
      type: 'sql',
      params: { query: "select count() from events where event = 'paid' and properties.plan = 'pro'" },
    });
    const usedBy = async (name: string, key?: string) =>
      (await events({}, key)).find((one) => one.name === name)?.used_by;
    expect(await usedBy('paid')).toEqual({
      cohorts: [
        { id: cohort.id, name: 'Payers' },
        { id: second.id, name: 'Then paid' },
      ],
      insights: [
        { id: trends, name: 'Sums' },
        { id: sql, name: 'In SQL' },
      ],
      actions: [{ id: actionId, name: 'Pays' }],
    });
    expect((await usedBy('signed up'))?.cohorts).toEqual([{ id: second.id, name: 'Then paid' }]);
    expect(await usedBy('Seen once')).toEqual(none);
    const ofProperty = async (kind: string, name: string) =>
      (await properties({ kind })).find((one) => one.name === name)?.used_by;
    expect(await ofProperty('event', 'plan')).toEqual({
      cohorts: [{ id: second.id, name: 'Then paid' }],
      insights: [{ id: sql, name: 'In SQL' }],
      actions: [{ id: actionId, name: 'Pays' }],
    });
    expect(await ofProperty('person', 'age')).toEqual({
      cohorts: [{ id: second.id, name: 'Then paid' }],
      insights: [{ id: trends, name: 'Sums' }],
      actions: [],
    });
    const { text: key } = await service.newKey({ scopes: ['event:read', 'action:read'] });
    expect(await usedBy('paid', key)).toEqual({ ...none, actions: [{ id: actionId, name: 'Pays' }] });
  });
});

describe('the properties of the catalogue', () => {
  it('of events have their numbers of thirty days and their types', async () => {
    const page = await get<CataloguePropertiesPage>('catalogue/properties');
    expect([page.counted_since, page.count]).toEqual(['2024-02-10', 2]);
    expect(page.results).toMatchObject([
      {
        ...{ name: 'plan', kind: 'event', volume_30_days: 3, persons: null, types: ['number', 'text'] },
        last_seen: '2024-03-10T11:00:00.000Z',
      },
      { name: 'a.b', volume_30_days: 1, types: ['boolean'], last_seen: '2024-02-10T00:00:00.000Z' },
    ]);
    expect((await properties({ search: 'A.' })).map(({ name }) => name)).toEqual(['a.b']);
  });

  it('of events follow new events', async () => {
    const later = new CohortsOf(service, (await service.newProject()).id);
    const add = (line: object) =>
      later.call('POST', 'import', {
        body: JSON.stringify(line),
        headers: { 'content-type': 'application/x-ndjson' },
      });
    const volumes = async () => {
      const { body } = await later.call('GET', 'catalogue/properties', { headers });
      return (body as CataloguePropertiesPage).results.map(({ name, volume_30_days: volume }) => [name, volume]);
    };
    await add(event('a', '2024-03-05T10:00:00Z', { x: 1 }));
    await add(event('a', '2024-03-06T10:00:00Z', { x: 1 }));
    expect(await volumes()).toEqual([['x', 2]]);
    await add(event('a', '2024-03-06T11:00:00Z', { x: 1, y: 1 }));
    expect(await volumes()).toEqual([
      ['x', 3],
      ['y', 1],
    ]);
  });

  it('of persons have the number of persons', async () => {
    const found = await properties({ kind: 'person' });
    expect(found).toMatchObject([
      { name: 'age', kind: 'person', volume_30_days: null, persons: 2, last_seen: null, types: ['number', 'text'] },
      { name: 'email', persons: 1, types: ['text'] },
    ]);
  });

  it('are described and hidden', async () => {
    const body = { name: 'email', kind: 'person', description: 'Where to write', hidden: true };
    expect((await describeName('properties', body)).body).toMatchObject({
      ...{ name: 'email', kind: 'person', persons: 1, description: 'Where to write', hidden: true },
    });
    const listed = async (path: string, query: CallOptions['query'] = {}) =>
      (await get<Page<{ name: string }>>(path, query)).results.map(({ name }) => name);
    expect(await listed('persons/properties')).toEqual(['age']);
    expect(await listed('persons/properties', { include_hidden: 'true' })).toEqual(['age', 'email']);
    expect(await listed('persons/values')).toEqual(['age']);
    expect(await listed('persons/values', { key: 'email' })).toEqual(['ada@example.test']);
    expect((await properties({ kind: 'person', hidden: 'true' })).map(({ name }) => name)).toEqual(['email']);
  });
});

describe('a name', () => {
  it('is described only where it is known, by a key of the project that may change it', async () => {
    const foreign = await service.newProject();
    const path = `/api/projects/${foreign.id}/catalogue/events`;
    const unknown = await service.call('PATCH', path, { body: { name: 'paid', description: 'x' } });
    expect([unknown.status, (unknown.body as { detail: string }).detail]).toEqual([
      404,
      'there is no event named paid',
    ]);
    expect((await describeName('properties', { name: 'age' })).status).toBe(404);
    // Larger than a column of integers takes.
    expect((await describeName('events', { name: 'paid', owner: 4_294_967_296 })).status).toBe(400);
    expect((await describeName('events', { name: 'paid', owner: 2_000_000_000 })).body).toMatchObject({
      status: 400,
      attr: 'owner',
    });
    const reader = (await service.newKey({ scopes: ['event:read', 'project:read'] })).text;
    expect((await describeName('events', { name: 'paid', hidden: true }, reader)).status).toBe(403);
    expect((await of.call('GET', 'catalogue/properties', { query: { kind: 'person' }, key: reader })).status).toBe(403);
  });

  it('has no owner whom only another project knows', async () => {
    const { text: key } = await service.newKey({
      email: `elsewhere-${Date.now()}@example.test`,
      projectIds: [(await service.newProject()).id],
    });
    const stranger = (await service.call('GET', '/api/users/@me', { key })).body as { id: number };
    expect((await describeName('events', { name: 'paid', owner: stranger.id })).body).toMatchObject({
      status: 400,
      attr: 'owner',
    });
  });
});
