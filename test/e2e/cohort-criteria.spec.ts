import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { all, any, CohortsOf, did } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;

const event = (distinct_id: string, name: string, timestamp: string) => ({
  ...{ type: 'event', event: name, distinct_id, timestamp },
});
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, service.project.id);
  await importLines(service, service.project.id, [
    personLine('zero'),
    ...['one', 'two', 'two', 'three', 'three', 'three'].map((who) => event(who, 'paid', '2024-03-01T10:00:00Z')),
    // Around the first of March.
    event('before', 'seen', '2024-02-29T23:59:59.999Z'),
    event('begin', 'seen', '2024-03-01T00:00:00.000Z'),
    event('end', 'seen', '2024-03-01T23:59:59.999Z'),
    event('after', 'seen', '2024-03-02T00:00:00.000Z'),
    event('again', 'seen', '2024-02-01T10:00:00Z'),
    event('again', 'seen', '2024-03-01T10:00:00Z'),
    // One thing, and then another.
    event('hour', 'asked', '2024-03-01T10:00:00Z'),
    event('hour', 'got', '2024-03-01T11:00:00Z'),
    event('long', 'asked', '2024-03-01T10:00:00Z'),
    event('long', 'got', '2024-03-01T11:00:00.001Z'),
    event('same', 'asked', '2024-03-01T10:00:00Z'),
    event('same', 'got', '2024-03-01T10:00:00Z'),
    event('wrong', 'got', '2024-03-01T10:00:00Z'),
    event('wrong', 'asked', '2024-03-01T10:30:00Z'),
    event('early', 'asked', '2024-02-29T23:59:59.999Z'),
    event('early', 'got', '2024-03-01T00:10:00Z'),
    event('twice', 'asked', '2024-03-01T09:30:00Z'),
    event('twice', 'asked', '2024-03-01T10:00:00Z'),
    event('twice', 'got', '2024-03-01T10:45:00Z'),
    // What somebody stops doing, or does again.
    event('left', 'used', daysAgo(5)),
    event('stays', 'used', daysAgo(5)),
    event('stays', 'used', daysAgo(1)),
    event('long gone', 'used', daysAgo(20)),
    event('back', 'used', daysAgo(20)),
    event('back', 'used', daysAgo(1)),
    event('always', 'used', daysAgo(20)),
    event('always', 'used', daysAgo(5)),
    event('always', 'used', daysAgo(1)),
    event('new', 'used', daysAgo(1)),
  ]);
});
afterAll(() => service.stop());

const found = async (filters: object): Promise<string[]> => {
  const { status, body } = await of.call('POST', 'cohorts/preview', { body: { filters } });
  expect([status, body]).toEqual([200, expect.anything()]);
  return (body as { results: { name: string }[] }).results.map(({ name }) => name).sort();
};

const firstOfMarch = { explicit_datetime: '2024-03-01', explicit_datetime_to: '2024-03-01', time_value: null };

describe('a criterion', () => {
  it.each([
    ['eq', ['two']],
    ['exact', ['two']],
    ['gt', ['three']],
    ['gte', ['three', 'two']],
    ['lt', ['one']],
    ['lte', ['one', 'two']],
  ])('with %s 2 counts events, of which there must be one', async (operator, names) => {
    const multiple = { value: 'performed_event_multiple', operator, operator_value: 2, ...firstOfMarch };
    expect(await found(all(did('paid', multiple)))).toEqual(names);
  });

  it('is about both ends of its days, or of its moments', async () => {
    const [day, moments] = [
      firstOfMarch,
      { explicit_datetime: '2024-03-01T00:00:00Z', explicit_datetime_to: '2024-03-01T23:59:59.999Z' },
    ];
    for (const window of [day, moments]) {
      expect(await found(all(did('seen', window)))).toEqual(['again', 'begin', 'end']);
      const once = { ...window, value: 'performed_event_multiple', operator: 'gte', operator_value: 1 };
      expect(await found(all(did('seen', once)))).toEqual(['again', 'begin', 'end']);
      expect(await found(all(did('seen', { ...window, value: 'performed_event_first_time' })))).toEqual([
        'begin',
        'end',
      ]);
    }
    expect(await found(all(did('seen', { explicit_datetime: '2024-03-01' })))).toEqual([
      'after',
      'again',
      'begin',
      'end',
    ]);
    const shorter = { explicit_datetime: '2024-03-01T00:00:00.001Z', explicit_datetime_to: '2024-03-01T23:59:59.998Z' };
    expect(await found(all(did('seen', shorter)))).toEqual(['again']);
  });

  it('about two events needs the second after the first, within the time', async () => {
    const sequence = (seq_event: string, more: object = {}) =>
      did('asked', {
        ...{ value: 'performed_event_sequence', seq_event, seq_time_value: 1, seq_time_interval: 'hour' },
        ...firstOfMarch,
        ...more,
      });
    expect(await found(all(sequence('got')))).toEqual(['hour', 'twice']);
    expect(await found(all(sequence('got', { explicit_datetime: '2024-02-29' })))).toEqual(['early', 'hour', 'twice']);
    expect(await found(all(sequence('asked')))).toEqual(['twice']);
    expect(await found(all(sequence('asked', { seq_time_value: 29, seq_time_interval: 'minute' })))).toEqual([]);
  });

  it('about stopping or beginning again looks at three times', async () => {
    const recently = { time_value: 10, seq_time_value: 3, seq_time_interval: 'day' };
    const stopped = did('used', { ...recently, value: 'stopped_performing_event' });
    const restarted = did('used', { ...recently, value: 'restarted_performing_event' });
    expect(await found(all(stopped))).toEqual(['left']);
    expect(await found(all(restarted))).toEqual(['back']);
    expect(await found(any(stopped, restarted))).toEqual(['back', 'left']);
    expect(await found(all(stopped, restarted))).toEqual([]);
  });

  it('about periods counts those with enough events', async () => {
    const regularly = (min_periods: number, more: object = {}) =>
      did('used', {
        ...{ value: 'performed_event_regularly', operator: 'gte', operator_value: 1, time_value: 4 },
        ...{ min_periods, total_periods: 6, ...more },
      });
    expect(await found(all(regularly(2)))).toEqual(['always', 'back', 'stays']);
    expect(await found(all(regularly(3)))).toEqual(['always']);
    expect(await found(all(regularly(1, { operator_value: 2, time_value: 6, total_periods: 1 })))).toEqual([
      'always',
      'stays',
    ]);
  });

  it('may be negated, and stands in groups of which an empty one holds for nobody', async () => {
    const paid = did('paid', firstOfMarch);
    const unpaid = await found(all(did('paid', { ...firstOfMarch, negation: true }), did('asked', firstOfMarch)));
    expect(unpaid).toEqual(['hour', 'long', 'same', 'twice', 'wrong']);
    const group = (type: string, ...values: object[]) => ({ type, values });
    const empty = group('AND');
    expect(await found(any(group('AND', paid), empty))).toEqual(['one', 'three', 'two']);
    expect(await found(all(group('AND', paid), empty))).toEqual([]);
    const seen = did('seen', { ...firstOfMarch, value: 'performed_event_first_time' });
    expect(await found(any(paid, seen))).toEqual(['begin', 'end', 'one', 'three', 'two']);
    expect(await found(all(group('OR', paid, seen), group('OR', seen)))).toEqual(['begin', 'end']);
  });
});
