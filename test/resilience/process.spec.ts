import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, readFile, stat } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bootstrapFile,
  cli,
  launch,
  processesIn,
  removeDir,
  start,
  tempDir,
  terminate,
  type BootstrapFile,
  type RunningProcess,
} from '../support/process.js';

const kills = Number(process.env.KILLS ?? 1);

let dataDir: string;
let running: RunningProcess[];

beforeEach(async () => {
  dataDir = await tempDir();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.filter(({ child }) => child.exitCode === null).map(terminate));
  await removeDir(dataDir);
});

const started = async (env: Record<string, string> = {}): Promise<RunningProcess> => {
  const service = await start({ DATA_DIR: dataDir, ...env });
  running.push(service);
  return service;
};

const projectsOf = async ({ url }: RunningProcess, key: string): Promise<[number, number]> => {
  const answer = await fetch(`${url}/api/projects`, { headers: { authorization: `Bearer ${key}` } });
  return [answer.status, ((await answer.json()) as { count: number }).count];
};

const json = async <T>(dir: string, ...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await cli({ DATA_DIR: dir }, ...args, '--json');
  expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 0, '']);
  return JSON.parse(stdout) as T;
};

const tour = async (dir: string): Promise<void> => {
  const project = await json<{ id: number }>(dir, 'project', 'create', '--name', 'Shop', '--timezone', 'Europe/Berlin');
  expect(await json<unknown[]>(dir, 'project', 'list')).toContainEqual(
    expect.objectContaining({ id: project.id, name: 'Shop', timezone: 'Europe/Berlin' }),
  );
  const made = await json<{ id: string; key: string }>(
    dir,
    ...['key', 'create', '--email', 'ci@example.test', '--label', 'ci'],
    ...['--scopes', 'project:read', '--projects', String(project.id), '--expires', '2099-01-01'],
  );
  expect(made.key).toMatch(/^phx_/);
  expect(await json<unknown[]>(dir, 'key', 'list')).toContainEqual(
    expect.objectContaining({ id: made.id, label: 'ci', scopes: ['project:read'] }),
  );
  expect(await json(dir, 'key', 'revoke', made.id)).toEqual({ revoked: made.id, revoked_with_it: [] });
  expect(await json(dir, 'migrate')).toMatchObject({ postgres: 'up to date' });
};

const ask = (url: string, key: string, agent: Agent): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
      answer.once('error', (error) => resolve(error.message));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });

