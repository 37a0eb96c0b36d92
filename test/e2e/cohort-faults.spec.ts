import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { all, any, CohortsOf, did, isIn, where } from '../support/cohorts/cohorts-of.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;

beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, (await service.newProject()).id);
});
afterAll(() => service.stop());

const leaf = 'filters.properties.values.0';
const nested = (depth: number): object =>
  depth === 0 ? { type: 'AND', values: [where('a', 1)] } : { type: 'AND', values: [nested(depth - 1)] };
const sequence = (more: object) =>
  did('a', { value: 'performed_event_sequence', seq_event: 'b', seq_time_value: 1, seq_time_interval: 'day', ...more });
const regularly = (more: object) =>
  did('a', {
    value: 'performed_event_regularly',
    operator: 'gte',
    operator_value: 1,
    min_periods: 1,
    total_periods: 2,
    ...more,
  });
const multiple = (more: object) =>
  did('a', { value: 'performed_event_multiple', operator: 'gte', operator_value: 2, ...more });
const stopped = (more: object) =>
  did('a', { value: 'stopped_performing_event', seq_time_value: 1, seq_time_interval: 'day', ...more });
const group = (more: object) => ({ filters: { properties: { type: 'AND', values: [where('a', 1)], ...more } } });
const crit = (criterion: object) => ({ filters: all(criterion) });

