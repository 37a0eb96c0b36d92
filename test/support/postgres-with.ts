import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { serverAccount } from '../../src/platform/postgres/embedded/account.js';
import { findBinaries } from '../../src/platform/postgres/embedded/binaries.js';
import { clusterIn, startIn } from '../../src/platform/postgres/embedded/cluster.js';
import { answers } from '../../src/platform/postgres/embedded/database.js';
import { readConnection } from '../../src/platform/postgres/embedded/connection.js';
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { asArguments, enforcedSettings } from '../../src/platform/postgres/embedded/settings.js';
import { until } from './until.js';

const run = promisify(execFile);

/** The server of the embedded PostgreSQL with settings that the service would never give it. */
export class PostgresWith {
  private constructor(
    private readonly dataDir: string,
    private readonly settings: Readonly<Record<string, string>>,
    readonly url: URL,
    private server: ChildProcess,
  ) {}

  static async start(dataDir: string, settings: Readonly<Record<string, string>>): Promise<PostgresWith> {
    const made = await startEmbeddedPostgres({ dataDir, logger: createLogger({ logLevel: 'fatal' }) });
    await made.stop();
    return new PostgresWith(dataDir, settings, made.url, await launched(dataDir, settings));
  }

  /** As `pg_ctl stop -m immediate` does, and a crash of the machine: what is not in the log on the disk is lost. */
  async crash(): Promise<void> {
    await this.end('SIGQUIT');
    this.server = await launched(this.dataDir, this.settings);
  }

  /** Keeps a copy of all that it has now. */
  async keep(): Promise<void> {
    await this.end('SIGINT');
    // With the account that owns the files.
    await run('cp', ['-a', this.dataDir, `${this.dataDir}-kept`]);
    this.server = await launched(this.dataDir, this.settings);
  }

  /** As a recovery to a moment does, and a failover to a replica that is late: it has what it had when it was kept. */
  async goBack(): Promise<void> {
    await this.end('SIGQUIT');
    await rm(this.dataDir, { recursive: true });
    await rename(`${this.dataDir}-kept`, this.dataDir);
    this.server = await launched(this.dataDir, this.settings);
  }

  stop(): Promise<void> {
    return this.end('SIGINT');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    const exited = once(this.server, 'exit');
    this.server.kill(signal);
    await exited;
  }
}

const launched = async (dataDir: string, settings: Readonly<Record<string, string>>): Promise<ChildProcess> => {
  const cluster = await clusterIn(dataDir);
  const account = await serverAccount(cluster.folder);
  const { postgres } = await findBinaries(account);
  const connection = await readConnection(dataDir);
  if (!connection) throw new Error(`no PostgreSQL in ${dataDir}`);
  const { dataArguments, options } = startIn(cluster.folder, account);
  const words = asArguments({ ...enforcedSettings(cluster.name, connection.port), ...settings });
  const server = spawn(postgres, [...dataArguments, ...words], { ...options, stdio: 'ignore' });
  await until(() => answers(connection, cluster.name), { failure: () => `PostgreSQL in ${dataDir} does not answer` });
  return server;
};