describe('a service that starts in an empty folder', () => {
  let dir: string;
  let service: RunningProcess;
  let made: BootstrapFile;

  beforeAll(async () => {
    dir = await tempDir();
    service = await start({ DATA_DIR: dir });
    made = await bootstrapFile(dir);
  });
  afterAll(async () => {
    if (service.child.exitCode === null) await terminate(service);
    await removeDir(dir);
  });

  it('makes a demo project, user and key, prints them with /docs, and keeps them in a private file', async () => {
    expect(made).toEqual({
      project_id: 1,
      project_token: expect.stringMatching(/^phc_/),
      personal_api_key: expect.stringMatching(/^phx_/),
      user_email: 'demo@kohort.local',
    });
    expect((await stat(join(dir, 'bootstrap.json'))).mode & 0o777).toBe(0o600);
    for (const shown of [made.personal_api_key, made.project_token, '/docs']) expect(service.output()).toContain(shown);
    expect(await projectsOf(service, made.personal_api_key)).toEqual([200, 1]);
  });

  it('makes a second one in the same folder say who holds it', async () => {
    const second = await launch({ DATA_DIR: dir });
    expect((await second.exited).code).toBe(1);
    expect(second.output()).toContain(`process ${service.pid}`);
    expect(second.output()).not.toContain('    at ');
    expect((await fetch(`${service.url}/_readyz`)).status).toBe(200);
  });

  it('makes another on its port name the port, and leave no process', async () => {
    const { port } = new URL(service.url);
    const second = await launch({ DATA_DIR: dataDir, PORT: port });
    expect((await second.exited).code).toBe(1);
    expect(second.output()).toContain(`PORT ${port}`);
    expect(await processesIn(dataDir)).toEqual([]);
  });

  it('sees what the command line does beside it', async () => {
    await tour(dir);
    expect(await projectsOf(service, made.personal_api_key)).toEqual([200, 2]);
  });

  it('is asked in SQL by the command line, which leaves no key behind', async () => {
    const batch = ['ada', 'bob'].map((distinct_id) => ({ event: 'bought', distinct_id }));
    const sent = await fetch(`${service.url}/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: made.project_token, batch }),
    });
    expect(sent.status).toBe(200);
    const env = { DATA_DIR: dir, PORT: new URL(service.url).port };
    const question = 'select event, count() as times from events group by event';
    const inDemo = ['--project', '1'];
    expect(await cli(env, 'query', question, '--json', ...inDemo)).toEqual({
      code: 0,
      stdout: '[{"event":"bought","times":2}]\n',
      stderr: '',
    });
    expect((await cli(env, 'query', question, '--csv', ...inDemo)).stdout).toBe('event,times\r\nbought,2\r\n');
    const misspelt = "select count() as times from events where event = 'bougth'";
    expect(await cli(env, 'query', misspelt, '--json', ...inDemo)).toMatchObject({
      stdout: '[{"times":0}]\n',
      stderr: 'Warning: no event named bougth has arrived: did you mean bought?\n',
    });
    const wrong = await cli(env, 'query', 'select evnt from events', ...inDemo);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^Line 1, column 8: .*event/)]);
    const labels = (await json<{ label: string }[]>(dir, 'key', 'list')).map(({ label }) => label);
    expect(labels).not.toContain('npm run cli -- query');
  });

  it('tells the command line who entered a cohort', async () => {
    const headers = { authorization: `Bearer ${made.personal_api_key}`, 'content-type': 'application/json' };
    const call = async (path: string, body: object) =>
      (
        await fetch(`${service.url}/api/projects/1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      ).json();
    const event = { api_key: made.project_token, event: 'bought', distinct_id: 'eve' };
    expect((await fetch(`${service.url}/batch`, { method: 'POST', body: JSON.stringify(event) })).status).toBe(200);
    const { id } = (await call('cohorts', { name: 'List', is_static: true, distinct_ids: ['eve'] })) as { id: number };
    const env = { DATA_DIR: dir, PORT: new URL(service.url).port };
    const { code, stdout, stderr } = await cli(env, 'cohorts', 'changes', String(id), '--project', '1');
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ change: 'entered', reason: 'snapshot' }]);
  });

  it('survives that PostgreSQL is killed', async () => {
    const serverPid = async () =>
      Number((await readFile(join(dir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
    const killed = await serverPid();
    process.kill(killed, 'SIGKILL');
    const headers = { authorization: `Bearer ${made.personal_api_key}` };
    const until = Date.now() + 5000;
    let status = 0;
    let isNew = false;
    // The processes of its connections answer for a moment longer, so an answer alone does not show that it is back.
    while (!(isNew && status === 200) && Date.now() < until) {
      isNew = ![killed, 0].includes(await serverPid());
      const requested = Date.now();
      status = (await fetch(`${service.url}/api/projects`, { headers })).status;
      expect([200, 503]).toContain(status);
      expect(Date.now() - requested).toBeLessThan(2000);
      await sleep(50);
    }
    expect([isNew, status]).toEqual([true, 200]);
  });

  it('fails no request that was under way when it is told to stop, ends within 10 s and leaves no process', async () => {
    const { personal_api_key } = made;
    const failures: string[] = [];
    let answered = 0;
    let stopping = false;
    const clients = Array.from({ length: 32 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const outcome = await ask(`${service.url}/api/projects`, personal_api_key, agent);
        if (outcome === 200) answered += 1;
        // A connection refused was never accepted: the listener is gone. Everything else was under way.
        else if (outcome === 'ECONNREFUSED' && stopping) break;
        else failures.push(String(outcome));
        if (failures.length > 10) break;
      }
      agent.destroy();
    });
    // A second of load, or as long as a busy machine takes for as many answers.
    for (let tenths = 0; tenths < 10 || (tenths < 100 && answered <= 100); tenths += 1) await sleep(100);
    stopping = true;
    const { code, ms } = await terminate(service);
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(100);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
    expect(await processesIn(dir)).toEqual([]);
  });

  it('keeps the counts of events that came just before it is told to stop, and has nothing to warn of', async () => {
    const accepted = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${made.personal_api_key}` };
      const answer = await fetch(`${service.url}/api/projects/1/ingestion`, { headers });
      return ((await answer.json()) as { accepted: number }).accepted;
    };
    service = await start({ DATA_DIR: dir });
    const before = await accepted();
    const batch = [1, 2, 3].map((n) => ({ event: 'paid', distinct_id: `last-${n}` }));
    const body = JSON.stringify({ api_key: made.project_token, batch });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${service.url}/batch`, { method: 'POST', headers, body })).status).toBe(200);
    const { length } = service.output();
    await terminate(service);
    expect(service.output().slice(length)).not.toMatch(/"level":[456]0/);
    service = await start({ DATA_DIR: dir });
    expect(await accepted()).toBe(before + 3);
    await terminate(service);
  });

  it('shows no key when it starts again, but where it is, and /docs', async () => {
    service = await start({ DATA_DIR: dir });
    expect(service.output()).toContain(`${service.url.replace('127.0.0.1', 'localhost')}/docs`);
    expect(service.output()).toContain(join(dir, 'bootstrap.json'));
    expect(service.output()).not.toContain(made.personal_api_key);
  });
});