/** What is sent, beside a name, and the path that the answer must name. */
const faults: readonly (readonly [string, object, string | null])[] = [
  ['no name', { name: undefined }, 'name'],
  ['a name of null', { name: null }, 'name'],
  ['a name that is no text', { name: 7 }, 'name'],
  ['a long name', { name: 'n'.repeat(401) }, 'name'],
  ['a long description', { description: 'd'.repeat(1001) }, 'description'],
  ['a description that is no text', { description: [] }, 'description'],
  ['is_static that is no boolean', { is_static: 'yes' }, 'is_static'],
  ['filters that are text', { filters: 'x' }, 'filters'],
  ['filters that are a list', { filters: [] }, 'filters'],
  ['filters without properties', { filters: { other: 1 } }, 'filters.other'],
  ['properties of null', { filters: { properties: null } }, 'filters.properties'],
  ['properties that are a list', { filters: { properties: [] } }, 'filters.properties'],
  ['nothing but a name', {}, 'filters'],
  ['filters of null', { filters: null }, 'filters'],
  ['empty filters', { filters: {} }, 'filters'],
  ['empty groups', { groups: [] }, 'filters'],
  ['empty properties', { filters: { properties: {} } }, 'filters'],
  ['no criteria', { filters: all() }, 'filters'],
  ['groups without criteria', { filters: all({ type: 'OR', values: [] }, { type: 'AND', values: [] }) }, 'filters'],
  ['a static cohort without a source', { is_static: true }, 'person_ids'],
  ['a static cohort with a source of null', { is_static: true, distinct_ids: null }, 'person_ids'],
  ['an unknown key beside properties', { filters: { properties: {}, more: 1 } }, 'filters.more'],
  ['a group without type', { filters: { properties: { values: [] } } }, 'filters.properties.type'],
  ['a group of another type', group({ type: 'XOR' }), 'filters.properties.type'],
  ['a group without values', { filters: { properties: { type: 'AND' } } }, 'filters.properties.values'],
  ['values that are no list', group({ values: {} }), 'filters.properties.values'],
  ['an unknown key of a group', group({ negated: true }), 'filters.properties.negated'],
  ['a value that is no object', group({ values: [3] }), leaf],
  ['leaves beside groups', group({ values: [where('a', 1), { type: 'OR', values: [] }] }), 'filters.properties.values'],
  ['groups nested too deeply', { filters: { properties: nested(20) } }, `filters.properties${'.values.0'.repeat(20)}`],
  [
    'too many criteria',
    { filters: any(...Array.from({ length: 201 }, () => where('a', 1))) },
    'filters.properties.values',
  ],
  ['too many criteria about events', { filters: any(...Array.from({ length: 51 }, () => did('a'))) }, 'filters'],
  ['an unknown type', crit({ type: 'event', key: 'a', value: 1 }), `${leaf}.type`],
  ['a person filter without key', crit({ type: 'person', value: 1 }), `${leaf}.key`],
  ['a person filter whose key is no text', crit({ type: 'person', key: 5, value: 1 }), `${leaf}.key`],
  ['a person filter without value', crit({ type: 'person', key: 'a' }), `${leaf}.value`],
  ['an unknown operator', crit(where('a', 1, { operator: 'like' })), `${leaf}.operator`],
  ['an unknown key of a filter', crit(where('a', 1, { operater: 'exact' })), `${leaf}.operater`],
  ['a negation that is no boolean', crit(where('a', 1, { negation: 'no' })), `${leaf}.negation`],
  ['a bad regular expression', crit(where('a', '(', { operator: 'regex' })), `${leaf}.value`],
  ['one bad regular expression of two', crit(where('a', ['x', '['], { operator: 'not_regex' })), `${leaf}.value.1`],
  ['a bad date', crit(where('a', 'soon', { operator: 'is_date_after' })), `${leaf}.value`],
  ['between with one value', crit(where('a', [1], { operator: 'between' })), `${leaf}.value`],
  ['a value that is an object', crit(where('a', {})), `${leaf}.value`],
  ['a cohort without value', crit({ type: 'cohort', key: 'id' }), `${leaf}.value`],
  ['a cohort whose key is not id', crit({ type: 'cohort', key: 'name', value: 1 }), `${leaf}.key`],
  ['a cohort that is no number', crit(isIn('x' as unknown as number)), `${leaf}.value`],
  ['no cohort at all', crit({ type: 'cohort', key: 'id', value: [] }), `${leaf}.value`],
  ['an unknown cohort', crit(isIn(999_999)), `${leaf}.value`],
  ['an operator that cohorts do not have', crit(isIn(1, { operator: 'gt' })), `${leaf}.operator`],
  ['a behaviour without criterion', crit(did('a', { value: undefined })), `${leaf}.value`],
  ['an unknown criterion', crit(did('a', { value: 'did_it' })), `${leaf}.value`],
  ['a behaviour without event', crit(did('', {})), `${leaf}.key`],
  ['an event that is no text', crit(did('a', { key: 5 })), `${leaf}.key`],
  ['events of another kind', crit(did('a', { event_type: 'elements' })), `${leaf}.event_type`],
  ['an unknown key of a behaviour', crit(did('a', { times: 5 })), `${leaf}.times`],
  ['a key of another criterion', crit(did('a', { min_periods: 5 })), `${leaf}.min_periods`],
  ['no time', crit(did('a', { time_value: undefined })), `${leaf}.time_value`],
  ['no unit of time', crit(did('a', { time_interval: undefined })), `${leaf}.time_interval`],
  ['an unknown unit of time', crit(did('a', { time_interval: 'fortnight' })), `${leaf}.time_interval`],
  ['a time of zero', crit(did('a', { time_value: 0 })), `${leaf}.time_value`],
  ['a time below zero', crit(did('a', { time_value: -1 })), `${leaf}.time_value`],
  ['a time with a fraction', crit(did('a', { time_value: 1.5 })), `${leaf}.time_value`],
  ['a time that is no number', crit(did('a', { time_value: 'long' })), `${leaf}.time_value`],
  ['a time beyond all events', crit(did('a', { time_value: 1000, time_interval: 'year' })), `${leaf}.time_value`],
  ['a bad date of beginning', crit(did('a', { explicit_datetime: 'then' })), `${leaf}.explicit_datetime`],
  [
    'a date of beginning before all calendars',
    crit(did('a', { explicit_datetime: '0001-01-01' })),
    `${leaf}.explicit_datetime`,
  ],
  ['an end without a beginning', crit(did('a', { explicit_datetime_to: '2024-01-01' })), `${leaf}.explicit_datetime`],
  [
    'a bad date of end',
    crit(did('a', { explicit_datetime: '2024-01-01', explicit_datetime_to: 'x' })),
    `${leaf}.explicit_datetime_to`,
  ],
  ['event filters that are no list', crit(did('a', { event_filters: 3 })), `${leaf}.event_filters`],
  ['an event filter about persons', crit(did('a', { event_filters: [where('a', 1)] })), `${leaf}.event_filters.0.type`],
  ['an event filter without value', crit(did('a', { event_filters: [{ key: 'a' }] })), `${leaf}.event_filters.0.value`],
  [
    'a bad regular expression of an event filter',
    crit(did('a', { event_filters: [{ key: 'a', operator: 'regex', value: '(' }] })),
    `${leaf}.event_filters.0.value`,
  ],
  ['a negation of a behaviour that is no boolean', crit(did('a', { negation: 1 })), `${leaf}.negation`],
  ['no number of times', crit(multiple({ operator_value: undefined })), `${leaf}.operator_value`],
  ['a number of times of zero', crit(multiple({ operator_value: 0 })), `${leaf}.operator_value`],
  ['fewer times than once', crit(multiple({ operator: 'lt', operator_value: 1 })), `${leaf}.operator_value`],
  ['an unknown comparison', crit(multiple({ operator: 'ne' })), `${leaf}.operator`],
  ['a sequence without its second event', crit(sequence({ seq_event: undefined })), `${leaf}.seq_event`],
  ['a sequence without a time between', crit(sequence({ seq_time_value: undefined })), `${leaf}.seq_time_value`],
  [
    'a sequence without a unit of the time between',
    crit(sequence({ seq_time_interval: undefined })),
    `${leaf}.seq_time_interval`,
  ],
  ['a second event of another kind', crit(sequence({ seq_event_type: 'elements' })), `${leaf}.seq_event_type`],
  [
    'bad filters of the second event',
    crit(sequence({ seq_event_filters: [{ key: 'a' }] })),
    `${leaf}.seq_event_filters.0.value`,
  ],
  ['no least number of periods', crit(regularly({ min_periods: undefined })), `${leaf}.min_periods`],
  ['no number of periods', crit(regularly({ total_periods: undefined })), `${leaf}.total_periods`],
  ['more periods than there are', crit(regularly({ min_periods: 3 })), `${leaf}.min_periods`],
  [
    'periods beyond all events',
    crit(regularly({ total_periods: 1000, time_value: 1, time_interval: 'year' })),
    `${leaf}.total_periods`,
  ],
  [
    'an explicit date where periods are counted',
    crit(regularly({ explicit_datetime: '2024-01-01' })),
    `${leaf}.explicit_datetime`,
  ],
  ['a recent time as long as the whole', crit(stopped({ seq_time_value: 30 })), `${leaf}.seq_time_value`],
  [
    'no recent time',
    crit(stopped({ value: 'restarted_performing_event', seq_time_value: undefined })),
    `${leaf}.seq_time_value`,
  ],
  ['groups that are no list', { groups: {} }, 'groups'],
  ['a group of the oldest form that is no object', { groups: [1] }, 'groups.0'],
  ['a group of the oldest form that says nothing', { groups: [{ days: 3 }] }, 'groups.0'],
  ['an unknown key of the oldest form', { groups: [{ event_id: 'a', dayz: 3 }] }, 'groups.0.dayz'],
  [
    'a comparison of the oldest form without a count',
    { groups: [{ event_id: 'a', count_operator: 1.5 }] },
    'groups.0.count_operator',
  ],
  ['a query without is_static', { query: { kind: 'HogQLQuery', query: 'select 1' } }, 'query'],
  ['a query beside filters', { query: { kind: 'HogQLQuery' }, is_static: true, ...crit(where('a', 1)) }, 'query'],
  ['a query without a column of persons', { query: 'select 1', is_static: true }, 'query'],
  ['a query of another kind', { query: { kind: 'ActorsQuery' }, is_static: true }, 'query.kind'],
  ['filters of a static cohort', { is_static: true, ...crit(where('a', 1)) }, 'filters'],
  ['groups of a static cohort', { is_static: true, groups: [{ event_id: 'a' }] }, 'groups'],
  ['members of a dynamic cohort', { distinct_ids: ['a'] }, 'distinct_ids'],
  ['members that are no list', { is_static: true, person_ids: 5 }, 'person_ids'],
  ['a member that is no id', { is_static: true, person_ids: [1, 'x'] }, 'person_ids.1'],
  ['a distinct id that is no text', { is_static: true, distinct_ids: [{}] }, 'distinct_ids.0'],
];

