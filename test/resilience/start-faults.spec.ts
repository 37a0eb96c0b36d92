import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { chmod, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort, removeDir } from '../support/process.js';
import { mayMount } from '../support/small-disk.js';

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-faults-'));
  // The folder of a process that runs as another user must be open to that user.
  await chmod(folder, 0o755);
});
afterAll(() => removeDir(folder));

const nobody = 65_534;

/** A start that fails. It has a second: nothing of the service runs yet. */
const failing = async (
  env: Readonly<Record<string, string>>,
  { cwd = folder, asNobody = false }: { cwd?: string; asNobody?: boolean } = {},
): Promise<Ended> => {
  const child = spawn(process.execPath, ['--max-semi-space-size=8', resolve('bin/kohort.mjs')], {
    cwd,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(asNobody ? { uid: nobody, gid: nobody } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, lines: output.trimEnd().split('\n') };
};

const isRoot = process.getuid?.() === 0;

describe('a start that must not happen ends with one line for each fault', () => {
  it('of wrong values: all of them, those of .env too', async () => {
    const cwd = join(folder, 'with-env');
    await mkdir(cwd);
    await writeFile(join(cwd, '.env'), 'LOG_LEVEL=loud\nCOHORT_REFRESH_MINUTES=often\n');
    const { code, lines } = await failing({ PORT: '-1' }, { cwd });
    expect([code, lines]).toEqual([
      1,
      [
        'PORT must be an integer from 0 to 65535, got "-1"',
        'COHORT_REFRESH_MINUTES must be an integer from 1 to 10080, got "often" in .env',
      ],
    ]);
  });

  it('of servers that cannot be reached: both, without their passwords', async () => {
    const [first, second] = [await freePort(), await freePort()];
    const { code, lines } = await failing({
      DATABASE_URL: `postgres://kohort:hunter2@127.0.0.1:${first}/kohort`,
      CLICKHOUSE_URL: `http://kohort:hunter2@127.0.0.1:${second}/kohort`,
    });
    expect([code, lines]).toEqual([
      1,
      [
        `DATABASE_URL: no PostgreSQL answers at 127.0.0.1:${first}, nothing listens there: start it, or correct the address`,
        `CLICKHOUSE_URL: no ClickHouse answers at 127.0.0.1:${second}: start it, or correct the address`,
      ],
    ]);
  });

  it('of a server that is no PostgreSQL and no ClickHouse', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end('not here')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, lines } = await failing({
      DATABASE_URL: process.env.TEST_POSTGRES ?? '',
      ALLOW_UNSAFE_DATABASE: '1',
      CLICKHOUSE_URL: `http://kohort:hunter2@127.0.0.1:${port}/kohort`,
    });
    server.close();
    expect([code, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toMatch(/^CLICKHOUSE_URL: /);
    expect(lines[0]).not.toContain('hunter2');
  });

  it('of a user, a password or a database that PostgreSQL refuses', async () => {
    const wrongPassword = new URL(process.env.TEST_POSTGRES ?? '');
    wrongPassword.password = 'hunter2';
    const noDatabase = new URL(process.env.TEST_POSTGRES ?? '');
    noDatabase.pathname = '/nowhere';
    const one = await failing({ DATABASE_URL: wrongPassword.href, DATA_DIR: join(folder, 'unused') });
    expect([one.code, one.lines]).toEqual([
      1,
      [expect.stringMatching(/^DATABASE_URL: PostgreSQL at .* refuses the user/)],
    ]);
    expect(one.lines.join()).not.toContain('hunter2');
    const other = await failing({ DATABASE_URL: noDatabase.href, DATA_DIR: join(folder, 'unused') });
    expect([other.code, other.lines]).toEqual([
      1,
      [expect.stringMatching(/^DATABASE_URL: PostgreSQL at .* has no database "nowhere": create it$/)],
    ]);
  });

  it('of a DATA_DIR that is a file, lies below one, or cannot be made', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const [path, rule] of [
      [file, 'is a file, or lies below one: name a folder'],
      [join(file, 'data'), 'is a file, or lies below one: name a folder'],
      ['/proc/nope', 'cannot be created: name another folder'],
    ] as const) {
      const { code, lines } = await failing({ DATA_DIR: path });
      expect([code, lines]).toEqual([1, [`DATA_DIR ${path} ${rule}`]]);
    }
  });

  it('of a DATA_DIR that is not writable', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o555 });
    const { code, lines } = await failing({ DATA_DIR: closed }, { asNobody: isRoot });
    expect([code, lines]).toEqual([
      1,
      [expect.stringMatching(`^DATA_DIR ${closed} cannot be read and written by the user`)],
    ]);
  });

  // Only root can make a small file system; the unit test of the line runs everywhere.
  (mayMount() ? it : it.skip)('of a DATA_DIR on a full disk', async () => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    for (const size of ['4k', '20m']) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
      try {
        const { code, lines } = await failing({ DATA_DIR: join(disk, 'data') });
        expect([size, code, lines]).toEqual([
          size,
          1,
          [`DATA_DIR ${join(disk, 'data')} has no space left on its disk: free some, or name another folder`],
        ]);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    }
  });

  it('of a port that is taken, before a store is made', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const dataDir = join(folder, 'port-taken');
    const { code, lines } = await failing({ PORT: String(port), DATA_DIR: dataDir });
    holder.close();
    expect([code, lines]).toEqual([
      1,
      [`PORT ${port} on HOST 127.0.0.1 cannot be listened on (EADDRINUSE): set another PORT`],
    ]);
    expect(await readdir(dataDir)).toEqual([]);
  });
});
