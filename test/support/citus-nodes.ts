import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { serverAccount, type Account } from '../../src/platform/postgres/embedded/account.js';
import { freePort } from './process.js';

const root = '/usr/lib/postgresql';

/** The programs of the PostgreSQL of Debian that has Citus. */
const programs = (): string | undefined => {
  const versions = existsSync(root) ? readdirSync(root) : [];
  const version = versions.find((name) => existsSync(join('/usr/share/postgresql', name, 'extension/citus.control')));
  return version ? join(root, version, 'bin') : undefined;
};

export const hasCitus = (): boolean => {
  if (programs()) return true;
  console.warn('!!! NO POSTGRESQL WITH CITUS HERE: build it from its sources. Kills of its nodes are not tested.');
  return false;
};

const user = 'kohort_admin';

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'shared_preload_libraries=citus',
  'max_connections=200',
  'max_prepared_transactions=200',
  'wal_level=logical',
  'citus.shard_count=8',
  // As the guide about operating at scale advises.
  'citus.recover_2pc_interval=2s',
];

/** A server of its own, which can be killed and started again. */
export class CitusNode {
  private server: ChildProcess | null = null;

  constructor(
    private readonly bin: string,
    readonly folder: string,
    readonly port: number,
    private readonly account: Account | null,
  ) {}

  get url(): string {
    return `postgres://${user}@127.0.0.1:${this.port}/postgres`;
  }

  async make(): Promise<void> {
    const words = ['-D', this.folder, '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '-N'];
    await promisify(execFile)(join(this.bin, 'initdb'), words, { ...this.account, cwd: '/' });
  }

  async start(): Promise<void> {
    const words = ['-D', this.folder, '-p', String(this.port), ...settings.flatMap((each) => ['-c', each])];
    // With a home, libpq looks there for certificates, which the account may not read.
    const env = { PATH: process.env.PATH };
    const run = { ...this.account, cwd: this.folder, env, stdio: 'ignore' } as const;
    this.server = spawn(join(this.bin, 'postgres'), words, run);
    for (const end = Date.now() + 60_000; ; await sleep(50)) {
      const isUp = await this.query('SELECT 1').then(
        () => true,
        () => false,
      );
      if (isUp) return;
      if (Date.now() > end) throw new Error(`PostgreSQL in ${this.folder} does not answer`);
    }
  }

  /** As `pg_ctl stop -m immediate` does; the next start recovers from the log. */
  kill(): Promise<void> {
    return this.end('SIGQUIT');
  }

  stop(): Promise<void> {
    return this.end('SIGINT');
  }

  /** Its connections stay open, and nothing answers on them. */
  pause(): void {
    this.signalAll('SIGSTOP');
  }

  resume(): void {
    this.signalAll('SIGCONT');
  }

  private signalAll(signal: NodeJS.Signals): void {
    const pid = this.server?.pid;
    if (!pid) throw new Error('the node does not run');
    // A paused one starts no other, so its children are read afterwards.
    kill(pid, signal);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) kill(Number(child), signal);
  }

  async query<Row extends object>(statement: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { server } = this;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    // One that is paused would not take the signal.
    this.resume();
    this.server = null;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }
}

/** A coordinator of Citus and two workers. */
export class CitusNodes {
  private constructor(
    private readonly dir: string,
    readonly coordinator: CitusNode,
    readonly workers: readonly [CitusNode, CitusNode],
  ) {}

  static async start(): Promise<CitusNodes> {
    const bin = programs();
    if (!bin) throw new Error('no PostgreSQL with Citus');
    // A folder that the account of the servers can reach, too.
    const dir = await mkdtemp(join(tmpdir(), 'kohort-citus-'));
    const account = await serverAccount(dir);
    if (account) await chown(dir, account.uid, account.gid);
    const node = async (name: string) => new CitusNode(bin, join(dir, name), await freePort(), account);
    const nodes = new CitusNodes(dir, await node('coordinator'), [await node('one'), await node('other')]);
    try {
      await nodes.join();
    } catch (error) {
      await nodes.stop();
      throw error;
    }
    return nodes;
  }

  get all(): readonly CitusNode[] {
    return [this.coordinator, ...this.workers];
  }

  /** Where the rows of a project are. */
  async nodeOf(projectId: number): Promise<CitusNode> {
    const [row] = await this.coordinator.query<{ port: number }>(
      `SELECT nodeport AS port FROM citus_shards
       WHERE shardid = get_shard_id_for_distribution_column('persons', ${projectId})`,
    );
    const found = this.workers.find(({ port }) => port === row?.port);
    if (!found) throw new Error(`project ${projectId} is on no worker`);
    return found;
  }

  private async join(): Promise<void> {
    for (const node of this.all) {
      await node.make();
      await node.start();
      await node.query('CREATE EXTENSION citus');
    }
    const { coordinator } = this;
    await coordinator.query(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
    for (const { port } of this.workers) await coordinator.query(`SELECT citus_add_node('127.0.0.1', ${port})`);
  }

  async stop(): Promise<void> {
    for (const node of this.all) await node.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}
