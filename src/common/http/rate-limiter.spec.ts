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
});
