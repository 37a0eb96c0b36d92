import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { McpCaller } from '../support/mcp.js';
import { oidcSettings, startRealIssuer, type RealIssuer } from '../support/oidc/real-issuer.js';
import { startTestService, type TestService } from '../support/service.js';
import { makeUser } from '../support/signed-in.js';

const publicUrl = 'https://kohort.example.test';

let issuer: RealIssuer;
let service: TestService;
let userId: number;

beforeAll(async () => {
  issuer = await startRealIssuer();
  service = await startTestService({ ...oidcSettings(issuer.url), PUBLIC_URL: publicUrl });
  issuer.serve(service.url);
  ({ id: userId } = await makeUser(service, { roles: { [service.project.id]: 'viewer' } }));
  const values = [issuer.url, 'ada', userId];
  await service.pool.query(
    'INSERT INTO provider_accounts (issuer, subject, user_id, connected_at) VALUES ($1, $2, $3, now())',
    values,
  );
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const seconds = () => Math.floor(Date.now() / 1000);
const claims = () => ({
  iss: issuer.url,
  sub: 'ada',
  aud: `${publicUrl}/mcp`,
  exp: seconds() + 300,
  jti: randomUUID(),
});

const send = (authorization: string, path = '/mcp') =>
  fetch(service.url + path, {
    method: path === '/mcp' ? 'POST' : 'GET',
    headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...(path === '/mcp' ? { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) } : {}),
  });

describe('single sign-on for programs', () => {
  it('is described where clients look, and a refusal says where', async () => {
    const refusal = await send('Bearer phx_nonsense');
    const at = `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
    expect([refusal.status, refusal.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${at}"`,
    ]);
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await fetch(service.url + path);
      expect(await answer.json()).toMatchObject({ resource: `${publicUrl}/mcp`, authorization_servers: [issuer.url] });
    }
  });

  it('admits a user by an access token, with the rights of the role', async () => {
    const token = issuer.sign(claims());
    const caller = await McpCaller.connect(service.url, token);
    const names = await caller.toolNames();
    expect(names).toContain('find_persons');
    // A viewer changes nothing.
    expect(names).not.toContain('merge_or_delete_persons');
    expect(
      (await caller.call('find_persons', { operation: 'list', project_id: service.project.id })).value,
    ).toMatchObject({ count: 0 });
    await caller.close();
    const { rows } = await service.pool.query<{ n: string }>('SELECT count(*) AS n FROM sessions WHERE user_id = $1', [
      userId,
    ]);
    expect(rows[0]?.n).toBe('1');
  });

  it('opens nothing but /mcp by it, and hands no cookie out', async () => {
    const token = issuer.sign(claims());
    const answer = await send(`Bearer ${token}`);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    expect((await send(`Bearer ${token}`, `/api/projects/${service.project.id}/persons`)).status).toBe(401);
  });

  it.each([
    ['for another audience', () => issuer.sign({ ...claims(), aud: 'https://other.example.test/mcp' })],
    ['for the sign-in of a person', () => issuer.sign({ ...claims(), aud: 'kohort' })],
    ['of another issuer', () => issuer.sign({ ...claims(), iss: 'https://other.example.test' })],
    ['that has expired', () => issuer.sign({ ...claims(), exp: seconds() - 1 })],
    ['without an end', () => issuer.sign({ ...claims(), exp: undefined })],
    ['of an unknown user', () => issuer.sign({ ...claims(), sub: 'eve' })],
    ['without a signature', () => `${issuer.sign(claims()).split('.').slice(0, 2).join('.')}.x`],
    ['whose claims were changed', () => changed(issuer.sign(claims()), { sub: 'ada', exp: seconds() + 9999 })],
    ['with the algorithm none', () => unsigned(claims())],
  ])('refuses a token %s', async (_, make) => {
    const answer = await send(`Bearer ${make()}`);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'authentication_failed']);
  });

  it('refuses a token once it has expired, although it opened a session before', async () => {
    const token = issuer.sign({ ...claims(), exp: seconds() + 2 });
    expect((await send(`Bearer ${token}`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await send(`Bearer ${token}`)).status).toBe(401);
  });
});

const coded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const changed = (token: string, more: object): string => {
  const [head = '', body = '', signature = ''] = token.split('.');
  const known = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as object;
  return [head, coded({ ...known, ...more }), signature].join('.');
};

const unsigned = (value: object): string => `${coded({ alg: 'none', typ: 'JWT' })}.${coded(value)}.x`;
