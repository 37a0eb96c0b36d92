import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type EventDto } from '../../../src/events/log/event.dto.js';
import { type ServiceHandle } from '../service-handle.js';
import { sharedService } from '../shared-service.js';
import { bucketsOf, following, labelOf, startOf, type Interval } from './buckets.js';
import { loadStream } from './load.js';
import { modelOf } from './model.js';
import { moreClockChanges, stream } from './stream.js';
import { walk } from './walk.js';

describe('buckets', () => {
  const days = (zone: string, from: string, to: string, interval: Interval = 'day', weekStartDay = 0) =>
    bucketsOf(interval, new Date(from), new Date(to), { zone, weekStartDay }).map((start) => start.toISOString());

  it('have 23 and 25 hours where clocks change, and begin at one where midnight is left out', () => {
    expect(days('Europe/Berlin', '2024-03-30T12:00Z', '2024-04-01T12:00Z')).toEqual([
      '2024-03-29T23:00:00.000Z',
      '2024-03-30T23:00:00.000Z',
      '2024-03-31T22:00:00.000Z',
    ]);
    expect(days('Africa/Cairo', '2024-04-25T12:00Z', '2024-04-26T23:00Z')).toEqual([
      '2024-04-24T22:00:00.000Z',
      '2024-04-25T22:00:00.000Z',
      '2024-04-26T21:00:00.000Z',
    ]);
    expect(days('Europe/Berlin', '2024-10-26T23:30Z', '2024-10-27T02:30Z', 'hour')).toHaveLength(4);
  });

  it('begin at the first of two midnights', () => {
    expect(days('Atlantic/Azores', '2024-10-26T12:00Z', '2024-10-27T12:00Z')).toEqual([
      '2024-10-26T00:00:00.000Z',
      '2024-10-27T00:00:00.000Z',
    ]);
  });

  it('of hours end where the clocks change, also in the middle of one', () => {
    expect(days('Australia/Lord_Howe', '2024-04-06T14:10Z', '2024-04-06T15:40Z', 'hour')).toEqual([
      '2024-04-06T14:00:00.000Z',
      '2024-04-06T15:00:00.000Z',
      '2024-04-06T15:30:00.000Z',
    ]);
    expect(days('Australia/Lord_Howe', '2024-10-05T15:10Z', '2024-10-05T16:10Z', 'hour')).toEqual([
      '2024-10-05T14:30:00.000Z',
      '2024-10-05T15:30:00.000Z',
      '2024-10-05T16:00:00.000Z',
    ]);
  });

  it('of weeks begin on the chosen day', () => {
    const week = (weekStartDay: number) =>
      days('America/New_York', '2024-03-13T12:00Z', '2024-03-13T12:00Z', 'week', weekStartDay);
    expect([0, 1, 6].map(week)).toEqual([
      ['2024-03-10T05:00:00.000Z'],
      ['2024-03-11T04:00:00.000Z'],
      ['2024-03-09T05:00:00.000Z'],
    ]);
  });

  it('are named by the local time they belong to', () => {
    const clock = { zone: 'Australia/Lord_Howe', weekStartDay: 0 };
    const label = (interval: Interval) => labelOf(interval, new Date('2024-10-05T15:30Z'), clock);
    expect([label('minute'), label('hour'), label('day')]).toEqual([
      '2024-10-06 02:30:00',
      '2024-10-06 02:00:00',
      '2024-10-06',
    ]);
  });

  it('hold every moment once', () => {
    const offset = fc.integer({ min: -20 * 24 * 60, max: 20 * 24 * 60 });
    const intervals = fc.constantFrom<Interval>('minute', 'hour', 'day', 'week', 'month');
    const zone = fc.constantFrom(...Object.keys(moreClockChanges));
    fc.assert(
      fc.property(zone, fc.nat(1), offset, intervals, fc.nat(6), (name, n, minutes, interval, weekStartDay) => {
        const clock = { zone: name, weekStartDay };
        const changes = moreClockChanges[name] ?? [];
        const moment = new Date(Date.parse(changes[n % changes.length] ?? '') + minutes * 60_000);
        const start = startOf(interval, moment, clock);
        const end = following(interval, start, clock);
        expect(start <= moment && moment < end).toBe(true);
        expect(startOf(interval, start, clock)).toEqual(start);
        expect(startOf(interval, new Date(end.getTime() - 1), clock)).toEqual(start);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a stream in a project', () => {
  let service: ServiceHandle;
  beforeAll(async () => {
    service = await sharedService();
  });
  afterAll(() => service.stop());

  it('lists the events of its model, each with the person that the model says', async () => {
    await fc.assert(
      fc.asyncProperty(stream(), async (given) => {
        const project = await loadStream(service, given);
        const listed = await walk<EventDto>(service, `/api/projects/${project.id}/events`, { limit: 7 });
        const model = modelOf(given);
        const names = new Map<number, string>();
        for (const { person_id: id, distinct_id: distinctId } of listed) {
          const name = model.persons.find(({ distinctIds }) => distinctIds.includes(distinctId))?.name;
          if (id !== null && !names.has(id)) names.set(id, name ?? 'none');
        }
        const expected = model.events.map((event) => [event.uuid, event.timestamp.toISOString(), event.person?.name]);
        const got = listed.map((event) => [event.uuid, event.timestamp, names.get(event.person_id ?? NaN)]);
        expect(new Map(got.map(([uuid, ...rest]) => [uuid, rest]))).toEqual(
          new Map(expected.map(([uuid, ...rest]) => [uuid, rest])),
        );
        expect(new Set(names.values()).size).toBe(names.size);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
