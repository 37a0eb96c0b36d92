import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cli, removeDir, start, tempDir, terminate, type RunningProcess } from '../support/process.js';

let dir: string;
let service: RunningProcess;
beforeAll(async () => {
  dir = await tempDir();
  service = await start({ DATA_DIR: dir });
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
