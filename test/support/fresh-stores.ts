import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { until } from './until.js';

const objectInUse = '55006';

/** A database copied from the run's template and owned by a role without privileges, and a folder for the embedded ClickHouse. */
export const freshStores = async (): Promise<{
  env: Record<string, string>;
  databaseUrl: URL;
  remove(): Promise<void>;
}> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const dataDir = await mkdtemp(join(process.env.TEST_RUN_DIR ?? tmpdir(), 'stores-'));
  const databaseUrl = new URL(process.env.TEST_POSTGRES ?? '');
  databaseUrl.pathname = `/${name}`;
  const owner = databaseUrl.username;
  await onEveryNode((client) => client.query(`CREATE DATABASE ${name} TEMPLATE kohort_template OWNER ${owner}`));
  const clickhouse = process.env.TEST_CLICKHOUSE ? new URL(process.env.TEST_CLICKHOUSE) : null;
  const cluster = process.env.TEST_CLICKHOUSE_CLUSTER;
  if (clickhouse) clickhouse.pathname = `/${name}`;
  return {
    databaseUrl,
    env: {
      DATA_DIR: dataDir,
      EVENT_ARCHIVE: join(dataDir, 'event-archive'),
      DATABASE_URL: databaseUrl.href,
      // No test kills the server of the run, so it need not write before it answers.
      ALLOW_UNSAFE_DATABASE: '1',
      ...(clickhouse ? { CLICKHOUSE_URL: clickhouse.href } : {}),
      ...(cluster ? { CLICKHOUSE_CLUSTER: cluster } : {}),
    },
    remove: async () => {
      await onEveryNode(async (client) => {
        // Citus keeps connections of its own.
        if (!process.env.TEST_CITUS_WORKERS) await untilLeft(client, name);
        await until(() => drops(client, name), { failure: () => `${name} is still in use` });
      });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/**
 * A pool says that it has ended before its connections have. One that FORCE terminates first reports an error, which fails
 * the test that opened it.
 */
const untilLeft = async (client: Client, name: string): Promise<void> => {
  for (let tries = 0; tries < 50; tries += 1) {
    const { rows } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name]);
    if (rows.length === 0) return;
    await sleep(20);
  }
};

/** FORCE waits five seconds for connections to end. On a busy server those of Citus take longer. */
const drops = async (client: Client, name: string): Promise<boolean> => {
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== objectInUse) throw error;
    return false;
  }
};

/** On the coordinator and the workers of Citus, where there are any. */
const onEveryNode = async (work: (client: Client) => Promise<unknown>): Promise<void> => {
  const workers = process.env.TEST_CITUS_WORKERS?.split(' ') ?? [];
  for (const url of [process.env.TEST_POSTGRES_ADMIN ?? '', ...workers]) await asAdminOf(url, work);
};

const asAdminOf = async (url: string, work: (client: Client) => Promise<unknown>): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};
