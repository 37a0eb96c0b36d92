import { mkdir } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { createClient, ClickHouseLogLevel, type ClickHouseClient } from '@clickhouse/client';
import { EmbeddedConnection } from './embedded.connection.js';
import { type Engine } from './engine.js';
import { ClickHouseMisconfigured, ClickHouseUnavailable } from './errors.js';
import { within } from '../../common/background/within.js';
import { writeRow } from './written.js';

const database = 'kohort';
const closeMs = 5_000;
/** Values are part of the text that the embedded engine parses, and a list of ids is long. */
const maxQuerySize = 256 * 1024 ** 2;

/**
 * The engine blocks one thread of libuv's pool per running statement, and files, DNS and zlib need threads too, so there
 * are few connections. Three are for long questions. A project that is alone may use two at a time, so that one is always
 * free for another project.
 */
const questions = { size: 4, reservedForShort: 1, share: { alone: 2, crowded: 1 } };

/**
 * The engine shares the machine with PostgreSQL and the service, so all questions that can run at a time get half of its
 * memory. Below half a gigabyte ordinary questions would fail.
 */
const maxQuestionBytes = (): number => {
  const machine = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.round(Math.min(1.5 * 1024 ** 3, Math.max(0.5 * 1024 ** 3, machine / 2 / questions.size)));
};

export const openEmbedded = async (path: string): Promise<Engine> => {
  const chdb = await loadChdb();
  await mkdir(path, { recursive: true, mode: 0o700 });
  const opened: ClickHouseClient[] = [];
  const connect = (connection: EmbeddedConnection) => {
    const client = createClient({ connection, log: { level: ClickHouseLogLevel.OFF }, json: { stringify: writeRow } });
    opened.push(client);
    return client;
  };
  const close = async () => {
    await Promise.all(opened.map((client) => client.close()));
    await within(closeMs, chdb.drainPending());
  };
  try {
    const control = connect(new EmbeddedConnection(openSession(chdb, path), null));
    await control.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
    const lane = (size: number) =>
      Promise.all(
        Array.from({ length: size }, async () => {
          const client = connect(new EmbeddedConnection(openSession(chdb, path), control));
          await client.command({ query: `USE ${database}` });
          await client.command({ query: `SET max_query_size = ${maxQuerySize}` });
          return client;
        }),
      );
    return {
      description: `embedded in ${path}`,
      form: { cluster: null, textIndexes: true },
      questions: { ...questions, connections: await lane(questions.size) },
      inserts: { connections: await lane(1) },
      commands: { connections: await lane(1) },
      calculations: { connections: await lane(1) },
      bindingRoom: null,
      maxQuestionBytes: maxQuestionBytes(),
      processors: availableParallelism(),
      canVanish: false,
      alive: async (timeoutMs) => (await within(timeoutMs, control.ping()))?.success ?? false,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

type Chdb = Awaited<ReturnType<typeof loadChdb>>;

const loadChdb = async () => {
  try {
    const [{ createChdbConnection }, { drainPending }] = await Promise.all([import('chdb/connection'), import('chdb')]);
    return { createChdbConnection, drainPending };
  } catch (error) {
    throw new ClickHouseMisconfigured(
      'The embedded ClickHouse is not installed: run npm ci without --omit=optional (Linux with glibc or macOS), or set CLICKHOUSE_URL to a server',
      { cause: error },
    );
  }
};

const openSession = (chdb: Chdb, path: string) => {
  try {
    return chdb.createChdbConnection({ path });
  } catch (error) {
    throw new ClickHouseUnavailable(
      `The embedded ClickHouse cannot open ${path}: one process at a time can hold a data folder, and a process holds one folder. Stop the other process, or set CLICKHOUSE_URL to a server`,
      { cause: error },
    );
  }
};
