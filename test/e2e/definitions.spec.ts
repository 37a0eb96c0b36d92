import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventDefinitionDto, type PropertyDefinitionDto } from '../../src/catalogue/definition.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: PersonsOf;

const today = new Date().toISOString();

beforeAll(async () => {
  service = await sharedService();
  of = new PersonsOf(service, service.project.id);
  const person = { type: 'person', distinct_ids: ['ada'], properties: { plan: 'pro', age: 36 } };
  const event = (name: string, properties: object) => ({
    ...{ type: 'event', event: name, distinct_id: 'ada', timestamp: today, properties },
  });
  const lines = [
    person,
    event('paid', { amount: 12, currency: 'EUR', '$feature/new': true }),
    event('paid', { amount: 7.5, currency: 'EUR' }),
    event('seen', { $browser: 'Firefox', mixed: 1 }),
    event('seen', { mixed: 'one' }),
    event('seen', {}),
  ];
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const { status } = await of.call('POST', 'import', { body, headers: { 'content-type': 'application/x-ndjson' } });
  expect(status).toBe(200);
});
afterAll(() => service.stop());

const events = async (query: Record<string, string | number> = {}) =>
  (await of.call('GET', 'event_definitions', { query })).body as { count: number; results: EventDefinitionDto[] };
const properties = async (query: Record<string, string | number> = {}) =>
  (await of.call('GET', 'property_definitions', { query })).body as {
    count: number;
    results: PropertyDefinitionDto[];
  };
const names = async (query: Record<string, string | number>) =>
  (await properties(query)).results.map(({ name }) => name).sort();

describe('the definitions of events', () => {
  it('are the names of the catalogue, with ids that stay the same', async () => {
    const { count, results } = await events();
    expect([count, results.map(({ name, volume_30_day: volume }) => [name, volume])]).toEqual([
      2,
      [
        ['seen', 3],
        ['paid', 2],
      ],
    ]);
    expect(results[1]).toMatchObject({ description: '', tags: [], hidden: false, last_seen_at: today });
    expect((await of.call('GET', `event_definitions/${results[1]?.id}`)).body).toEqual(results[1]);
    expect(await events({ search: 'PAI' })).toMatchObject({ count: 1, results: [results[1]] });
    expect(await events({ limit: 1, offset: 1 })).toMatchObject({ count: 2, results: [results[1]] });
  });

  it('can be described, tagged and hidden, which the catalogue shows too', async () => {
    const [, paid] = (await events()).results;
    const path = `event_definitions/${paid?.id}`;
    const change = { description: 'Money came.', tags: ['shop', 'money', 'shop'], hidden: true };
    const { status, body } = await of.call('PATCH', path, { body: change });
    expect([status, body]).toEqual([200, { ...paid, ...change, tags: ['money', 'shop'] }]);
    expect((await of.call('PATCH', path, { body: body as object })).body).toEqual(body);
    const { body: catalogue } = await of.call('GET', 'catalogue/events', { query: { search: 'paid' } });
    expect(catalogue).toMatchObject({
      results: [{ description: 'Money came.', tags: ['money', 'shop'], hidden: true }],
    });
    expect(await events({ exclude_hidden: 'true' })).toMatchObject({ count: 1, results: [{ name: 'seen' }] });
    const [entry] = await of.activity('activity', { scope: 'Definition' });
    expect(entry?.detail.changes.map(({ field }) => field)).toEqual(['description', 'hidden', 'tags']);
    expect((await of.call('PATCH', path, { body: { name: 'other' } })).status).toBe(400);
    await of.call('PATCH', path, { body: { hidden: false, tags: null } });
  });

  it('of other projects, and unknown ones, are not found', async () => {
    const foreign = new PersonsOf(service, (await service.newProject()).id);
    const [seen] = (await events()).results;
    expect((await foreign.call('GET', `event_definitions/${seen?.id}`)).status).toBe(404);
    expect((await of.call('GET', 'event_definitions/seen')).status).toBe(404);
    expect((await of.call('PATCH', 'property_definitions/1', { body: { description: 'x' } })).status).toBe(404);
  });
});

describe('the definitions of properties', () => {
  it('have their types', async () => {
    const { results } = await properties();
    const types = results.map(({ name, property_type, is_numerical }) => [name, property_type, is_numerical]);
    expect(types.sort()).toEqual([
      ['$browser', 'String', false],
      ['$feature/new', 'Boolean', false],
      ['amount', 'Numeric', true],
      ['currency', 'String', false],
      ['mixed', null, false],
    ]);
    expect((await properties({ type: 'person' })).results).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ name: 'age', property_type: 'Numeric', type: 'person' })]),
    );
    expect(await properties({ type: 'group' })).toMatchObject({ count: 0, results: [] });
  });

  it('are selected by name, type and events', async () => {
    const paid = JSON.stringify(['paid']);
    expect(await names({ search: 'AM' })).toEqual(['amount']);
    expect(await names({ is_numerical: 'true' })).toEqual(['amount']);
    expect(await names({ is_feature_flag: 'true' })).toEqual(['$feature/new']);
    expect(await names({ exclude_core_properties: 'true' })).toEqual(['amount', 'currency', 'mixed']);
    expect(await names({ properties: JSON.stringify(['amount', 'mixed']) })).toEqual(['amount', 'mixed']);
    expect(await names({ properties: 'amount,currency' })).toEqual(['amount', 'currency']);
    expect((await of.call('GET', 'property_definitions', { query: { event_names: '[1' } })).status).toBe(400);
    expect(await names({ excluded_properties: JSON.stringify(['amount', '$browser']) })).toEqual([
      ...['$feature/new', 'currency', 'mixed'],
    ]);
    expect(await names({ event_names: paid, filter_by_event_names: 'true' })).toEqual([
      ...['$feature/new', 'amount', 'currency'],
    ]);
    const seen = (await properties({ event_names: paid })).results;
    expect(
      seen
        .filter(({ is_seen_on_filtered_events: is }) => is)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...['$feature/new', 'amount', 'currency']]);
    expect(await properties({ limit: 1 })).toMatchObject({ count: 5, results: [expect.anything()] });
  });

  it('can be described and tagged', async () => {
    const [amount] = (await properties({ search: 'amount' })).results;
    const path = `property_definitions/${amount?.id}`;
    const { body } = await of.call('PATCH', path, { body: { tags: ['money'] } });
    expect(body).toEqual({ ...amount, tags: ['money'] });
    expect((await of.call('GET', path)).body).toEqual(body);
  });

  it('need their scopes: those of persons need that of persons too', async () => {
    const { text: key } = await service.newKey({ scopes: ['property_definition:read'] });
    expect((await of.call('GET', 'property_definitions', { key })).status).toBe(200);
    expect((await of.call('GET', 'property_definitions', { key, query: { type: 'person' } })).status).toBe(403);
    expect((await of.call('GET', 'event_definitions', { key })).status).toBe(403);
    const { text: older } = await service.newKey({ scopes: ['event:read'] });
    expect((await of.call('GET', 'event_definitions', { key: older })).status).toBe(200);
  });
});
