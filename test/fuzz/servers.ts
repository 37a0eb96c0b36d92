import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import type * as clickhouse from '../support/clickhouse/server.mjs';
import { type Env } from '../support/process.js';

export interface Servers {
  /** The settings by which the service reaches them. */
  readonly env: Env;
  stop(): Promise<void>;
}

/** A server of each store, in processes that outlive the service. */
export const startServers = async (dir: string): Promise<Servers> => {
  const logger = createLogger({ logLevel: 'error' });
  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), logger });
  try {
    // By its place in the checkout: compiled code lies elsewhere, without the C source beside it.
    const at = pathToFileURL(resolve('test/support/clickhouse/server.mjs')).href;
    const { startClickHouseServer } = (await import(at)) as typeof clickhouse;
    const engine = await startClickHouseServer({ path: join(dir, 'clickhouse') });
    return {
      env: { DATABASE_URL: postgres.url.href, CLICKHOUSE_URL: new URL('/kohort', engine.url).href },
      stop: async () => {
        await engine.close();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
};
