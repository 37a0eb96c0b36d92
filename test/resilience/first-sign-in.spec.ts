import { afterAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cli, removeDir, start, tempDir, terminate, type RunningProcess } from '../support/process.js';

const dirs: string[] = [];
afterAll(async () => {
  for (const dir of dirs) await removeDir(dir);
});

const linkIn = (text: string): string => /#signin=([\w-]{43})/.exec(text)?.[1] ?? '';

const untilPrinted = async (service: RunningProcess): Promise<string> => {
  for (let tries = 0; tries < 200 && linkIn(service.output()) === ''; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return linkIn(service.output());
};

const post = (service: RunningProcess, path: string, body: object): Promise<Response> =>
  fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('a start in development', () => {
  it('prints a link that signs the first owner in once, and writes it to no log and no file', async () => {
    const dir = await tempDir();
    dirs.push(dir);
    const env = { DATA_DIR: join(dir, 'data') };
    const service = await start(env);
    try {
      const token = await untilPrinted(service);
      expect(service.output()).toContain('the first start takes a few seconds');
      const lines = service
        .output()
        .split('\n')
        .filter((line) => line.includes(token));
      expect(lines).toEqual([expect.stringMatching(/^ {4}Console {8}http:\/\/localhost:\d+\/#signin=[\w-]{43} /)]);
      expect(await readFile(join(env.DATA_DIR, 'bootstrap.json'), 'utf8')).not.toContain(token);
      const first = await post(service, '/api/sessions', { link_token: token });
      expect([first.status, (await post(service, '/api/sessions', { link_token: token })).status]).toEqual([201, 401]);
      const cookie = first.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      const me = await (await fetch(`${service.url}/api/users/@me`, { headers: { cookie } })).json();
      expect(me).toMatchObject({ email: 'demo@kohort.local', is_owner: true, projects: [{ role: 'owner' }] });

      const command = `DATA_DIR=${env.DATA_DIR} PORT=${new URL(service.url).port} npm run -s cli -- user sign-in-link`;
      expect(service.output()).toContain(`for a new link: ${command}\n`);
      const signIn = await cli({ ...env, PORT: new URL(service.url).port }, 'user', 'sign-in-link', '--json');
      const printed = JSON.parse(signIn.stdout) as { email: string; link: string };
      expect(printed).toMatchObject({
        email: 'demo@kohort.local',
        link: expect.stringMatching(`^${service.url.replace('127.0.0.1', 'localhost')}/#signin=`),
      });
      const again = { link_token: linkIn(printed.link) };
      expect((await post(service, '/api/sessions', again)).status).toBe(201);
      expect((await post(service, '/api/sessions', again)).status).toBe(401);
      const stranger = await cli(env, 'user', 'sign-in-link', '--email', 'unknown@example.test');
      expect([stranger.code, stranger.stderr]).toEqual([1, 'no user has the e-mail unknown@example.test\n']);

      const invited = await cli(
        env,
        'user',
        'invite',
        '--email',
        'ada@example.test',
        '--owner',
        '--url',
        'https://k.test/',
        '--json',
      );
      const { link } = JSON.parse(invited.stdout) as { link: string };
      expect(link).toMatch(/^https:\/\/k\.test\/#invitation=[\w-]{43}$/);
      const body = { token: link.split('=')[1], password: 'correct horse battery staple' };
      expect((await post(service, '/api/invitations/accept', body)).status).toBe(201);
      const unknown = await cli(env, 'user', 'reset-password', '--email', 'unknown@example.test');
      expect([unknown.code, unknown.stderr]).toEqual([1, 'no user has the e-mail unknown@example.test\n']);
    } finally {
      await terminate(service);
    }
    const again = await start(env);
    try {
      expect(await untilPrinted(again)).toMatch(/^[\w-]{43}$/);
      expect(again.output()).not.toContain('first start');
    } finally {
      await terminate(again);
    }
  });
});
