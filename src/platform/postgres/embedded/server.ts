import { resolve } from 'node:path';
import { type Logger } from '../../telemetry/logger.js';
import { ensureDataDir } from '../../embedded/data-dir.js';
import { isFree } from '../../embedded/free-port.js';
import { serverAccount } from './account.js';
import { ensureAdminPassword } from './admin.js';
import { findBinaries } from './binaries.js';
import { clusterIn, isInitialised, systemIdentifier, type Cluster } from './cluster.js';
import { connectionUrl, newConnection, readConnection, writeConnection, type Connection } from './connection.js';
import { archiveSettings, claimArchive, ensureArchive, markGap, type WalArchive } from './archive/archive.js';
import { startArchiving } from './archive/archiving.js';
import { answers } from './database.js';
import { initialise, makeOpenable } from './initialise.js';
import { launch, startLogAnew, type ServerProcess, type Site } from './launch.js';
import { isOfReadOnlyFiles, stopProcesses } from './processes.js';
import { supervise } from '../../embedded/supervise.js';

export interface EmbeddedPostgres {
  readonly url: URL;
  stop(): Promise<void>;
}

/**
 * Limits for glibc: without them, each process keeps more and more freed memory as its statements become larger. Other
 * allocators ignore them.
 */
const returnFreedMemory = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

const readOnlyAdvice =
  ': its file system is read-only. Stop the service, repair the file system of DATA_DIR and start the service';

const orphanPatienceMs = 4_000;
const stopPatienceMs = 5_000;

/** Starts PostgreSQL in DATA_DIR. The caller holds its lock, so a server that runs there already was left by a killed process. */
export const startEmbeddedPostgres = async (options: {
  dataDir: string;
  logger: Logger;
  archive?: WalArchive | null;
  /** The memory for pages, in bytes; null leaves the value of postgresql.conf in the folder. */
  sharedPages?: number | null;
}): Promise<EmbeddedPostgres> => {
  const { logger, archive = null, sharedPages = null } = options;
  const startedAt = performance.now();
  const dataDir = resolve(options.dataDir);
  await ensureDataDir(dataDir);
  const cluster = await clusterIn(dataDir);
  const account = await serverAccount(cluster.folder);
  const settings = {
    ...(archive ? archiveSettings : {}),
    ...(sharedPages === null ? {} : { shared_buffers: `${Math.floor(sharedPages / 1024)}kB` }),
  };
  const env = sharedPages === null ? {} : returnFreedMemory;
  const site: Site = { dataDir, cluster, account, binaries: await findBinaries(account), settings, env };
  const orphans = await stopProcesses(cluster, orphanPatienceMs);
  if (orphans > 0)
    logger.warn({ processes: orphans }, 'Stopped the PostgreSQL that an earlier process had left running');
  await startLogAnew(cluster);
  const { connection, server } = await firstLaunch(site, archive);
  logger.info(
    { port: connection.port, ms: Math.round(performance.now() - startedAt) },
    'The embedded PostgreSQL is ready',
  );
  const supervised = supervise(server, {
    name: 'The embedded PostgreSQL',
    launch: (signal) => launch(site, connection, signal),
    halt: () => stopProcesses(cluster, stopPatienceMs),
    adviceFor: (error) => (isOfReadOnlyFiles(error) ? readOnlyAdvice : ''),
    logger,
  });
  const stop = async (): Promise<void> => {
    supervised.server.hold();
    await supervised.stop();
  };
  if (!archive) return { url: connectionUrl(connection), stop };
  const archiving = startArchiving(site, archive, logger);
  return {
    url: connectionUrl(connection),
    stop: async () => {
      await archiving.stop();
      await stop();
      await archiving.moveRest();
    },
  };
};

/** Returns the URL of the server in DATA_DIR, for a command while the service runs; null if none answers. */
export const runningEmbeddedPostgres = async (dataDir: string): Promise<URL | null> => {
  const cluster = await clusterIn(dataDir).catch(() => null);
  const connection = cluster && (await readConnection(dataDir));
  return connection && (await answers(connection, cluster.name)) ? connectionUrl(connection) : null;
};

const firstLaunch = async (
  site: Site,
  archive: WalArchive | null,
): Promise<{ connection: Connection; server: ServerProcess }> => {
  let known = await prepare(site);
  if (archive) {
    await ensureArchive(archive, site.cluster, site.account);
    await claimArchive(archive, await systemIdentifier(site.cluster));
  } else await markGap(site.cluster);
  for (let attempt = 1; ; attempt += 1) {
    const connection = await newConnection(known);
    await writeConnection(site.dataDir, connection);
    known = connection;
    try {
      return { connection, server: await launch(site, connection) };
    } catch (error) {
      // Another process may take the port between the check and the server's start.
      if (attempt === 3 || (await isFree(connection.port))) throw error;
    }
  }
};

const prepare = async ({ dataDir, cluster, binaries, account }: Site): Promise<Connection> => {
  const known = await readConnection(dataDir);
  if (await isInitialised(cluster)) {
    if (!known) throw missingPassword(dataDir, cluster);
    await makeOpenable(cluster, binaries, account);
    return known;
  }
  const connection = await newConnection(known);
  await writeConnection(dataDir, connection);
  await initialise(cluster, binaries, account, {
    service: connection.password,
    admin: await ensureAdminPassword(dataDir),
  });
  return connection;
};

const missingPassword = (dataDir: string, { folder }: Cluster): Error =>
  new Error(
    `${dataDir}/postgres.json, which holds the password of ${folder}, is missing: restore it from the backup of DATA_DIR`,
  );
