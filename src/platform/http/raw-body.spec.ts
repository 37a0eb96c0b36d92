import { describe, expect, it } from '@jest/globals';
import { BytesInFlight } from './raw-body.js';
import { kilobyte } from './body-limit.js';

describe('bytes in flight', () => {
  it('are bounded for an address (429) and for all (503), and what is refused is not counted', () => {
    const flight = new BytesInFlight({ total: 3 * kilobyte, perAddress: 2 * kilobyte });
    expect(flight.take('a', 2048)).toBeNull();
    expect(flight.take('a', 1)).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
    expect(flight.take('b', 1024)).toBeNull();
    expect(flight.take('c', 1)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(flight.counted).toBe(3072);
    flight.giveBack('a', 2048);
    expect(flight.take('c', 1)).toBeNull();
    expect(flight.take('a', 2000)).toBeNull();
  });

  it('can be limited to less, of which an address has half at most', () => {
    const flight = new BytesInFlight({ total: 8 * kilobyte, perAddress: 4 * kilobyte });
    flight.limitTo(2 * kilobyte);
    expect(flight.take('a', 1025)).toMatchObject({ status: 429 });
    expect(flight.take('a', 1024)).toBeNull();
    expect(flight.take('b', 1024)).toBeNull();
    expect(flight.take('c', 1)).toMatchObject({ status: 503 });
  });
});
