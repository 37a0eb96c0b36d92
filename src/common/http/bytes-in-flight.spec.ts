import { describe, expect, it } from '@jest/globals';
import { BytesInFlight, networkOf } from './bytes-in-flight.js';
import { kilobyte } from './body-limit.js';

describe('bytes in flight', () => {
  it('are bounded for an address (429) and for all (503), and what is refused is not counted', () => {
    const flight = new BytesInFlight({ total: 3 * kilobyte, perAddress: 2 * kilobyte });
    expect(flight.take('a', 2048)).toBeNull();
    expect(flight.take('a', 1)).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
    expect(flight.take('b', 1024)).toBeNull();
    expect(flight.take('c', 1)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(flight.held).toBe(3072);
    flight.giveBack('a', 2048);
    expect(flight.take('c', 1)).toBeNull();
    expect(flight.take('a', 2000)).toBeNull();
  });

  it('count for a whole network of IPv6, and for one address of IPv4', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::1'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
    expect(networkOf('::ffff:192.0.2.1')).not.toBe(networkOf('::ffff:192.0.2.2'));
    expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'));
  });
});
