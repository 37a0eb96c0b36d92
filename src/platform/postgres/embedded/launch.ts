import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rm, stat, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account } from './account.js';
import { type Binaries } from './binaries.js';
import { startIn, type Cluster } from './cluster.js';
import { type Connection } from './connection.js';
import { ensureDatabase } from './database.js';
import { readPostmaster, stopProcesses } from './processes.js';
import { asArguments, enforcedSettings } from './settings.js';

export interface Site {
  readonly dataDir: string;
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly account: Account | null;
  /** Settings of this server, in addition to those of every server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Variables of the environment of this server. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long the server may replay its log before it answers. */
  readonly recoveryMs?: number;
}

export interface ServerProcess {
  /** Resolves with the reason why the process ended. */
  readonly exited: Promise<string>;
  /** Keeps this process alive from now on until the server has ended. */
  hold(): void;
}

const answerMs = 20_000;
/** After a crash the server replays its log before it answers. */
const crashRecoveryMs = 600_000;

/** Starts the server and returns once it answers. When that fails, no process is left running. */
export const launch = async (site: Site, connection: Connection, signal?: AbortSignal): Promise<ServerProcess> => {
  const log = await open(site.cluster.logFile, 'a', 0o600);
  try {
    signal?.throwIfAborted();
    const child = spawnServer(site, connection, log.fd);
    const server = watched(child);
    await untilReady(site, child, server);
    await ensureDatabase(connection);
    return server;
  } catch (error) {
    await stopProcesses(site.cluster, 0);
    throw error;
  } finally {
    await log.close();
  }
};

const spawnServer = (
  { cluster, binaries, account, settings, env }: Site,
  { port }: Connection,
  log: number,
): ChildProcess => {
  const { dataArguments, options } = startIn(cluster.folder, account);
  const given = asArguments({ ...settings, ...enforcedSettings(cluster.name, port) });
  const child = spawn(binaries.postgres, [...dataArguments, ...given], {
    ...options,
    env: { ...options.env, ...env },
    stdio: ['ignore', log, log],
  });
  // The server must not keep this process alive, and must be stopped if this process ends without having stopped it.
  child.unref();
  const tell = () => void child.kill('SIGINT');
  process.once('exit', tell);
  child.once('exit', () => process.off('exit', tell));
  child.once('error', () => process.off('exit', tell));
  return child;
};

const watched = (child: ChildProcess): ServerProcess => ({
  exited: new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once('error', (error) => resolve(error.message));
  }),
  hold: () => child.ref(),
});

const untilReady = async (
  { cluster, recoveryMs = crashRecoveryMs }: Site,
  child: ChildProcess,
  server: ServerProcess,
): Promise<void> => {
  const end: { how?: string } = {};
  void server.exited.then((how) => (end.how = how));
  const startedAt = Date.now();
  for (;;) {
    await sleep(10);
    const postmaster = await readPostmaster(cluster);
    const own = postmaster?.pid === child.pid ? postmaster?.status : undefined;
    if (own === 'ready') return;
    if (end.how !== undefined)
      throw new Error(`The embedded PostgreSQL did not start (${end.how}): ${await reason(cluster)}`);
    if (Date.now() - startedAt > (own === 'starting' ? recoveryMs : answerMs)) {
      throw new Error(`The embedded PostgreSQL does not answer: ${await reason(cluster)}`);
    }
  }
};

/** The size of one file of the write-ahead log: with less space the server does not start, and may be unable to say why. */
const neededBytes = 16 * 1024 * 1024;

const reason = async ({ folder, logFile }: Cluster): Promise<string> => {
  const { bavail, bsize } = await statfs(folder);
  const isFull = bavail * bsize < neededBytes;
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  // Connections that came too early end with a FATAL, too.
  const cause = lines.slice(-30).findLast((line) => /\b(?:FATAL|PANIC):(?!\s+the database system is)/.test(line));
  const last = cause ?? lines.slice(-3).join(' | ');
  return `${isFull ? 'no space left on device, free some on the disk of DATA_DIR: ' : ''}${last} (see ${logFile})`;
};

const largestLog = 5 * 1024 * 1024;

export const startLogAnew = async ({ logFile }: Cluster): Promise<void> => {
  const status = await stat(logFile).catch(() => null);
  if (status && status.size > largestLog) await rm(logFile);
};
