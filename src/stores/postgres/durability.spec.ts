import { describe, expect, it } from '@jest/globals';
import { durabilityFaultIn } from './durability.js';

const safe = { commit: 'on', fsync: 'on', pages: 'on', standbys: '' };

describe('the settings of a server', () => {
  it.each([
    [{}],
    [{ commit: 'local' }],
    [{ commit: 'remote_write', standbys: 'ANY 1 (*)' }],
    [{ commit: 'remote_apply', standbys: 'ANY 1 (*)' }],
    [{ standbys: 'ANY 1 (*)' }],
  ])('lose nothing with %j', (more) => {
    expect(durabilityFaultIn({ ...safe, ...more })).toBeNull();
  });

  it.each([
    [{ commit: 'off' }, 'synchronous_commit to on for its role, database and server'],
    [{ commit: 'local', standbys: 'ANY 1 (*)' }, 'synchronous_commit to on, so that a failover loses nothing'],
    [{ fsync: 'off' }, 'fsync to on'],
    [{ pages: 'off' }, 'full_page_writes to on, unless its file system never tears a page'],
    [{ commit: 'off', fsync: 'off' }, 'synchronous_commit to on for its role, database and server, and fsync to on'],
  ])('are named where a crash loses acknowledged changes: %j', (more, wanted) => {
    expect(durabilityFaultIn({ ...safe, ...more })).toBe(
      `a crash of PostgreSQL can lose what was acknowledged: set ${wanted}`,
    );
  });
});
