import { describe, expect, it } from '@jest/globals';
import { type ProjectContext } from '../../common/project-context.js';
import { readRange } from '../../common/time/range.js';
import { previousRange } from './common.js';

const project = (timezone: string) => ({ timezone, weekStartDay: 0 }) as ProjectContext;
const now = new Date('2024-11-03T12:00:00Z');

describe('the previous range', () => {
  it.each([
    ['UTC', '2024-10-01', '2024-10-03', '2024-09-28T00:00', '2024-09-30T23:59'],
    ['UTC', '-7d', '2024-11-03', '2024-10-20T00:00', '2024-10-27T23:59'],
    ['Europe/Berlin', '2024-03-31', '2024-03-31', '2024-03-29T23:00', '2024-03-30T22:59'],
    // A day that begins at 01:00, and ranges that are moved to that day or away from it.
    ['Africa/Cairo', '2024-04-26', '2024-04-27', '2024-04-23T22:00', '2024-04-25T21:59'],
    ['Africa/Cairo', '2024-04-27', '2024-04-27', '2024-04-25T22:00', '2024-04-26T20:59'],
    // A day whose last hour is repeated.
    ['Africa/Cairo', '2024-11-01', '2024-11-01', '2024-10-30T21:00', '2024-10-31T21:59'],
    // A day whose first hour is repeated.
    ['Atlantic/Azores', '2024-10-28', '2024-10-28', '2024-10-27T00:00', '2024-10-28T00:59'],
    ['Atlantic/Azores', '2024-10-27', '2024-10-27', '2024-10-26T00:00', '2024-10-26T23:59'],
  ])('has whole days for a range of whole days in %s: %s to %s', (timezone, date_from, date_to, from, to) => {
    const range = readRange({ date_from, date_to }, 'day', now, project(timezone));
    const before = previousRange({ from: range.from ?? now, to: range.to }, project(timezone), range);
    expect([before.from.toISOString(), before.to.toISOString()]).toEqual([`${from}:00.000Z`, `${to}:59.999Z`]);
  });

  it('has the same length for a range of a few hours', () => {
    const range = { from: new Date('2024-03-31T00:00:00Z'), to: new Date('2024-03-31T02:59:59.999Z') };
    const before = previousRange(range, project('Europe/Berlin'), { ...range, isCounted: false });
    expect([before.from.toISOString(), before.to.toISOString()]).toEqual([
      '2024-03-30T21:00:00.000Z',
      '2024-03-30T23:59:59.999Z',
    ]);
  });
});
