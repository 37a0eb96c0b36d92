import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleSharedService } from './bundle.mjs';
import { startClickHouseCluster } from './clickhouse/cluster.mjs';
import { startClickHouseServer } from './clickhouse/server.mjs';

/**
 * One PostgreSQL for the whole run, with a migrated template database that spec files copy in milliseconds.
 * TEST_SERVERS=server takes the server of TEST_DATABASE_URL, a superuser's, and a ClickHouse server instead; TEST_SERVERS=cluster
 * two shards of one.
 * The service under test connects as a role without privileges; a superuser makes the databases.
 */
export default async function globalSetup() {
  const { startEmbeddedPostgres } = await import('../../dist/src/platform/postgres/embedded/server.js');
  const { postgresDataSource } = await import('../../dist/src/kernel/stores/data-source.js');
  const { createLogger } = await import('../../dist/src/platform/telemetry/logger.js');
  const { entities } = await import('../../dist/src/app/entities.js');
  const logger = createLogger({ logLevel: 'warn' });

  const dataDir = await mkdtemp(join(tmpdir(), 'kohort-test-'));

  /** Each worker has several services with pools of their own, which need more connections than one service. */
  const startForMany = async () => {
    const first = await startEmbeddedPostgres({ dataDir, logger });
    const admin = await postgresDataSource(await adminUrlOf(first, dataDir), []).initialize();
    await admin.query('ALTER SYSTEM SET max_connections = 300');
    await admin.destroy();
    await first.stop();
    return startEmbeddedPostgres({ dataDir, logger });
  };

  const embedded = process.env.TEST_DATABASE_URL ? null : await startForMany();
  const adminUrl = embedded ? await adminUrlOf(embedded, dataDir) : new URL(process.env.TEST_DATABASE_URL);
  const url = embedded?.url ?? new URL(adminUrl);
  if (!embedded) [url.username, url.password] = ['kohort_service', randomBytes(16).toString('hex')];

  const workers = process.env.TEST_CITUS_WORKERS?.split(' ').map((each) => new URL(each)) ?? [];
  for (const worker of workers) await prepareWorker(worker, url);
  const admin = await postgresDataSource(adminUrl, []).initialize();
  await admin.query('DROP DATABASE IF EXISTS kohort_template');
  if (!embedded) await allowLogin(admin, url.username, `PASSWORD '${url.password}'`);
  // Of use to a test only: it decides which of two transactions loses a deadlock.
  await admin.query(`GRANT SET ON PARAMETER deadlock_timeout TO ${url.username}`);
  // No test kills this server: those about what survives a crash start servers of their own.
  await admin.query(`ALTER ROLE ${url.username} SET synchronous_commit = off`);
  await admin.query(`CREATE DATABASE kohort_template OWNER ${url.username}`);
  await admin.destroy();
  const template = new URL(url);
  template.pathname = '/kohort_template';
  const migrated = await postgresDataSource(template, entities).initialize();
  if (workers.length > 0) await joinWorkers(adminUrl, workers);
  await migrated.runMigrations();
  if (workers.length > 0) {
    const { distribute, distributionOf } = await import('../../dist/src/platform/postgres/citus/distribute.js');
    await migrated.transaction(async (manager) => {
      const client = {
        query: async (statement) => ({ rows: await manager.query(statement.text ?? statement, statement.values) }),
      };
      await distribute(client, await distributionOf(client));
    });
  }
  await migrated.destroy();
  for (const node of workers.length > 0 ? [adminUrl, ...workers] : []) await closeTemplate(node);

  process.env.TEST_SHARED_SERVICE = resolve(await bundleSharedService());
  process.env.TEST_RUN_DIR = dataDir;
  process.env.TEST_RUN_PID = String(process.pid);
  // Databases are made and migrated without the pooler, whose idle connections would keep a template in use.
  const pooled = new URL(url);
  if (process.env.TEST_POOLER_PORT) pooled.port = process.env.TEST_POOLER_PORT;
  process.env.TEST_POSTGRES = pooled.href;
  process.env.TEST_POSTGRES_ADMIN = adminUrl.href;
  const clickhouse = await startClickHouse(join(dataDir, 'clickhouse'));
  if (clickhouse) process.env.TEST_CLICKHOUSE = clickhouse.url.href;
  if (clickhouse?.name) process.env.TEST_CLICKHOUSE_CLUSTER = clickhouse.name;
  globalThis.stopTestStores = async () => {
    await stopSharedServices(dataDir);
    await embedded?.stop();
    await clickhouse?.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The databases of Citus have the same names and the same owners on all nodes. */
const prepareWorker = async (worker, { username }) => {
  const { postgresDataSource } = await import('../../dist/src/kernel/stores/data-source.js');
  const admin = await postgresDataSource(worker, []).initialize();
  await admin.query('DROP DATABASE IF EXISTS kohort_template');
  await allowLogin(admin, username);
  await admin.query(`CREATE DATABASE kohort_template OWNER ${username}`);
  await admin.destroy();
};

const allowLogin = async (admin, role, password = '') => {
  const [known] = await admin.query('SELECT oid FROM pg_roles WHERE rolname = $1', [role]);
  await admin.query(`${known ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN ${password}`);
};

const joinWorkers = async (coordinator, workers) => {
  const { postgresDataSource } = await import('../../dist/src/kernel/stores/data-source.js');
  const inTemplate = async (server, ...statements) => {
    const url = new URL(server);
    url.pathname = '/kohort_template';
    const admin = await postgresDataSource(url, []).initialize();
    for (const statement of statements) await admin.query(statement);
    await admin.destroy();
  };
  for (const node of [...workers, coordinator]) await inTemplate(node, 'CREATE EXTENSION citus');
  await inTemplate(
    coordinator,
    `SELECT citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`,
    ...workers.map(({ hostname, port }) => `SELECT citus_add_node('${hostname}', ${port})`),
  );
};

/** Only a database without connections can be copied, and Citus keeps some. */
const closeTemplate = async (server) => {
  const { postgresDataSource } = await import('../../dist/src/kernel/stores/data-source.js');
  const admin = await postgresDataSource(server, []).initialize();
  await admin.query('ALTER DATABASE kohort_template ALLOW_CONNECTIONS false');
  await admin.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'kohort_template'`);
  await admin.destroy();
};

const startClickHouse = async (path) => {
  if (!process.env.TEST_SERVERS) return null;
  return process.env.TEST_SERVERS === 'cluster' ? startClickHouseCluster({ path }) : startClickHouseServer({ path });
};

const adminUrlOf = async ({ url }, dataDir) => {
  const { user, password } = JSON.parse(await readFile(join(dataDir, 'postgres.admin.json'), 'utf8'));
  const adminUrl = new URL(url);
  [adminUrl.username, adminUrl.password, adminUrl.pathname] = [user, password, '/postgres'];
  return adminUrl;
};

/** Each worker of jest leaves a file that names the service it has started, and the log of that service. */
const stopSharedServices = async (dataDir) => {
  const files = (await readdir(dataDir)).filter((name) => /^service-\d+\.json$/.test(name));
  for (const file of files) {
    const { pid } = JSON.parse(await readFile(join(dataDir, file), 'utf8'));
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      console.error(`The shared service ${pid} has ended before its tests`);
    }
  }
  for (const name of await readdir(dataDir)) {
    if (!/^service-\d+\.log$/.test(name)) continue;
    const log = await readFile(join(dataDir, name), 'utf8');
    if (log !== '') console.error(`Log of a shared service:\n${log}`);
  }
};
