import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * One PostgreSQL for the whole run, with a migrated template database that spec files copy in milliseconds.
 * TEST_SERVERS=1 takes the server of TEST_DATABASE_URL and puts ClickHouse behind HTTP instead.
 */
export default async function globalSetup() {
  const { startEmbeddedPostgres } = await import('../../dist/src/stores/postgres/embedded/server.js');
  const { postgresDataSource } = await import('../../dist/src/stores/postgres/data-source.js');
  const { createLogger } = await import('../../dist/src/common/logging/logger.js');
  const { entities } = await import('../../dist/src/entities.js');
  const logger = createLogger({ logLevel: 'warn' });

  const dataDir = await mkdtemp(join(tmpdir(), 'kohort-test-'));
  const embedded = process.env.TEST_DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir, logger });
  const url = embedded?.url ?? new URL(process.env.TEST_DATABASE_URL);

  const admin = await postgresDataSource(url, []).initialize();
  await admin.query('DROP DATABASE IF EXISTS kohort_template');
  await admin.query('CREATE DATABASE kohort_template');
  await admin.destroy();
  const template = new URL(url);
  template.pathname = '/kohort_template';
  const migrated = await postgresDataSource(template, entities).initialize();
  await migrated.runMigrations();
  await migrated.destroy();

  process.env.TEST_POSTGRES = url.href;
  const clickhouse = process.env.TEST_SERVERS ? await startClickHouseServer(join(dataDir, 'clickhouse')) : null;
  if (clickhouse) process.env.TEST_CLICKHOUSE = clickhouse.url;
  globalThis.stopTestStores = async () => {
    await embedded?.stop();
    clickhouse?.child.kill('SIGTERM');
    if (clickhouse) await once(clickhouse.child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  };
}

const startClickHouseServer = async (path) => {
  const script = new URL('./clickhouse-http-server.mjs', import.meta.url).pathname;
  const env = { ...process.env, UV_THREADPOOL_SIZE: '32' };
  const child = spawn(process.execPath, [script, '--path', path], { stdio: ['ignore', 'pipe', 'inherit'], env });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, url: JSON.parse(line).url };
};
