import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { serverAccount, type Account } from '../../src/platform/postgres/embedded/account.js';
import { freePort } from './process.js';

const root = '/usr/lib/postgresql';

/** The programs of Debian's PostgreSQL; the embedded one has none that copies a server. */
const programs = (): string | undefined => {
  const version =
    existsSync(root) && readdirSync(root).find((name) => existsSync(join(root, name, 'bin/pg_basebackup')));
  return version ? join(root, version, 'bin') : undefined;
};

export const hasPostgresPair = (): boolean => {
  if (programs()) return true;
  console.warn('!!! NO DEBIAN POSTGRESQL HERE: apt-get install postgresql. Failover to a replica is not tested.');
  return false;
};

const user = 'kohort_admin';

interface Member {
  readonly folder: string;
  readonly port: number;
  server: ChildProcess | null;
}

/** Two servers of PostgreSQL: one takes writes, and confirms them when the other has them as well. */
export class PostgresPair {
  private constructor(
    private readonly dir: string,
    private readonly bin: string,
    private readonly account: Account | null,
    private writing: Member,
    private following: Member,
    private readonly settings: readonly string[],
  ) {}

  static async start(settings: readonly string[] = ['fsync=off']): Promise<PostgresPair> {
    const bin = programs();
    if (!bin) throw new Error('no PostgreSQL of Debian');
    // A folder that the account of the servers can reach, too.
    const dir = await mkdtemp(join(tmpdir(), 'kohort-pair-'));
    const account = await serverAccount(dir);
    const members = await Promise.all(
      ['one', 'other'].map(async (name) => ({ folder: join(dir, name), port: await freePort(), server: null })),
    );
    const pair = new PostgresPair(dir, bin, account, members[0] as Member, members[1] as Member, settings);
    if (account) await chown(dir, account.uid, account.gid);
    await pair.run('initdb', [
      '-D',
      pair.writing.folder,
      '-U',
      user,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '-N',
    ]);
    await pair.serve(pair.writing);
    await pair.follow();
    return pair;
  }

  /** Both hosts, the one first that was first at the start. */
  get url(): string {
    const [one, other] = [this.writing, this.following].sort((a, b) => (a.folder < b.folder ? -1 : 1));
    return `postgres://${user}@127.0.0.1:${other?.port},127.0.0.1:${one?.port}/postgres`;
  }

  /** The server that follows, alone. Production demands a password, at which these servers do not look. */
  get followingUrl(): string {
    return `postgres://${user}:vZ8tq2Lw@127.0.0.1:${this.following.port}/postgres`;
  }

  /** The server that takes writes, alone. */
  get writingUrl(): string {
    return `postgres://${user}@127.0.0.1:${this.writing.port}/postgres`;
  }

  /** Kills the server that takes writes; a moment later the other one takes its place. */
  async failOver(pauseMs: number): Promise<void> {
    this.writing.server?.kill('SIGKILL');
    await sleep(pauseMs);
    // It has no follower that could confirm.
    await this.administer(this.following, "ALTER SYSTEM SET synchronous_standby_names = ''", 'SELECT pg_reload_conf()');
    await this.administer(this.following, 'SELECT pg_promote(true, 60)');
    [this.writing, this.following] = [this.following, this.writing];
  }

  /** Makes the killed server a copy of the other, which it follows from now on. */
  async follow(): Promise<void> {
    const { folder } = this.following;
    await rm(folder, { recursive: true, force: true });
    const source = ['-h', '127.0.0.1', '-p', String(this.writing.port), '-U', user];
    await this.run('pg_basebackup', [...source, '-D', folder, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
    await this.serve(this.following);
    await this.administer(this.writing, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
  }

  async stop(): Promise<void> {
    for (const { server } of [this.following, this.writing]) {
      if (!server || server.exitCode !== null || server.signalCode !== null) continue;
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
    }
    await rm(this.dir, { recursive: true, force: true });
  }

  private async serve(member: Member): Promise<void> {
    const { folder, port } = member;
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=100',
      ...this.settings,
    ];
    const words = ['-D', folder, '-p', String(port), ...settings.flatMap((each) => ['-c', each])];
    member.server = spawn(join(this.bin, 'postgres'), words, { ...this.account, cwd: folder, stdio: 'ignore' });
    for (const end = Date.now() + 60_000; ; await sleep(50)) {
      const isUp = await this.administer(member, 'SELECT 1').then(
        () => true,
        () => false,
      );
      if (isUp) return;
      if (Date.now() > end) throw new Error(`PostgreSQL in ${folder} does not answer`);
    }
  }

  private async administer({ port }: Member, ...statements: readonly string[]): Promise<void> {
    const client = new Client({ host: '127.0.0.1', port, user, database: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  private run(program: string, words: readonly string[]): Promise<unknown> {
    return promisify(execFile)(join(this.bin, program), [...words], { ...this.account, cwd: '/' });
  }
}
