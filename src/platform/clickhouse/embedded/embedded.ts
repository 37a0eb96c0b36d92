import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ClickHouseUnavailable, closedError, engineCode } from '../errors.js';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '../../telemetry/logger.js';
import { type MemoryShares } from '../../config/memory-shares.js';
import { freePort } from '../../embedded/free-port.js';
import { supervise } from '../../embedded/supervise.js';
import { HttpClient } from '../http-client.js';
import { type Engine } from '../engine.js';
import { lookAtRunning } from '../look-at-running.js';
import { findDatabase } from '../schema/mark.js';
import { type EngineProcess, startEngine } from './engine-process.js';
import { StoppedStatements } from './stopped-statements.js';
import { type EngineAccess, engineArguments } from './settings.js';

/** Moves a damaged folder away, and returns its new name. Nothing is lost: PostgreSQL has all that is in it. */
const setAside = async (folder: string): Promise<string> => {
  const aside = `${folder}.damaged`;
  await rm(aside, { recursive: true, force: true });
  await rename(folder, aside);
  return aside;
};

/** True if another process has the folder open, which is then not damaged. Known on Linux only. */
const isHeld = async (folder: string): Promise<boolean> => {
  const status = await stat(join(folder, 'status')).catch(() => null);
  if (!status) return false;
  const locks = await readFile('/proc/locks', 'utf8').catch(() => null);
  return locks === null || locks.split('\n').some((line) => line.includes(`:${status.ino} `));
};

/** The engine's codes for files that have other bytes than it wrote, or that are gone. */
const damageCodes = new Set(['32', '33', '40', '76', '107', '117', '226', '231', '246', '271', '432']);

const isDamage = (error: unknown): boolean => damageCodes.has(engineCode(error) ?? '');

const database = 'kohort';
const statementConnections = 10;
const controlConnections = 2;

const halfOfProcessors = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Long questions share the memory of the engine. A project that is alone may use two connections at a time, so that one is
 * always free for another project; beside others, heavy questions together leave half of the processors and a connection free.
 */
const questionLane = ({ questionsAtATime: size }: MemoryShares) => {
  const reservedForShort = 1;
  const long = size - reservedForShort;
  const heavyAtATime = Math.max(1, Math.min(long - 1, halfOfProcessors));
  return {
    size,
    reservedForShort,
    share: { alone: Math.min(2, long), crowded: 1 },
    heavyAtATime,
    spare: long - heavyAtATime,
  };
};

export type OpeningLogger = Pick<Logger, 'info'> & Partial<Pick<Logger, 'warn' | 'error'>>;

/** Opens the folder. A damaged folder is moved away, and a rebuild fills a new one from PostgreSQL. */
export const openEmbedded = async (folder: string, logger: OpeningLogger, memory: MemoryShares): Promise<Engine> => {
  const path = resolve(folder);
  try {
    return await openFolder(path, logger, memory);
  } catch (error) {
    if (error instanceof PortTaken) return openFolder(path, logger, memory);
    if (!(error instanceof DamagedFolder) || (await isHeld(path))) throw error;
    const aside = await setAside(path);
    logger.warn?.(
      { reason: error.reason },
      `${path} is damaged: it was moved to ${aside}, which can be deleted, and is filled again from PostgreSQL`,
    );
    return openFolder(path, logger, memory);
  }
};

/** The folder is damaged, or another process holds it, which the engine reports in the same way. The message says the latter. */
class DamagedFolder extends ClickHouseUnavailable {
  constructor(
    path: string,
    readonly reason: string,
    options: ErrorOptions = {},
  ) {
    super(
      `The embedded ClickHouse cannot open ${path}: one process at a time can hold a data folder. Stop the other process, or set CLICKHOUSE_URL to a server`,
      options,
    );
  }
}

