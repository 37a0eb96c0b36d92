import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, start, terminate } from '../support/process.js';
import { sampleOf } from '../support/sample.js';
import { personalText } from '../support/traffic.js';
import { closingAfterEach, newFolder, startWithTraffic } from './faulty-stores.fixture.js';

const closing = closingAfterEach();

const filesIn = async (folder: string, pattern: RegExp): Promise<string[]> => {
  const files: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if (pattern.test(path) && (await stat(path)).isFile()) files.push(path);
  }
  if (files.length === 0) throw new Error(`no file in ${folder} is like ${pattern.source}`);
  return files;
};

const cut =
  (pattern: RegExp, to: number) =>
  async (folder: string): Promise<void> => {
    for (const file of await filesIn(folder, pattern)) await truncate(file, to);
  };

const overwrite =
  (pattern: RegExp) =>
  async (folder: string): Promise<void> => {
    for (const path of await filesIn(folder, pattern)) {
      const file = await open(path, 'r+');
      await file.write(Buffer.alloc((await file.stat()).size, 'Z'), 0, null, 0);
      await file.close();
    }
  };

/** A service that has stopped with all that it took, and its folder. */
const stopped = async () => {
  const dataDir = await newFolder(closing);
  const { service, traffic } = await startWithTraffic(closing, dataDir);
  await traffic.untilRight();
  await terminate(service);
  return { dataDir, traffic };
};

const ofClickHouse: readonly (readonly [string, (folder: string) => Promise<void>])[] = [
  ['cut parts', cut(/data\.bin$/, 3)],
  ['cut definitions', cut(/kohort\.sql$/, 10)],
  ['empty files', cut(/./, 0)],
  ['overwritten parts', overwrite(/data\.bin$/)],
  ['no folder', (folder) => rm(folder, { recursive: true })],
];

describe('a start of the embedded ClickHouse with', () => {
  it.each(sampleOf(ofClickHouse, 3))(
    '%s fills it again from PostgreSQL, and gives no wrong answer meanwhile',
    async (_, damage) => {
      const { dataDir, traffic } = await stopped();
      await damage(join(dataDir, 'clickhouse'));
      const service = await start({ DATA_DIR: dataDir });
      closing(() => terminate(service));
      const again = traffic.at(service);
      const first = await again.question();
      expect([503, 200]).toContain(first.status);
      if (first.status === 200) expect(first.count).toBe(again.accepted);
      expect((await again.capture()).status).toBe(200);
      await again.untilRight();
      expect(service.output()).toMatch(
        /clickhouse does not have what PostgreSQL has: it is filled again from PostgreSQL/,
      );
      expect(service.output()).toContain('the projection is rebuilt');
      expect(service.output()).not.toContain(personalText);
    },
  );
});

const ofPostgres: readonly (readonly [string, (folder: string) => Promise<void>])[] = [
  ['a cut pg_control', cut(/global\/pg_control$/, 100)],
  [
    'no log',
    async (folder) =>
      Promise.all((await filesIn(folder, /pg_wal\/[0-9A-F]+$/)).map((file) => rm(file))).then(() => undefined),
  ],
  ['empty tables', cut(/postgres\/base\/./, 0)],
  ['no settings', (folder) => rm(join(folder, 'postgresql.conf'))],
  ['empty states of transactions', cut(/pg_xact\/./, 0)],
];

describe('a start of the embedded PostgreSQL with', () => {
  it.each(sampleOf(ofPostgres, 3))('%s is refused with one line that says how to restore', async (_, damage) => {
    const { dataDir } = await stopped();
    await damage(join(dataDir, 'postgres'));
    const service = await launch({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' });
    expect((await service.exited).code).toBe(1);
    const lines = service.output().trim().split('\n');
    expect(lines).toEqual([expect.stringMatching(/^DATA_DIR .*npm run cli -- restore --from <folder of the backup>$/)]);
    expect(lines.join()).not.toContain(personalText);
  });
});

describe('a folder of ClickHouse that another process has open', () => {
  it('is neither moved nor filled again', async () => {
    const { dataDir } = await stopped();
    const folder = join(dataDir, 'clickhouse');
    const program = `const { Session } = await import('chdb');
      const session = new Session(${JSON.stringify(folder)});
      console.log(session.query('SELECT 1', 'CSV').trim());
      setInterval(() => session, 1_000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    closing(() => other.kill('SIGKILL'));
    await once(other.stdout, 'data');
    const service = await launch({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' });
    expect((await service.exited).code).toBe(1);
    expect(service.output()).toContain('Stop the other process');
    expect(await readdir(dataDir)).toContain('clickhouse');
    expect(await readdir(dataDir)).not.toContain('clickhouse.damaged');
  });
});
