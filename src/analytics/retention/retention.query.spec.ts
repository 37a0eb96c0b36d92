import { describe, expect, it } from '@jest/globals';
import { Params } from '../../filters/asking/questions.js';
import { readRetention } from './retention.query.js';

const projectOf = (timezone: string) => ({
  id: 1,
  timezone,
  weekStartDay: 1,
  personDisplayNameProperties: [],
  testAccountFilters: [],
  pathCleaningFilters: [],
});

const startsOf = (timezone: string, values: Record<string, unknown>) => {
  const { buckets } = readRetention(Params.of(values), projectOf(timezone), new Date('2024-11-01T12:00:00Z'));
  return buckets.starts.map((start) => start.toISOString().slice(0, 16));
};

describe('the intervals of a retention', () => {
  it.each([
    ['Day', ['2024-10-30T00:00', '2024-10-31T00:00', '2024-11-01T00:00']],
    ['Week', ['2024-10-14T00:00', '2024-10-21T00:00', '2024-10-28T00:00']],
    ['Month', ['2024-09-01T00:00', '2024-10-01T00:00', '2024-11-01T00:00']],
    ['Hour', ['2024-11-01T10:00', '2024-11-01T11:00', '2024-11-01T12:00']],
  ])('of one %s each are the last ones up to now', (period, starts) => {
    expect(startsOf('UTC', { period, total_intervals: 3 })).toEqual(starts);
  });

  it.each([
    ['2024-10-05T17:20:00Z', ['2024-10-05T15:30', '2024-10-05T16:00', '2024-10-05T17:00']],
    ['2024-04-06T16:40:00Z', ['2024-04-06T15:00', '2024-04-06T15:30', '2024-04-06T16:30']],
  ])('are as many as requested even if one of them is only half an hour long: up to %s', (date_to, starts) => {
    expect(startsOf('Australia/Lord_Howe', { period: 'Hour', total_intervals: 3, date_to })).toEqual(starts);
  });

  it('of one day are as many as requested where clocks skip midnight', () => {
    expect(startsOf('Africa/Cairo', { total_intervals: 3, date_to: '2024-04-27' })).toEqual([
      '2024-04-24T22:00',
      '2024-04-25T22:00',
      '2024-04-26T21:00',
    ]);
  });
});

describe('the events of a retention', () => {
  it('are page views where the request names none, also where it names the other one', () => {
    const eventsOf = (values: Record<string, unknown>) => {
      const { target, returning } = readRetention(
        Params.of(values),
        projectOf('UTC'),
        new Date('2024-11-01T12:00:00Z'),
      );
      return [target, returning].map(({ parts }) => parts[0]?.event);
    };
    expect(eventsOf({})).toEqual(['$pageview', '$pageview']);
    expect(eventsOf({ target_entity: '{"id":"signed up"}' })).toEqual(['signed up', '$pageview']);
    expect(eventsOf({ returning_entity: '{"id":"paid"}' })).toEqual(['$pageview', 'paid']);
  });
});
