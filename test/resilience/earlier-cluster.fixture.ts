import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { entities } from '../../src/entities.js';
import { postgresDataSource } from '../../src/stores/postgres/data-source.js';
import { serverAccount } from '../../src/stores/postgres/embedded/account.js';
import { findBinaries } from '../../src/stores/postgres/embedded/binaries.js';
import { clusterIn, startIn } from '../../src/stores/postgres/embedded/cluster.js';
import {
  connectionUrl,
  newConnection,
  readConnection,
  writeConnection,
} from '../../src/stores/postgres/embedded/connection.js';
import { giveTo, runInitdb } from '../../src/stores/postgres/embedded/initialise.js';
import { readPostmaster } from '../../src/stores/postgres/embedded/processes.js';
import { asArguments, enforcedSettings } from '../../src/stores/postgres/embedded/settings.js';

/** DATA_DIR as earlier releases left it after initdb: the service connects as the only role, a superuser. */
export const makeEarlierCluster = async (dataDir: string): Promise<void> => {
  await mkdir(dataDir, { mode: 0o700 });
  const cluster = await clusterIn(dataDir);
  const account = await serverAccount(cluster.folder);
  const connection = await newConnection(null);
  await writeConnection(dataDir, connection);
  await mkdir(cluster.initialising, { mode: 0o700 });
  if (account) await giveTo(account, cluster.initialising);
  const superuser = { user: 'kohort', password: connection.password };
  await runInitdb(cluster, await findBinaries(account), account, superuser);
  await rename(cluster.initialising, cluster.folder);
};

/** Runs the server as earlier releases did, which changed no role. */
export const withEarlierServer = async (dataDir: string, work: (url: URL) => Promise<void>): Promise<void> => {
  const cluster = await clusterIn(dataDir);
  const account = await serverAccount(cluster.folder);
  const { postgres } = await findBinaries(account);
  const connection = await newConnection(await readConnection(dataDir));
  await writeConnection(dataDir, connection);
  const { dataArguments, options } = startIn(cluster.folder, account);
  const settings = asArguments(enforcedSettings(cluster.name, connection.port));
  const server = spawn(postgres, [...dataArguments, ...settings], { ...options, stdio: 'ignore' });
  const ended = once(server, 'exit');
  try {
    while ((await readPostmaster(cluster))?.status !== 'ready') {
      if (server.exitCode !== null) throw new Error(`the earlier server ended with ${server.exitCode}`);
      await sleep(20);
    }
    await work(connectionUrl(connection));
  } finally {
    server.kill('SIGINT');
    await ended;
  }
};

/** The service's schema with a user in it, and one of each kind of object that an operator may have added. */
export const fillEarlierDatabase = async (url: URL): Promise<void> => {
  await query(inDatabase(url, 'postgres'), 'CREATE DATABASE kohort');
  const dataSource = await postgresDataSource(url, entities).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  await query(
    url,
    `INSERT INTO users (uuid, distinct_id, first_name, last_name, email, is_email_verified, hedgehog_config, created_at)
     VALUES (gen_random_uuid(), 'ada', 'Ada', '', 'ada@example.test', true, '{}', now())`,
  );
  await query(url, operatorsObjects);
};

const operatorsObjects = `
  CREATE SCHEMA kept;
  CREATE TYPE kept.mood AS ENUM ('good', 'bad');
  CREATE DOMAIN kept.small AS int CHECK (VALUE < 10);
  CREATE TYPE kept.pair AS (first int, second int);
  CREATE TYPE kept.span AS RANGE (subtype = int);
  CREATE SEQUENCE kept.numbers START 5;
  CREATE TABLE kept.moods (id int DEFAULT nextval('kept.numbers') PRIMARY KEY, mood kept.mood, serial serial);
  INSERT INTO kept.moods (mood) VALUES ('good'), ('bad');
  CREATE VIEW kept.totals AS SELECT count(*) AS moods FROM kept.moods;
  CREATE MATERIALIZED VIEW kept.stored AS SELECT count(*) AS moods FROM kept.moods;
  CREATE TABLE kept."Partitioned ""table" (id int) PARTITION BY RANGE (id);
  CREATE TABLE kept.partition PARTITION OF kept."Partitioned ""table" DEFAULT;
  CREATE FUNCTION kept.twice(n kept.small) RETURNS int LANGUAGE sql AS 'SELECT 2 * n';
  CREATE FUNCTION kept.twice(n text) RETURNS text LANGUAGE sql AS 'SELECT n || n';
  CREATE PROCEDURE kept.nothing() LANGUAGE sql AS '';
  CREATE AGGREGATE kept.product(int) (SFUNC = int4mul, STYPE = int, INITCOND = '1');
  CREATE ROLE reader;
  GRANT SELECT ON kept.moods TO reader;
  CREATE SCHEMA extensions;
  CREATE EXTENSION hstore SCHEMA extensions`;

export const notOwnedByService = `
  WITH own AS (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'kept'))
  SELECT 'class' AS kind, relname AS name FROM pg_class
    WHERE relnamespace IN (SELECT oid FROM own) AND relowner <> 'kohort'::regrole
  UNION ALL SELECT 'type', typname FROM pg_type
    WHERE typnamespace IN (SELECT oid FROM own) AND typowner <> 'kohort'::regrole
  UNION ALL SELECT 'function', proname FROM pg_proc
    WHERE pronamespace IN (SELECT oid FROM own) AND proowner <> 'kohort'::regrole
  UNION ALL SELECT 'schema', nspname FROM pg_namespace
    WHERE nspname IN ('kept', 'extensions') AND nspowner <> 'kohort'::regrole`;

/** From now on the server sleeps before the command that the file `pause` in its folder names. */
export const pauseBeforeCommands = `
  CREATE FUNCTION kept.pause() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF tg_tag = pg_read_file('pause', true) THEN PERFORM pg_sleep(60); END IF;
  END $$;
  CREATE EVENT TRIGGER pause ON ddl_command_start EXECUTE FUNCTION kept.pause()`;

export const query = async <T extends object>(url: URL, sql: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
};

export const inDatabase = (url: URL, name: string): URL => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other;
};
