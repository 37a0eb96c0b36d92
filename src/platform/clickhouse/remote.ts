import { HttpClient } from './http-client.js';
import { type Engine, type SchemaForm } from './engine.js';
import { ClickHouseMisconfigured, ClickHouseUnavailable, engineCode, writeError } from './errors.js';
import { clusterSettings, defaultLimits } from './limits.js';
import { lookAtRunning } from './look-at-running.js';
import { compile, identifier, sql, text } from './sql.js';
import { findDatabase, unknownDatabase } from './schema/mark.js';
import { onServers } from './schema/known-tables.sql.js';
import { onCluster } from './schema/table.js';

/** A project has a third of the connections for long questions while others are active, and half of them alone. */
const questions = { size: 8, reservedForShort: 2, share: { alone: 3, crowded: 2 }, heavyAtATime: 4, spare: 2 };
const inserts = 2;
const commands = 2;
const calculations = 2;
const connectMs = 2_000;
const prepareMs = 10_000;
const authenticationFailed = '516';
const oldest = { major: 25, minor: 8 };
/** Older servers answer a search by reading the texts of all persons of the project. */
const oldestWithTextIndexes = { major: 26, minor: 7 };

export interface RemoteOptions {
  url: URL;
  cluster: string | null;
}

export const openRemote = async ({ url, cluster }: RemoteOptions): Promise<Engine> => {
  if (url.search)
    throw new ClickHouseMisconfigured(
      'CLICKHOUSE_URL takes no ?parameters: the service sets what each statement runs under',
    );
  const database = decodeURIComponent(url.pathname.slice(1)) || 'default';
  const connections = questions.size + questions.spare + inserts + commands + calculations;
  const client = new HttpClient(url, { database, connections, compresses: true });
  const control = new HttpClient(url, { database, connections: 2 });
  const close = () => {
    client.close();
    control.close();
  };
  const ping = (timeoutMs: number) => control.ping(AbortSignal.timeout(timeoutMs));
  let form: SchemaForm;
  try {
    if (!(await ping(connectMs))) throw new ClickHouseUnavailable(`No ClickHouse answers at ${url.host}`);
    const version = await prepare(url, database, cluster, control);
    form = { cluster, textIndexes: isSince(oldestWithTextIndexes, version) };
  } catch (error) {
    close();
    throw error;
  }
  const answers = shared(cluster === null ? ping : (timeoutMs) => everyShardAnswers(control, cluster, timeoutMs));
  return {
    description: `${url.host}/${database}${cluster ? ` on cluster ${cluster}` : ''}`,
    form,
    client,
    questions,
    inserts: { size: inserts },
    commands: { size: commands },
    calculations: { size: calculations },
    maxQuestionBytes: defaultLimits.maxMemoryBytes,
    threadsOfHeavy: null,
    isEmbedded: false,
    running: null,
    isUp: answers,
    answers,
    lookAt: (id) => lookAtRunning(control, id, cluster),
    find: (timeoutMs) =>
      findDatabase(control, { database, settings: cluster === null ? {} : clusterSettings }, timeoutMs),
    createDatabase: () => fromOutside(url, (outside, abort_signal) => create(outside, database, cluster, abort_signal)),
    close,
  };
};

/** Lets one ping answer all statements that check at the same time if the server responds. */
const shared = (ask: (timeoutMs: number) => Promise<boolean>) => {
  let pinging: Promise<boolean> | null = null;
  return (timeoutMs: number): Promise<boolean> =>
    (pinging ??= ask(timeoutMs).finally(() => {
      pinging = null;
    }));
};

/** Runs work on the server with a client that does not need the database to exist. */
const fromOutside = async <T>(
  url: URL,
  work: (outside: HttpClient, abort_signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const outside = new HttpClient(url, { database: 'default', connections: 1 });
  try {
    return await work(outside, AbortSignal.timeout(prepareMs));
  } catch (error) {
    if (engineCode(error) !== authenticationFailed) throw writeError(error);
    throw new ClickHouseMisconfigured(`ClickHouse at ${url.host} refuses the user or password of CLICKHOUSE_URL`, {
      cause: error,
    });
  } finally {
    outside.close();
  }
};

/** Returns the version of the server. A server that joined a cluster later gets the database that the other servers have. */
const prepare = (url: URL, database: string, cluster: string | null, control: HttpClient): Promise<string> =>
  fromOutside(url, async (outside, abort_signal) => {
    const version = await versionOf(outside, abort_signal);
    if (cluster === null || (await exists(control, abort_signal))) return version;
    if (await existsElsewhere(outside, database, cluster, abort_signal))
      await create(outside, database, cluster, abort_signal);
    return version;
  });

const create = async (
  outside: HttpClient,
  database: string,
  cluster: string | null,
  abort_signal: AbortSignal,
): Promise<void> => {
  const { query } = compile(sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}${onCluster({ cluster })}`);
  await outside.run({ query, abort_signal });
};

const existsElsewhere = async (
  outside: HttpClient,
  database: string,
  cluster: string,
  abort_signal: AbortSignal,
): Promise<boolean> => {
  const statement = sql`SELECT 1 AS one FROM ${onServers({ cluster }, sql`system.databases`)} WHERE name = ${text(database)} LIMIT 1
    SETTINGS skip_unavailable_shards = 1`;
  const { content } = await outside.rows({ ...compile(statement), abort_signal });
  return content.length > 0;
};

const versionOf = async (client: HttpClient, abort_signal: AbortSignal): Promise<string> => {
  const { content } = await client.rows<{ version: string }>({ query: 'SELECT version() AS version', abort_signal });
  const version = content[0]?.version ?? '';
  if (isSince(oldest, version)) return version;
  throw new ClickHouseMisconfigured(
    `ClickHouse ${oldest.major}.${oldest.minor} or newer is needed, the server is ${version}`,
  );
};

const isSince = (since: { readonly major: number; readonly minor: number }, version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > since.major || (major === since.major && minor >= since.minor);
};

const exists = async (control: HttpClient, abort_signal: AbortSignal): Promise<boolean> => {
  try {
    await control.run({ query: 'SELECT 1', abort_signal });
    return true;
  } catch (error) {
    if (engineCode(error) === unknownDatabase) return false;
    throw error;
  }
};

/**
 * Each number is less than a ping may take: the ping soon gives up a shard, and soon asks another replica in place of a silent
 * one.
 */
const impatient = {
  skip_unavailable_shards: 0,
  connect_timeout_with_failover_ms: 500,
  handshake_timeout_ms: 500,
  hedged_connection_timeout_ms: 100,
  receive_data_timeout_ms: 300,
  receive_timeout: 1,
} as const;

/**
 * True if every shard of the cluster answers. A server cannot answer a question without all shards, and it waits for minutes
 * for a shard that has stopped.
 */
const everyShardAnswers = async (control: HttpClient, cluster: string, timeoutMs: number): Promise<boolean> => {
  const { query } = compile(sql`SELECT count() FROM cluster(${identifier(cluster)}, system.one)`);
  try {
    await control.run({ query, clickhouse_settings: impatient, abort_signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  }
};
