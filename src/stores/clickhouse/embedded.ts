import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { createClient, ClickHouseLogLevel, type ClickHouseClient } from '@clickhouse/client';
import { EmbeddedConnection } from './embedded.connection.js';
import { type Logger } from '../../common/logging/logger.js';
import { type MemoryShares } from '../../common/memory-shares.js';
import { returnFreedMemory } from '../../config/freed-memory.js';
import { type Engine } from './engine.js';
import { ClickHouseMisconfigured, ClickHouseUnavailable } from './errors.js';
import { isDamage, LostContents } from './lost-contents.js';
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
const questionLane = ({ questionsAtATime: size }: MemoryShares) => ({
  size,
  reservedForShort: 1,
  share: { alone: Math.min(2, size - 1), crowded: 1 },
});

/**
 * The engine expects a machine of its own. It would delete files with 128 threads, which stay, and keep up to 5 GiB in each of
 * its caches.
 */
const threadLimits = {
  max_parts_cleaning_thread_pool_size: 2,
  max_outdated_parts_loading_thread_pool_size: 2,
  max_unexpected_parts_loading_thread_pool_size: 2,
  max_active_parts_loading_thread_pool_size: 8,
  max_thread_pool_free_size: 32,
};

/** The parts of the caches, in twenty-eighths of what all of them may take. */
const cacheParts = {
  mark_cache_size: 8,
  index_mark_cache_size: 2,
  primary_index_cache_size: 8,
  text_index_tokens_cache_size: 2,
  text_index_header_cache_size: 2,
  text_index_postings_cache_size: 4,
  query_condition_cache_size: 1,
  compiled_expression_cache_size: 1,
};

/**
 * A merge of few parts, which holds few rows of them and one column at a time, needs a quarter less memory and about a tenth more time.
 * Buffers of columns that are written begin small, also in tables with few columns.
 */
const smallMerges = (parts: number) => ({
  max_parts_to_merge_at_once: parts,
  merge_max_block_size: 1024,
  min_columns_to_activate_adaptive_write_buffer: 1,
  vertical_merge_algorithm_min_rows_to_activate: 1,
  vertical_merge_algorithm_min_columns_to_activate: 1,
});

/** No merge begins while others have a quarter of the engine's memory. */
const fewMerges = (engine: number) => ({
  background_merges_mutations_concurrency_ratio: 1,
  merges_mutations_memory_usage_soft_limit: Math.round(engine / 4),
});

