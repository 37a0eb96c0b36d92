import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RepeatedLines } from './repeated-lines.js';

describe('lines of one reason', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('are written at once, then once a second with their number, until a second has none', () => {
    const lines = new RepeatedLines();
    const written: [string, number][] = [];
    const fail = (reason: string) => lines.add(reason, (times) => written.push([reason, times]));
    for (let n = 0; n < 5; n += 1) fail('away');
    fail('full');
    expect(written.splice(0)).toEqual([
      ['away', 1],
      ['full', 1],
    ]);
    jest.advanceTimersByTime(1_000);
    expect(written.splice(0)).toEqual([['away', 4]]);
    jest.advanceTimersByTime(500);
    fail('away');
    expect(written).toEqual([]);
    jest.advanceTimersByTime(500);
    expect(written.splice(0)).toEqual([['away', 1]]);
    jest.advanceTimersByTime(2_000);
    fail('away');
    expect([written, jest.getTimerCount()]).toEqual([[['away', 1]], 1]);
  });
});
