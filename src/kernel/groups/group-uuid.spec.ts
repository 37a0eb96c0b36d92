import { describe, expect, it } from '@jest/globals';
import { actorOfUuid, groupUuid } from './group-uuid.js';

describe('the uuid of a group', () => {
  it('is a uuid of version 8 that names the group', () => {
    expect(groupUuid('1')).toBe('00000000-0000-8000-8000-0167726f7570');
    const largest = String(2n ** 63n - 1n);
    expect(groupUuid(largest)).toBe('7fffffff-ffff-8000-80ff-ff67726f7570');
    for (const actor of ['1', '81985529216486895', largest]) expect(actorOfUuid(groupUuid(actor))).toBe(actor);
    expect(actorOfUuid(groupUuid(largest).toUpperCase())).toBe(largest);
  });

  it('is no other uuid', () => {
    for (const other of ['5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11', '00000000-0000-8000-8000-000167726f75', 'acme', '1'])
      expect(actorOfUuid(other)).toBeNull();
  });
});
