import { describe, expect, it } from '@jest/globals';
import { addressGroup } from './client-address.js';

describe('the name under which an address is counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::5:6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  it('is the same for all addresses that one IPv6 subscriber can take', () => {
    const groups = ['2001:db8:1:2::1', '2001:db8:1:2::ffff', '2001:db8:1:2:aaaa:bbbb:cccc:dddd'].map(addressGroup);
    expect(new Set(groups).size).toBe(1);
    expect(addressGroup('2001:db8:1:3::1')).not.toBe(groups[0]);
  });

  it.each(['', 'unknown', 'x'.repeat(100_000), '999.1.1.1', '::ffff:999.1.1.1', '1::2::3'])(
    'is null of %.20s',
    (text) => {
      expect(addressGroup(text)).toBeNull();
    },
  );
});
