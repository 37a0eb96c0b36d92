import { describe, expect, it } from '@jest/globals';
import { RateLimiter } from './rate-limiter.js';

describe('the rate limiter', () => {
  it('counts a window of one minute from the first request', () => {
    const limiter = new RateLimiter(2);
    expect(limiter.take('a', 0)).toEqual({ limit: 2, remaining: 1, resetSeconds: 60, exceeded: false });
    expect(limiter.take('a', 30_000)).toEqual({ limit: 2, remaining: 0, resetSeconds: 30, exceeded: false });
    expect(limiter.take('a', 59_999)).toMatchObject({ remaining: 0, resetSeconds: 1, exceeded: true });
    expect(limiter.take('a', 60_000)).toMatchObject({ remaining: 1, exceeded: false });
  });

  it('keeps keys apart', () => {
    const limiter = new RateLimiter(1);
    limiter.take('a', 0);
    expect(limiter.take('b', 0).exceeded).toBe(false);
    expect(limiter.take('a', 0).exceeded).toBe(true);
  });

  it('says that a window is used up, without counting', () => {
    const limiter = new RateLimiter(2);
    limiter.take('a', 0);
    expect(limiter.usedUpFor('a', 0)).toBeNull();
    limiter.take('a', 0);
    expect(limiter.usedUpFor('a', 20_000)).toMatchObject({ remaining: 0, resetSeconds: 40 });
    expect(limiter.usedUpFor('a', 60_000)).toBeNull();
  });

  it('holds a bounded number of windows under a flood of names', () => {
    const limiter = new RateLimiter(2, 100);
    for (let n = 0; n < 10_000; n += 1) limiter.take(`used once ${n}`, 0);
    for (let n = 0; n < 10_000; n += 1) for (let times = 0; times < 3; times += 1) limiter.take(`used up ${n}`, 0);
    expect(limiter.size).toBeLessThanOrEqual(200);
  });

  it('does not give a new window to a name that pushes its own out with others', () => {
    const limiter = new RateLimiter(2, 100);
    for (let times = 0; times < 3; times += 1) limiter.take('attacker', 0);
    for (let n = 0; n < 10_000; n += 1) limiter.take(`other ${n}`, 0);
    expect(limiter.take('attacker', 0).exceeded).toBe(true);
  });

  it('forgets windows that have ended', () => {
    const limiter = new RateLimiter(2, 100);
    for (let n = 0; n < 50; n += 1) limiter.take(`early ${n}`, 0);
    limiter.take('late', 60_000);
    expect(limiter.size).toBe(1);
  });
});
