import { describe, expect, it } from '@jest/globals';
import { exceeds, projectRoles, scopesOfRole, scopesOn, scopesWithin } from './roles.js';
import { scopes } from './scopes.js';

describe('a role', () => {
  it('has what it is documented to have, and every scope belongs to one: a new scope is placed here', () => {
    expect(scopesOfRole('admin')).toEqual(scopes);
    expect(scopesOfRole('viewer')).toEqual(
      scopes.filter((scope) => scope.endsWith(':read') && !['api_key:read', 'webhook:read'].includes(scope)),
    );
    const added = scopesOfRole('member').filter((scope) => !scopesOfRole('viewer').includes(scope));
    const written = [
      'person',
      'group',
      'cohort',
      'action',
      'insight',
      'dashboard',
      'annotation',
      'feature_flag',
      'alert',
      'event',
    ];
    expect(added).toEqual(written.map((noun) => `${noun}:write`));
  });

  it('has what the weaker roles have', () => {
    for (const [at, role] of projectRoles.entries())
      for (const [other, weaker] of projectRoles.entries())
        expect([role, weaker, exceeds(weaker, scopesOfRole(role))]).toEqual([role, weaker, other > at]);
  });
});

describe('the rights of a user', () => {
  const roles = new Map([
    [1, 'admin' as const],
    [2, 'viewer' as const],
  ]);
  const rights = { isOwner: false, roles };

  it('are those which each of the projects grants', () => {
    expect(scopesOn(rights, [1])).toEqual(scopes);
    expect(scopesOn(rights, [2])).toEqual(scopesOfRole('viewer'));
    expect(scopesOn(rights, [1, 2])).toEqual(scopesOfRole('viewer'));
    expect(scopesOn(rights, null)).toEqual(scopesOfRole('viewer'));
  });

  it('are none in a project without a role, and without any project', () => {
    expect([scopesOn(rights, [1, 3]), scopesOn({ isOwner: false, roles: new Map() }, null)]).toEqual([[], []]);
  });

  it('are everything for an owner', () => {
    const owner = scopesOn({ isOwner: true, roles: new Map() }, [7]);
    expect([owner, scopesWithin(owner)]).toEqual([['*'], scopes]);
  });
});