/** Settings of tables can be given in a file alone. */
const tableSettings = (settings: Readonly<Record<string, number>>): string => {
  const elements = Object.entries(settings).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<clickhouse><merge_tree>${elements.join('')}</merge_tree></clickhouse>\n`;
};

const engineArguments = async (
  path: string,
  { engine, engineCaches, partsOfMerge }: MemoryShares,
): Promise<string[]> => {
  const file = `${path}-settings.xml`;
  if (partsOfMerge !== null) await writeFile(file, tableSettings(smallMerges(partsOfMerge)), { mode: 0o600 });
  return Object.entries({
    ...threadLimits,
    ...Object.fromEntries(
      Object.entries(cacheParts).map(([name, part]) => [name, Math.round((engineCaches * part) / 28)]),
    ),
    ...(engine === null ? {} : { max_server_memory_usage: Math.round(engine) }),
    ...(engine === null || partsOfMerge === null ? {} : { ...fewMerges(engine), 'config-file': file }),
  }).map(([name, value]) => `--${name}=${value}`);
};

export type OpeningLogger = Pick<Logger, 'info'> & Partial<Pick<Logger, 'warn'>>;

/** Opens the folder; one that is damaged is moved away, because a rebuild fills another one from PostgreSQL. */
export const openEmbedded = async (path: string, logger: OpeningLogger, memory: MemoryShares): Promise<Engine> => {
  // Pages that are kept make the engine a little faster where there is room for them.
  if (memory.budget !== null) returnFreedMemory();
  const chdb = await loadChdb();
  const contents = new LostContents(path);
  try {
    return await openFolder(chdb, path, contents, memory);
  } catch (error) {
    if (!(error instanceof DamagedFolder) || (await contents.isHeld())) throw error;
    const aside = await contents.setAside();
    logger.warn?.(
      { reason: error.reason },
      `${path} is damaged: it was moved to ${aside}, which can be deleted, and is filled again from PostgreSQL`,
    );
    return openFolder(chdb, path, contents, memory);
  }
};

/** What an operator reads when another process has the folder, which the engine reports like damage. */
class DamagedFolder extends ClickHouseUnavailable {
  constructor(
    path: string,
    readonly reason: string,
    options: ErrorOptions,
  ) {
    super(
      `The embedded ClickHouse cannot open ${path}: one process at a time can hold a data folder, and a process holds one folder. Stop the other process, or set CLICKHOUSE_URL to a server`,
      options,
    );
  }
}

const openFolder = async (chdb: Chdb, path: string, contents: LostContents, memory: MemoryShares): Promise<Engine> => {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // The first session starts the engine, which the others join.
  const engine = openEngine(chdb, path, await engineArguments(path, memory));
  const opened: ClickHouseClient[] = [];
  const connect = (connection: EmbeddedConnection) => {
    const client = createClient({ connection, log: { level: ClickHouseLogLevel.OFF }, json: { stringify: writeRow } });
    opened.push(client);
    return client;
  };
  const close = async () => {
    await Promise.all(opened.map((client) => client.close()));
    engine.close();
    await within(closeMs, chdb.drainPending());
  };
  try {
    const control = connect(new EmbeddedConnection(chdb.createChdbConnection({ path }), null));
    await control.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
    await demandWhole(control, path);
    const lane = (size: number) =>
      Promise.all(
        Array.from({ length: size }, async () => {
          const client = connect(new EmbeddedConnection(chdb.createChdbConnection({ path }), control));
          await client.command({ query: `USE ${database}` });
          await client.command({ query: `SET max_query_size = ${maxQuerySize}` });
          return client;
        }),
      );
    return {
      description: `embedded in ${path}`,
      form: { cluster: null, textIndexes: true },
      questions: { ...questionLane(memory), connections: await lane(memory.questionsAtATime) },
      inserts: { connections: await lane(1) },
      commands: { connections: await lane(1) },
      calculations: { connections: await lane(1) },
      bindingRoom: null,
      maxQuestionBytes: Math.round(memory.question),
      processors: availableParallelism(),
      canVanish: false,
      contents,
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
    const [{ createChdbConnection }, { drainPending, Session }] = await Promise.all([
      import('chdb/connection'),
      import('chdb'),
    ]);
    return { createChdbConnection, drainPending, Session };
  } catch (error) {
    throw new ClickHouseMisconfigured(
      'The embedded ClickHouse is not installed: run npm ci without --omit=optional (Linux with glibc or macOS), or set CLICKHOUSE_URL to a server',
      { cause: error },
    );
  }
};

const openEngine = (chdb: Chdb, path: string, connectionArgs: string[]) => {
  try {
    return new chdb.Session(path, { connectionArgs });
  } catch (error) {
    // The engine has written its reason to the standard error.
    const reason = error instanceof Error ? error.message : String(error);
    if (/only one active data directory/.test(reason)) throw new ClickHouseUnavailable(reason, { cause: error });
    throw new DamagedFolder(path, reason, { cause: error });
  }
};

/** The engine sets parts aside whose files are damaged, and goes on without their rows. */
const brokenParts = `SELECT concat(table, ' ', name) AS part FROM system.detached_parts
  WHERE database = '${database}' AND reason LIKE 'broken%' LIMIT 1`;
const schemaVersions = `SELECT * FROM ${database}.schema_migrations`;

const demandWhole = async (control: ClickHouseClient, path: string): Promise<void> => {
  const rows = async <T>(query: string) => (await control.query({ query, format: 'JSONEachRow' })).json<T>();
  try {
    const [broken] = await rows<{ part: string }>(brokenParts);
    if (broken) throw new DamagedFolder(path, `the part ${broken.part} is broken`, {});
    const known = await rows<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = '${database}' AND name = 'schema_migrations'`,
    );
    if (known.length > 0) await rows(schemaVersions);
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new DamagedFolder(path, error instanceof Error ? error.message : 'its files cannot be read', {
      cause: error,
    });
  }
};
