import { describe, expect, it } from '@jest/globals';
import { durabilityFault, mustNotBeOff, readOnlyFault, unsafeSettings } from './server-state.js';

const safe = { commit: 'on', fsync: 'on', pages: 'on', standbys: '' };

describe('the settings of a server', () => {
  it.each([
    [{}],
    [{ commit: 'local' }],
    [{ commit: 'remote_write', standbys: 'ANY 1 (*)' }],
    [{ commit: 'remote_apply', standbys: 'ANY 1 (*)' }],
    [{ standbys: 'ANY 1 (*)' }],
  ])('lose nothing with %j', (more) => {
    expect(durabilityFault(unsafeSettings({ ...safe, ...more }))).toBeNull();
  });

  it.each([
    [{ commit: 'off' }, 'synchronous_commit to on for its role, database and server', 0],
    [{ commit: 'local', standbys: 'ANY 1 (*)' }, 'synchronous_commit to on, so that a failover loses nothing', 0],
    [{ fsync: 'off' }, 'fsync to on', 1],
    [{ pages: 'off' }, 'full_page_writes to on, unless its file system never tears a page', 1],
    [{ commit: 'off', fsync: 'off' }, 'synchronous_commit to on for its role, database and server, and fsync to on', 1],
  ])('are named where a crash loses acknowledged changes: %j', (more, wanted, refused) => {
    const unsafe = unsafeSettings({ ...safe, ...more });
    expect(durabilityFault(unsafe)).toBe(`a crash of PostgreSQL can lose what was acknowledged: set ${wanted}`);
    expect(mustNotBeOff(unsafe).size).toBe(refused);
  });

  it.each([
    [{ follows: false, readOnly: 'off' }, null],
    [{ follows: true, readOnly: 'off' }, /^PostgreSQL is read-only: it follows another server/],
    [{ follows: false, readOnly: 'on' }, /^PostgreSQL is read-only: set default_transaction_read_only to off/],
  ])('say whether it takes changes: %j', (state, fault) => {
    if (fault === null) expect(readOnlyFault(state)).toBeNull();
    else expect(readOnlyFault(state)).toMatch(fault);
  });
});