const openFolder = async (path: string, logger: OpeningLogger, memory: MemoryShares): Promise<Engine> => {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const access: EngineAccess = {
    port: await freePort({ of: 'the embedded ClickHouse', instead: 'CLICKHOUSE_URL' }),
    user: 'kohort',
    password: randomBytes(24).toString('base64url'),
    database,
  };
  const url = new URL(`http://${access.user}:${access.password}@127.0.0.1:${access.port}/`);
  const client = new HttpClient(url, { database, connections: statementConnections });
  // This client works before the database exists and when it is dropped.
  const control = new HttpClient(url, { database: 'default', connections: controlConnections });
  const launch = (signal?: AbortSignal) => launchEngine({ path, memory, access, control, signal });
  const createDatabase = async (): Promise<void> => {
    await control.run({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
  };
  let first: EngineProcess | null = null;
  try {
    first = await launch();
    await createDatabase();
    await assertWhole(control, path);
  } catch (error) {
    await first?.end();
    client.close();
    control.close();
    throw error;
  }
  const name = 'The embedded ClickHouse';
  const engine = supervise(first, { name, launch, halt: (process) => process.end(), logger });
  const lane = (size: number) => ({ size });
  const questions = questionLane(memory);
  return {
    description: `embedded in ${path}`,
    form: { cluster: null, textIndexes: true },
    client,
    questions,
    inserts: lane(1),
    commands: lane(1),
    calculations: lane(1),
    maxQuestionBytes: Math.round(memory.question),
    threadsOfHeavy: Math.max(1, Math.floor(halfOfProcessors / questions.heavyAtATime)),
    isEmbedded: true,
    running: new StoppedStatements(control, engine, logger),
    lookAt: (id) => lookAtRunning(control, id),
    isUp: () => Promise.resolve(engine.isUp),
    answers: async (timeoutMs) => engine.isUp && (await answers(control, timeoutMs)),
    find: (timeoutMs) => findDatabase(control, { database }, timeoutMs),
    createDatabase,
    close: async () => {
      await engine.stop();
      client.close();
      control.close();
    },
  };
};

const answers = (control: HttpClient, timeoutMs: number): Promise<boolean> =>
  control.run({ query: 'SELECT 1', abort_signal: AbortSignal.timeout(timeoutMs) }).then(
    () => true,
    () => false,
  );

const lookAgainMs = 10;
const lookMs = 1_000;

/** Another process took the port after it was found free and before the engine listened. Nothing is wrong with the folder. */
class PortTaken extends ClickHouseUnavailable {}

export const startFault = (path: string, reason: string): ClickHouseUnavailable =>
  /Address already in use/.test(reason)
    ? new PortTaken(`The embedded ClickHouse cannot listen (${reason}): start again, or set CLICKHOUSE_URL to a server`)
    : new DamagedFolder(path, reason);

interface Launch {
  readonly path: string;
  readonly memory: MemoryShares;
  readonly access: EngineAccess;
  readonly control: HttpClient;
  readonly signal?: AbortSignal;
}

/** Returns once the engine answers, however long it takes to load its tables. */
const launchEngine = async ({ path, memory, access, control, signal }: Launch): Promise<EngineProcess> => {
  const options = {
    engineArguments: await engineArguments(path, memory, access),
    // The engine counts the used pages of its library as its memory: without them it would take more of a small budget.
    releasesLibrary: memory.budget === null,
  };
  const engine = startEngine(path, options, allocation(memory));
  while (!engine.hasExited() && !signal?.aborted) {
    if (await answers(control, lookMs)) return engine;
    await sleep(lookAgainMs);
  }
  if (signal?.aborted) {
    await engine.end();
    throw closedError();
  }
  throw startFault(path, await engine.exited);
};

/**
 * Threads of the allocator return freed memory after five seconds, or sooner with a memory budget. Without them, an idle engine
 * keeps what its largest question or merge had: hundreds of MB that the service and PostgreSQL lack.
 */
const allocation = ({ budget }: MemoryShares): Record<string, string> => {
  const sooner = budget === null ? '' : ',dirty_decay_ms:500,muzzy_decay_ms:0';
  return { JE_MALLOC_CONF: `background_thread:true${sooner}` };
};

/** Finds damaged parts: the engine detaches them, and goes on without their rows. */
const brokenParts = `SELECT concat(table, ' ', name) AS part FROM system.detached_parts
  WHERE database = '${database}' AND reason LIKE 'broken%' LIMIT 1`;
const schemaVersions = `SELECT * FROM ${database}.schema_migrations`;

const assertWhole = async (control: HttpClient, path: string): Promise<void> => {
  const rows = async <T>(query: string) => (await control.rows<T>({ query })).content;
  try {
    const [broken] = await rows<{ part: string }>(brokenParts);
    if (broken) throw new DamagedFolder(path, `the part ${broken.part} is broken`);
    const known = await rows<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = '${database}' AND name = 'schema_migrations'`,
    );
    if (known.length > 0) await rows(schemaVersions);
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new DamagedFolder(path, error instanceof Error ? error.message : `code ${engineCode(error)}`, {
      cause: error,
    });
  }
};
