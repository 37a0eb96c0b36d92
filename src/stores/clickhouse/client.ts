import { randomUUID } from 'node:crypto';
import { type ClickHouseClient } from '@clickhouse/client';
import { type Logger } from '../../common/logging/logger.js';
import { openEmbedded } from './embedded.js';
import { type Engine, type SchemaForm } from './engine.js';
import { ClickHouseUnavailable, questionError, QueryTooExpensive, writeError } from './errors.js';
import { Interruption } from './interruption.js';
import {
  calculationSettings,
  commandTimeoutMs,
  defaultLimits,
  insertTimeoutMs,
  questionSettings,
  shortTimeoutMs,
  writeSettings,
  type QueryLimits,
  type StatementSettings,
} from './limits.js';
import { closedError, Pool } from './pool.js';
import { openRemote } from './remote.js';
import { compile, quoteIdentifier, type Sql } from './sql.js';
import { within } from './within.js';

export type ClickHouseOptions = { embeddedPath: string } | { url: URL; cluster: string | null };

export interface QueryOptions extends QueryLimits {
  signal?: AbortSignal;
  /** Look-ups that must not wait behind long questions; held to two seconds. */
  short?: boolean;
}

interface Statement {
  pool: Pool<ClickHouseClient>;
  short: boolean;
  timeoutMs: number;
  signal?: AbortSignal;
  settings: StatementSettings;
  late: () => Error;
  meaning: (error: unknown) => unknown;
}

interface Call {
  query_id: string;
  abort_signal: AbortSignal;
  clickhouse_settings: StatementSettings;
}

const maxWaitMs = 10_000;
const closeMs = 5_000;

/** Embedded or remote, one way to ask, insert and command. */
export class ClickHouse {
  private readonly questions: Pool<ClickHouseClient>;
  private readonly inserts: Pool<ClickHouseClient>;
  private readonly commands: Pool<ClickHouseClient>;
  private readonly calculations: Pool<ClickHouseClient>;
  private readonly running = new Map<Interruption, Promise<void>>();
  private closing: Promise<void> | null = null;

  private constructor(private readonly engine: Engine) {
    this.questions = new Pool(engine.questions.connections, engine.questions);
    this.inserts = new Pool(engine.inserts.connections, engine.inserts);
    this.commands = new Pool(engine.commands.connections, engine.commands);
    this.calculations = new Pool(engine.calculations.connections, engine.calculations);
  }

  static async open(options: ClickHouseOptions, logger: Pick<Logger, 'info'>): Promise<ClickHouse> {
    const engine = 'url' in options ? await openRemote(options) : await openEmbedded(options.embeddedPath);
    logger.info({ clickhouse: engine.description }, 'ClickHouse is open');
    return new ClickHouse(engine);
  }

  get form(): SchemaForm {
    return this.engine.form;
  }

  /** Rows as JSON: 64-bit integers as numbers (exact below 2^53), instants in ISO 8601 UTC, NaN as null. */
  query<T>(statement: Sql, { signal, short = false, ...given }: QueryOptions = {}): Promise<T[]> {
    const limits = { ...defaultLimits, ...given };
    const timeoutMs = short ? Math.min(limits.timeoutMs, shortTimeoutMs) : limits.timeoutMs;
    const question = {
      pool: this.questions,
      short,
      timeoutMs,
      signal,
      settings: questionSettings({ ...limits, timeoutMs }),
      late: () => new QueryTooExpensive('time'),
      meaning: questionError,
    };
    return this.run(question, async (connection, call) => {
      const result = await connection.query({ ...compile(statement), format: 'JSONEachRow', ...call });
      // Once rows arrive the client no longer listens to the signal.
      call.abort_signal.addEventListener('abort', () => result.close(), { once: true });
      return result.json<T>();
    });
  }

  /** All rows or, on an error, possibly some: repeat with the same token and rows until it succeeds. */
  async insert(table: string, rows: readonly object[], options: { deduplicationToken?: string } = {}): Promise<void> {
    if (rows.length === 0) return;
    const insert = this.write(this.inserts, insertTimeoutMs, options.deduplicationToken);
    await this.run(insert, (connection, call) =>
      connection.insert({ table: quoteIdentifier(table), values: rows, format: 'JSONEachRow', ...call }),
    );
  }

  /** DDL and what else changes things without rows from here. Values do not work in most DDL; fragments do. */
  async command(statement: Sql, { timeoutMs = commandTimeoutMs }: { timeoutMs?: number } = {}): Promise<void> {
    await this.run(this.write(this.commands, timeoutMs), (connection, call) =>
      connection.command({ ...compile(statement), ...call }),
    );
  }

  /** `INSERT … SELECT`, within the limits of a question. On an error, or when stopped, some rows may have arrived. */
  async insertSelected(statement: Sql, { signal, ...given }: Omit<QueryOptions, 'short'> = {}): Promise<void> {
    const limits = { ...defaultLimits, ...given };
    const calculation = {
      pool: this.calculations,
      short: false,
      timeoutMs: limits.timeoutMs,
      signal,
      settings: calculationSettings(limits),
      late: () => new QueryTooExpensive('time'),
      meaning: questionError,
    };
    await this.run(calculation, (connection, call) => connection.command({ ...compile(statement), ...call }));
  }

  async ping(timeoutMs: number): Promise<boolean> {
    return this.closing === null && this.engine.alive(timeoutMs);
  }

  /** Waits for running statements, then stops what still runs. */
  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private write(pool: Pool<ClickHouseClient>, timeoutMs: number, token?: string): Statement {
    return {
      pool,
      short: false,
      timeoutMs,
      settings: writeSettings(timeoutMs, token),
      late: () => new ClickHouseUnavailable('ClickHouse did not finish in time'),
      meaning: writeError,
    };
  }

  private async run<T>(
    statement: Statement,
    work: (connection: ClickHouseClient, call: Call) => Promise<T>,
  ): Promise<T> {
    const { pool, short, timeoutMs, signal, settings } = statement;
    const lease = await pool.acquire({ short, signal, waitMs: Math.min(timeoutMs, maxWaitMs) });
    const interruption = new Interruption({
      ...statement,
      alive: this.engine.canVanish ? (ms) => this.engine.alive(ms) : null,
    });
    const call = { query_id: randomUUID(), abort_signal: interruption.signal, clickhouse_settings: settings };
    const execution = work(lease.connection, call);
    // The caller may be gone long before the engine is done: the connection is free when the engine is.
    const done = () => {
      this.running.delete(interruption);
      lease.release();
    };
    this.running.set(interruption, execution.then(done, done));
    try {
      return await interruption.race(execution);
    } catch (error) {
      throw interruption.signal.aborted ? error : statement.meaning(error);
    }
  }

  private async shutDown(): Promise<void> {
    for (const pool of [this.questions, this.inserts, this.commands, this.calculations]) pool.close();
    await within(closeMs, Promise.all(this.running.values()));
    for (const interruption of this.running.keys()) interruption.interrupt(closedError());
    await within(closeMs, Promise.all(this.running.values()));
    await this.engine.close();
  }
}
