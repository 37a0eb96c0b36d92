import { describe, expect, it } from '@jest/globals';
import { refusals, refusalText, singleSignOnPath } from '../../console/src/api/single-sign-on.js';
import { problemOfRefusal, signOnReasons, SignOnRefusal } from '../../src/auth/oidc/refusals.js';
import { readReturnPath } from '../../src/auth/oidc/oidc-sign-in.js';

describe('the sign-in page', () => {
  it('says why the provider did not lead to a session, in the words of the service', () => {
    const texts = signOnReasons.map((reason) => [reason, problemOfRefusal(new SignOnRefusal(reason)).detail]);
    expect(texts.length).toBeGreaterThan(5);
    const { too_many_attempts: limited, ...others } = refusals;
    expect([limited !== undefined, others]).toEqual([true, Object.fromEntries(texts)]);
  });

  it('shows nothing that only the address says', () => {
    for (const code of ['', 'call +1 555 0100', '<b>', '__proto__', 'toString', undefined])
      expect(refusalText(code)).toBeNull();
  });

  it('returns to pages that the service leads to', () => {
    for (const path of ['/', '/p/1/live', '/p/1/insights/trends?events=%5B%7B%22id%22%3A%22a%26b%22%7D%5D#x']) {
      const url = new URL(singleSignOnPath(path), 'http://kohort.test');
      expect(readReturnPath(url.searchParams.get('return_to') ?? undefined)).toBe(path);
    }
    expect(singleSignOnPath(`/p/1?x=${'x'.repeat(3000)}`)).toBe('/api/sessions/oidc/start');
  });
});