describe('a service in production', () => {
  it('stays empty and says how to go on', async () => {
    const service = await started({ NODE_ENV: 'production' });
    await sleep(200);
    expect(service.output()).toContain('cli -- bootstrap');
    expect(await readFile(join(dataDir, 'bootstrap.json')).catch(() => 'none')).toBe('none');
    const refused = await cli({ DATA_DIR: dataDir, NODE_ENV: 'production' }, 'bootstrap');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^--email is required\nUsage: .* bootstrap /),
    ]);
    const made = await cli(
      { DATA_DIR: dataDir, NODE_ENV: 'production' },
      'bootstrap',
      '--email',
      'ada@example.test',
      '--project',
      'Shop',
      '--json',
    );
    const { personal_api_key } = JSON.parse(made.stdout) as { personal_api_key: string };
    const headers = { authorization: `Bearer ${personal_api_key}` };
    expect((await fetch(`${service.url}/api/users/@me`, { headers })).status).toBe(200);
  });
});

describe('kill -9', () => {
  it(`is survived: the next start works by itself and keeps the data, ${kills} of ${kills}`, async () => {
    const first = await started();
    const { personal_api_key } = await bootstrapFile(dataDir);
    first.child.kill('SIGKILL');
    await first.exited;
    for (let n = 0; n < kills; n += 1) {
      const service = await started();
      const answer = await fetch(`${service.url}/api/projects`, {
        headers: { authorization: `Bearer ${personal_api_key}` },
      });
      expect([n, answer.status]).toEqual([n, 200]);
      await sleep(Math.random() * 300);
      service.child.kill('SIGKILL');
      await service.exited;
    }
    const last = await started();
    expect((await terminate(last)).code).toBe(0);
    expect(await processesIn(dataDir)).toEqual([]);
  }, 300_000);
});

describe('the command line', () => {
  it('works without a running service', async () => {
    const made = await json<{ personal_api_key: string }>(dataDir, 'bootstrap');
    expect(made.personal_api_key).toMatch(/^phx_/);
    await tour(dataDir);
    expect(await processesIn(dataDir)).toEqual([]);
  });

  it.each([
    [['project', 'list']],
    [['deletions', 'run']],
    [['projection', 'rebuild']],
    [['seed', '--events', '1']],
    [['user', 'sign-in-link']],
  ])('makes no installation by %j, and names the folder that has none', async (args) => {
    for (const dir of [dataDir, join(dataDir, 'missing')]) {
      const { code, stdout, stderr } = await cli({ DATA_DIR: dir }, ...args);
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        `there is no installation in ${dir}: use the DATA_DIR of the service, or "bootstrap" to begin one here\n`,
      ]);
    }
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('says that a question in SQL needs a running service', async () => {
    await json(dataDir, 'bootstrap');
    const { code, stderr } = await cli({ DATA_DIR: dataDir, PORT: '1' }, 'query', 'select 1');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no service answers on http://127.0.0.1:1')]);
  });

  it.each([
    [['dance'], /unknown command: dance/],
    [
      ['key', 'create', '--email', 'a@b.c', '--label', 'x', '--scopes', 'person:fly'],
      /--scopes: person:fly is not one of/,
    ],
    [['project', 'create', '--nmae', 'x'], /--nmae is not known: did you mean --name\?\nUsage: .* project create/],
    [['key', 'revoke'], /name the id/],
    [['key'], /key is a group of commands[^]*key list/],
    [['seed'], /--events is required\nUsage: .* seed/],
  ])('refuses %j with a line that helps', async (args, line) => {
    const { code, stderr } = await cli({ DATA_DIR: dataDir }, ...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(line);
    expect(stderr).not.toContain('    at ');
  });

  it.each([
    [['seed', '--help'], /--events N/],
    [['help', 'key', 'create'], /--scopes LIST/],
    [['key', '--help'], /key revoke/],
    [['--version'], /^\d+\.\d+\.\d+\n$/],
  ])('answers %j without a store', async (args, text) => {
    const { code, stdout, stderr } = await cli({ DATA_DIR: '/dev/null/nowhere' }, ...args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(text);
  });
});
