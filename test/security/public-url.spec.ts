import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type HostileIssuer, startHostileIssuer } from '../support/oidc/hostile-issuer.js';
import { oidcSettings } from '../support/oidc/real-issuer.js';
import { startTestService, type TestService } from '../support/service.js';
import { makeUser, signedIn } from '../support/signed-in.js';

const publicUrl = 'https://kohort.example.test';

let issuer: HostileIssuer;
let service: TestService;

beforeAll(async () => {
  issuer = await startHostileIssuer();
  service = await startTestService({ ...oidcSettings(issuer.url), PUBLIC_URL: publicUrl, TRUST_PROXY: 'loopback' });
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const misleading = { host: 'evil.test', 'x-forwarded-host': 'worse.test', 'x-forwarded-proto': 'http' };

interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const send = (method: string, path: string, body?: object, headers: object = {}): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const auth = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const sent = request(service.url + path, { method, headers: { ...auth, ...misleading, ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });

describe('PUBLIC_URL', () => {
  it('begins every link, whatever host a request names', async () => {
    const project = `/api/projects/${service.project.id}`;
    const users = [await makeUser(service), await makeUser(service)];
    const answers = [
      await send('POST', '/api/users', { email: `${randomUUID()}@example.test` }),
      await send('POST', `/api/users/${users[0]?.id}/password_link`),
      await send('POST', `${project}/invitations`, { email: `${randomUUID()}@example.test`, role: 'viewer' }),
      await send('GET', '/api/users?limit=1'),
      await send('GET', '/openapi.json'),
    ];
    const links = answers.map(({ text }) => {
      const { link, next, servers } = JSON.parse(text) as { link?: string; next?: string; servers?: { url: string }[] };
      return link ?? next ?? servers?.[0]?.url ?? '';
    });
    expect(links.map((link) => URL.canParse(link) && new URL(link).origin)).toEqual(links.map(() => publicUrl));
    for (const { text } of answers) expect(text).not.toMatch(/evil|worse/);
  });

  it('begins the address to which a provider sends people back', async () => {
    const { status, headers } = await send('GET', '/api/sessions/oidc/start');
    expect([status, new URL(headers.location ?? '').searchParams.get('redirect_uri')]).toEqual([
      303,
      `${publicUrl}/api/sessions/oidc/callback`,
    ]);
  });

  it('is the origin of pages that may change something, beside the host that the browser names', async () => {
    const { cookie } = await signedIn(service, { isOwner: true });
    const from = (origin: string) =>
      send('PATCH', '/api/users/@me', { first_name: 'Ada' }, { authorization: '', cookie, origin });
    const statuses = [await from(publicUrl), await from('https://elsewhere.test')].map(({ status }) => status);
    expect(statuses).toEqual([200, 403]);
  });
});
