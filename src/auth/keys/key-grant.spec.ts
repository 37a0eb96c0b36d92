import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { grantableScopes, holds, scopes } from '../../kernel/access/scopes.js';
import { beyond, type Grant } from './key-grant.js';

const projects = [1, 2, 3];
const moments = [1, 2, 3].map((day) => new Date(Date.UTC(2030, 0, day)));

const grant: fc.Arbitrary<Grant> = fc.record({
  scopes: fc.subarray([...grantableScopes], { minLength: 1 }),
  projectIds: fc.option(fc.subarray(projects, { minLength: 1 })),
  expiresAt: fc.option(fc.constantFrom(...moments)),
});

/** Defines `beyond` the long way: can the requested key do anything that a key with the limit cannot? */
const couldDo = ({ scopes: granted, projectIds, expiresAt }: Grant) => {
  const deeds: string[] = [];
  for (const scope of scopes)
    for (const project of [...projects, 'any later one'])
      for (const moment of [...moments, new Date(Date.UTC(2099, 0, 1))]) {
        const allowed = holds(granted, scope) && (projectIds === null || projectIds.some((id) => id === project));
        if (allowed && (expiresAt === null || moment <= expiresAt))
          deeds.push(`${scope} ${project} ${moment.toISOString()}`);
      }
  return deeds;
};

describe('granting', () => {
  it('never lets a key do what its maker cannot', () => {
    fc.assert(
      fc.property(grant, grant, (requested, limit) => {
        if (beyond(requested, limit) !== null) return true;
        const own = new Set(couldDo(limit));
        return couldDo(requested).every((deed) => own.has(deed));
      }),
      { numRuns: 2000 },
    );
  });

  it('lets a key grant all it has', () => {
    fc.assert(fc.property(grant, (limit) => beyond(limit, limit) === null));
    const limit: Grant = { scopes: ['person:write'], projectIds: null, expiresAt: null };
    expect(beyond({ ...limit, scopes: ['person:read'] }, limit)).toBeNull();
    expect(beyond({ ...limit, scopes: ['*'] }, limit)).toBe('scopes');
  });
});
