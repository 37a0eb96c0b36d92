import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { postgresMigrations } from '../../src/stores/postgres/migrations/index.js';
import { cli, removeDir, start, tempDir, type Env, type RunningProcess } from '../support/process.js';

interface Recorded {
  readonly personal_api_key: string;
  readonly project_token: string;
  readonly answers: readonly { readonly path?: string; readonly sql?: string; readonly answer: object }[];
}

const made = join('test', 'resilience', 'earlier-release');
const recorded = JSON.parse(readFileSync(join(made, 'answers.json'), 'utf8')) as Recorded;
const { manifest } = JSON.parse(readFileSync(join(made, 'backup', 'manifest.json'), 'utf8')) as {
  readonly manifest: { readonly migrations: readonly string[] };
};

const fromBackup = async (folder: string): Promise<Env> => {
  const env = { DATA_DIR: join(folder, 'data') };
  // The files of a backup have names and rights of their own, which a checkout does not keep.
  await cp(join(made, 'backup'), join(folder, 'backup'), { recursive: true });
  const restored = await cli(env, 'restore', '--from', join(folder, 'backup'), '--json');
  expect([restored.code, restored.stderr.includes('rror')]).toEqual([0, false]);
  return env;
};

const inPlace = (folder: string): Promise<Env> => {
  const tar = brotliDecompressSync(readFileSync(join(made, 'data.tar.br')));
  expect(spawnSync('tar', ['-xf', '-', '-C', folder], { input: tar }).status).toBe(0);
  return Promise.resolve({ DATA_DIR: folder });
};

/**
 * The release of November 23, 2026 (df1b5faa) had a history of merges, a split, deletions, edits, cohorts of all kinds, an action
 * and a webhook. `make.mjs` keeps its folder, a backup of it, and what that release answered; fields that change with the time,
 * and links, are left out of the answers.
 */
describe.each([
  ['restored from a backup', fromBackup],
  ['in the folder that it left', inPlace],
])('data of an earlier release, %s', (_, prepare) => {
  let env: Env;
  let folder: string;
  let service: RunningProcess;
  const ask = async ({ path, sql }: Recorded['answers'][number]): Promise<unknown> => {
    const response = await fetch(`${service.url}/api/projects/1/${path ?? 'query'}`, {
      headers: { authorization: `Bearer ${recorded.personal_api_key}`, 'content-type': 'application/json' },
      ...(sql === undefined ? {} : { method: 'POST', body: JSON.stringify({ query: sql }) }),
    });
    const body = (await response.json()) as { readonly results: unknown };
    if (response.status !== 200) throw new Error(JSON.stringify(body));
    return sql === undefined ? body : body.results;
  };

  beforeAll(async () => {
    folder = await tempDir();
    // A deletion that it had requested is never due here: the answers are those of before.
    env = { ...(await prepare(folder)), DELETION_SCHEDULE: '0 5 29 2 *' };
    service = await start(env);
    for (let left = 200, isDone = false; left > 0 && !isDone; left -= 1) {
      const { results } = (await ask({ path: 'cohorts?limit=100', answer: {} })) as {
        readonly results: readonly { readonly is_calculating: boolean }[];
      };
      isDone = results.every((cohort) => !cohort.is_calculating);
      if (!isDone) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  afterAll(async () => {
    service.child.kill('SIGTERM');
    await service.exited;
    await removeDir(folder);
  });

  it('is of a release whose schema has changed since', () => {
    const names = postgresMigrations.map(({ name }) => name);
    expect(names.slice(0, manifest.migrations.length)).toEqual(manifest.migrations);
    expect(names.length).toBeGreaterThan(manifest.migrations.length);
  });

  it.each(recorded.answers.map((each) => [each.path ?? each.sql ?? '', each] as const))(
    'answers as it did: %s',
    async (_, each) => {
      expect(await ask(each)).toMatchObject(each.answer);
    },
  );

  it('takes events of the old token, which join the persons there were', async () => {
    const { answer } = recorded.answers.find(({ path }) => path?.startsWith('persons?')) as {
      readonly answer: { readonly count?: number };
    };
    const captured = await fetch(`${service.url}/batch`, {
      method: 'POST',
      body: JSON.stringify({ api_key: recorded.project_token, batch: [{ event: 'after', distinct_id: 'user-4' }] }),
    });
    expect(await captured.json()).toMatchObject({ accepted: 1 });
    const rows = await ask({ sql: `select person.properties.email from events where event = 'after'`, answer: [] });
    expect(rows).toEqual([['user-1@example.com']]);
    expect(await ask({ path: 'persons?limit=1', answer: {} })).toMatchObject({ count: answer.count });
  });

  it('is the same in both stores', async () => {
    service.child.kill('SIGTERM');
    await service.exited;
    const { code, stdout } = await cli(env, 'verify', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { differences: [] }]);
  });
});
