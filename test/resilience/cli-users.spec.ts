import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { bootstrapFile, cli, removeDir, start, tempDir, terminate, type RunningProcess } from '../support/process.js';

let dir: string;
let service: RunningProcess;
let ownerKey: string;
beforeAll(async () => {
  dir = await tempDir();
  service = await start({ DATA_DIR: dir });
  ownerKey = (await bootstrapFile(dir)).personal_api_key;
});
afterAll(async () => {
  await terminate(service);
  await removeDir(dir);
});

const run = (...args: string[]) => cli({ DATA_DIR: dir }, ...args);

const newKey = (email: string, ...more: string[]) =>
  run('key', 'create', '--email', email, '--label', 'ci', '--scopes', 'person:read', ...more);

const cellsOf = (table: string): string[][] =>
  table
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('an e-mail that is none', () => {
  it('is refused by the command line in the words of the route, and makes no user', async () => {
    for (const email of ['dev', `${'a'.repeat(320)}@example.test`]) {
      const answer = await fetch(`${service.url}/api/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${ownerKey}` },
        body: JSON.stringify({ email }),
      });
      const { detail } = (await answer.json()) as { detail: string };
      expect([answer.status, detail]).toEqual([400, expect.stringMatching(/^email must /)]);
      expect(await newKey(email)).toEqual({ code: 1, stdout: '', stderr: `${detail}\n` });
      const invited = await run('user', 'invite', '--email', email);
      expect([invited.code, invited.stderr.split('\n')[0]]).toEqual([1, `--${detail}`]);
    }
    expect((await run('user', 'list')).stdout).not.toContain('dev');
  });

  it('begins no installation', async () => {
    const empty = await tempDir();
    const refused = await cli({ DATA_DIR: empty }, 'bootstrap', '--email', 'dev');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^--email must be an e-mail address such as grace@example\.test\nUsage: .* bootstrap /),
    ]);
    expect(await readdir(empty)).toEqual([]);
    await removeDir(empty);
  });
});

describe('the lists', () => {
  it('of users and of keys name people, and say "all" for every project', async () => {
    expect((await newKey('ci@example.test', '--projects', '1')).code).toBe(0);
    expect((await newKey('ci@example.test')).stdout).toMatch(/^scoped_projects +all$/m);
    expect(cellsOf((await run('user', 'list')).stdout)).toEqual([
      ['id', 'email', 'name', 'is_owner', 'projects', 'created_at'],
      ['1', 'demo@kohort.local', 'demo', 'true', 'all', expect.stringMatching(/^\d{4}-\d\d-\d\dT/)],
      ['2', 'ci@example.test', 'ci', 'false', '0', expect.stringMatching(/^\d{4}-\d\d-\d\dT/)],
    ]);
    const [heads = [], ...rows] = cellsOf((await run('key', 'list')).stdout);
    const shown = ['label', 'user_id', 'user_email', 'scoped_projects'].map((name) => heads.indexOf(name));
    expect(rows.map((row) => shown.map((at) => row[at]))).toEqual([
      ['demo', '1', 'demo@kohort.local', 'all'],
      ['ci', '2', 'ci@example.test', '1'],
      ['ci', '2', 'ci@example.test', 'all'],
    ]);
    // Programs read null, as from the routes.
    const keys = JSON.parse((await run('key', 'list', '--json')).stdout) as { scoped_projects: unknown }[];
    expect(keys.map(({ scoped_projects }) => scoped_projects)).toEqual([null, [1], null]);
  });
});
