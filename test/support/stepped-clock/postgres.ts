import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { serverAccount } from '../../../src/platform/postgres/embedded/account.js';
import { findBinaries } from '../../../src/platform/postgres/embedded/binaries.js';
import { clusterIn, startIn } from '../../../src/platform/postgres/embedded/cluster.js';
import { connectionUrl, readConnection } from '../../../src/platform/postgres/embedded/connection.js';
import { readPostmaster } from '../../../src/platform/postgres/embedded/processes.js';
import { startEmbeddedPostgres } from '../../../src/platform/postgres/embedded/server.js';
import { asArguments, enforcedSettings } from '../../../src/platform/postgres/embedded/settings.js';
import { type SteppedClock } from './stepped-clock.js';

/** A new PostgreSQL that goes by the clock. */
export const startPostgresBy = async (
  clock: SteppedClock,
  dataDir: string,
): Promise<{ url: URL; stop: () => Promise<void> }> => {
  const made = await startEmbeddedPostgres({ dataDir, logger: createLogger({ logLevel: 'error' }) });
  await made.stop();
  const cluster = await clusterIn(dataDir);
  const account = await serverAccount(cluster.folder);
  const [binaries, connection] = [await findBinaries(account), await readConnection(dataDir)];
  if (!connection) throw new Error('The new PostgreSQL has no connection');
  const { dataArguments, options } = startIn(cluster.folder, account);
  const settings = asArguments(enforcedSettings(cluster.name, connection.port));
  const child = spawn(binaries.postgres, [...dataArguments, ...settings], {
    ...options,
    env: { ...options.env, ...clock.env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  for (const until = performance.now() + 20_000; ; await sleep(20)) {
    const postmaster = await readPostmaster(cluster);
    if (postmaster?.pid === child.pid && postmaster?.status === 'ready') break;
    if (performance.now() > until) throw new Error('PostgreSQL does not start');
  }
  return {
    url: connectionUrl(connection),
    stop: async () => {
      child.kill('SIGINT');
      await exited;
    },
  };
};
