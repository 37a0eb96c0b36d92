import { describe, expect, it } from '@jest/globals';
import { profilelessActor } from './actors.sql.js';

describe('the personless actor', () => {
  it('never changes, because rows that carry it are never rewritten', () => {
    expect(profilelessActor(1, 'ada')).toBe('-3578454109966705057');
    expect(profilelessActor(12, '')).toBe('-4215468372814043705');
  });

  it('differs by project and distinct id, and fits below zero', () => {
    const actors = new Set<string>();
    for (let n = 0; n < 2000; n += 1) for (const project of [1, 11]) actors.add(profilelessActor(project, `${n}`));
    expect(actors.size).toBe(4000);
    for (const actor of actors) {
      expect(BigInt(actor)).toBeLessThan(0n);
      expect(BigInt(actor)).toBeGreaterThanOrEqual(-(2n ** 63n));
    }
  });
});