describe('what can be known to be wrong with a cohort', () => {
  it('is more than sixty things', () => expect(faults.length).toBeGreaterThan(60));

  it.each(faults)('%s is a 400 that names it', async (_, body, attr) => {
    const answer = await of.call('POST', 'cohorts', { body: { name: 'c', ...body } });
    const { status, type, attr: named, detail } = answer.body as Record<string, unknown>;
    expect([status, type, named, detail]).toEqual([400, 'validation_error', attr, expect.stringMatching(/./)]);
  });

  it('leaves nothing behind', async () => {
    expect((await of.call('GET', 'cohorts')).body).toMatchObject({ count: 0 });
  });
});

describe('a change of a cohort', () => {
  it('may not make it lead back to itself', async () => {
    const a = await of.create({ filters: all(where('a', 1)) });
    const b = await of.create({ filters: all(isIn(a.id)) });
    const c = await of.create({ filters: all(where('a', 1), isIn(b.id)) });
    const patch = async (filters: object) => {
      const answer = await of.call('PATCH', `cohorts/${a.id}`, { body: { filters } });
      const { status, attr } = answer.body as Record<string, unknown>;
      return [status, attr];
    };
    expect(await patch(all(isIn(a.id)))).toEqual([400, `${leaf}.value`]);
    expect(await patch(all(isIn(b.id)))).toEqual([400, `${leaf}.value`]);
    expect(await patch(any(where('a', 1), isIn(c.id)))).toEqual([400, 'filters.properties.values.1.value']);
  });

  it('takes the type event of filters in the oldest form for person, and documents it', async () => {
    const groups = [{ properties: [{ key: 'plan', value: 'pro', type: 'event' }] }];
    const { status, body } = await service.call('POST', `/api/projects/${service.project.id}/cohorts`, {
      body: { name: 'oldest', groups },
    });
    expect([status, JSON.stringify(body)]).toEqual([201, expect.stringContaining('"type":"person"')]);
  });

  it('keeps a criterion', async () => {
    const { id } = await of.create({ filters: all(where('a', 1)) });
    for (const body of [{ filters: {}, groups: [] }, { filters: { properties: {} } }, { filters: all() }]) {
      const answer = await of.call('PATCH', `cohorts/${id}`, { body });
      expect([answer.status, answer.body]).toMatchObject([400, { attr: 'filters', code: 'invalid_input' }]);
    }
    expect(await of.cohort(id)).toMatchObject({ filters: all(where('a', 1)) });
  });

  it('without criteria, from an earlier release, is sent back, renamed and restored', async () => {
    const { id } = await of.create({ filters: all(where('a', 1)) });
    const none = { properties: {} };
    await service.pool.query('UPDATE cohorts SET filters = $2 WHERE id = $1', [id, JSON.stringify(none)]);
    const record = await of.cohort(id);
    expect(await of.change(id, { ...record, name: 'Renamed' })).toMatchObject({ name: 'Renamed', filters: none });
    await of.change(id, { deleted: true });
    expect(await of.change(id, { deleted: false })).toMatchObject({ deleted: false, filters: none });
  });

  it('may be static with an empty list, to which persons are added later', async () => {
    for (const source of [{ person_ids: [] }, { distinct_ids: [] }])
      expect(await of.create({ is_static: true, ...source })).toMatchObject({ is_static: true, count: 0 });
  });

  it('may not change what kind it is, nor its name to nothing', async () => {
    const { id } = await of.create({ filters: all(where('a', 1)) });
    const patch = async (body: object) => (await of.call('PATCH', `cohorts/${id}`, { body })).body;
    expect(await patch({ is_static: true })).toMatchObject({ status: 400, attr: 'is_static' });
    expect(await patch({ name: null })).toMatchObject({ status: 400, attr: 'name' });
    expect(await patch({ deleted: 'yes' })).toMatchObject({ status: 400, attr: 'deleted' });
    expect(await patch({ distinct_ids: ['a'] })).toMatchObject({ status: 400, attr: 'distinct_ids' });
    expect((await of.call('PATCH', 'cohorts/999999', { body: { name: 'x' } })).status).toBe(404);
    expect((await of.call('PATCH', `cohorts/${id}`, { body: {}, query: { wait: 61 } })).body).toMatchObject({
      attr: 'wait',
    });
  });
});
