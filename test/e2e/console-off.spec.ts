import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Routes } from '../../src/kernel/access/routes.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { openContext } from '../../src/platform/http/request-context.js';
import { oidcSettings } from '../support/oidc/real-issuer.js';
import { makeUser } from '../support/signed-in.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ CONSOLE: 'off', ...oidcSettings('http://127.0.0.1:1') });
});
afterAll(() => service.stop());

describe('CONSOLE=off', () => {
  it('leaves none of the routes for people', async () => {
    const signOn = ['sessions/oidc/start', 'sessions/oidc/callback'];
    const paths = ['console', 'sessions', 'sessions/@current', ...signOn, 'users', 'users/1', 'invitations/accept'];
    const inProject = ['members', 'members/1', 'invitations'].map((path) => `projects/${service.project.id}/${path}`);
    for (const path of [...paths, ...inProject])
      for (const method of ['GET', 'POST', 'DELETE'] as const)
        expect([path, (await fetch(`${service.url}/api/${path}`, { method })).status]).toEqual([path, 404]);
    const only = service.app
      .get(Routes)
      .all()
      .filter(({ rules: [rule] }) => rule?.kind === 'key' && rule.onlySessions);
    expect(only).toEqual([]);
    expect((await service.call('GET', '/api/users/@me')).status).toBe(200);
  });

  it('takes no cookie, not even of a session that was opened before', async () => {
    const user = await makeUser(service, { isOwner: true });
    const cookies: string[] = [];
    const request = { get: () => undefined, ip: '127.0.0.1', socket: {}, secure: false } as never;
    const nothing = {
      caller: null,
      project: null,
      tokenProjectId: null,
      beforeAnswer: [],
      endings: [],
      isStillAdmitted: () => Promise.resolve(false),
      admittedAt: 0,
    };
    openContext(request, { requestId: 'x', now: new Date(), ...nothing });
    const response = { cookie: (name: string, value: string) => cookies.push(`${name}=${value}`) } as never;
    await service.app.get(SessionsService).open(user, request, response);
    expect(cookies).toHaveLength(1);
    const headers = { cookie: cookies[0] ?? '', 'sec-fetch-site': 'same-origin' };
    const answer = await service.call('GET', '/api/users/@me', { key: null, headers });
    expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ code: 'not_authenticated' })]);
  });
});
