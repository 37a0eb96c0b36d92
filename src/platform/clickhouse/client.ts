import { type Headers, type HttpClient, type ServerAnswer } from './http-client.js';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairPool, type PoolLease, type PoolUse, type Owner } from '../work/fair-pool.js';
import { startHeavyWork } from '../work/heavy-work.js';
import { memoryShares, type MemoryShares } from '../config/memory-shares.js';
import { observeStatement, traced } from '../telemetry/tracing.js';
import { Costs, summaryIn, type StatementWork } from './costs.js';
import { type OpeningLogger, openEmbedded } from './embedded/embedded.js';
import { type Engine, type Lane, type SchemaForm } from './engine.js';
import {
  busyError,
  ClickHouseAway,
  ClickHouseUnavailable,
  closedError,
  passesSoon,
  questionError,
  QueryTooExpensive,
  starvedError,
  writeError,
} from './errors.js';
import { Interruption, StatementYielded, Yielding } from './interruption.js';
import {
  calculationSettings,
  clusterSettings,
  commandTimeoutMs,
  defaultLimits,
  insertTimeoutMs,
  precedence,
  questionSettings,
  removalSettings,
  shortTimeoutMs,
  writeSettings,
  type QueryLimits,
  type StatementSettings,
} from './limits.js';
import { openRemote } from './remote.js';
import { type Call, clickhouseSpan, requestOf, writeRow } from './request.js';
import { Runaways } from './runaways.js';
import { type FoundDatabase } from './schema/mark.js';
import { type Ownership } from './ownership.js';
import { type Sql, compile, quoteIdentifier } from './sql.js';
import { UuidLines, type Uuids } from './uuid-lines.js';
import { within } from '../time/within.js';

export type ClickHouseOptions = (
  | { embeddedPath: string; memory?: MemoryShares }
  | { url: URL; cluster: string | null }
) & {
  /** Statements of projects that take this long are logged. 0 logs none. */
  slowMs?: number;
};

/**
 * The project on whose behalf a statement runs. The project of a request also has the signal that is aborted when the client
 * disconnects.
 */
export type StatementOwner = { readonly id: number; readonly signal?: AbortSignal } | 'system';

export interface CalculationOptions extends QueryLimits {
  /** The project in whose queue the statement waits, and whose share it uses. */
  project: StatementOwner;
  /** Used instead of the signal of the project. */
  signal?: AbortSignal;
}

export interface QueryOptions extends CalculationOptions {
  /** Marks a look-up that must not wait for long questions; its time is limited. */
  short?: boolean;
  /** The zone of times without one; UTC by default. */
  timezone?: string;
  work?: StatementWork;
}

type LaneName = 'questions' | 'inserts' | 'commands' | 'calculations';

interface Statement {
  lane: LaneName;
  owner: Owner;
  work: StatementWork;
  short: boolean;
  timeoutMs: number;
  signal?: AbortSignal;
  settings: (lease: Crowding) => StatementSettings;
  /** May be stopped and started again, because it only reads. */
  canYield?: boolean;
  /** May be started again when a replica refuses it: it only reads, or is recognised by its token. */
  canRepeat?: boolean;
  /** The text for traces, without values. */
  text: () => string;
  /** True if the statement was stopped in favour of others, and runs again. */
  isSecond?: boolean;
  late: () => Error;
  meaning: (error: unknown) => unknown;
}

type Crowding = Pick<PoolLease<null>, 'isCrowded' | 'isHeavy'>;

type Sending<T> = (client: HttpClient, call: Call) => Promise<ServerAnswer<T>>;

const minWaitMs = 10_000;
/** A random part of up to a fifth is added, so that clients that are refused together do not come back together. */
const waitMs = (timeoutMs: number): number => Math.min(timeoutMs, minWaitMs * (1 + Math.random() / 5));

const passesWithinMs = 5_000;
const repeatMs = 50;
const finishMs = 1_000;
const stopMs = 500;
const pingMs = 1_000;

const maxHeavyWaitMs = 1_000;
const noLease = (): void => undefined;

/** One interface to query, insert and run commands, on the embedded engine or a remote server. */
export class ClickHouse {
  private readonly pools: Readonly<Record<LaneName, FairPool<null>>>;
  /** Null until it is known whose projection the database has. */
  ownership: Ownership | null = null;
  /** Remembers the projects whose statements could not be stopped, so that their SQL can be refused. */
  readonly runaways = new Runaways();
  private readonly limits: Required<QueryLimits>;
  private readonly running = new Map<Interruption, Promise<void>>();
  private closing: Promise<void> | null = null;

  private constructor(
    private readonly engine: Engine,
    readonly costs: Costs,
  ) {
    this.pools = {
      questions: poolOf(engine.questions),
      inserts: poolOf(engine.inserts),
      commands: poolOf(engine.commands),
      calculations: poolOf(engine.calculations),
    };
    this.limits = { ...defaultLimits, maxMemoryBytes: engine.maxQuestionBytes };
  }

  static async open(options: ClickHouseOptions, logger: OpeningLogger): Promise<ClickHouse> {
    const engine =
      'url' in options
        ? await openRemote(options)
        : await openEmbedded(options.embeddedPath, logger, options.memory ?? memoryShares());
    logger.info({ clickhouse: engine.description }, 'ClickHouse is open');
    return new ClickHouse(engine, new Costs(logger, options.slowMs ?? 0));
  }

  get form(): SchemaForm {
    return this.engine.form;
  }

  /** Where the database is, for operators. */
  get description(): string {
    return this.engine.description;
  }

  get isEmbedded(): boolean {
    return this.engine.isEmbedded;
  }

  /** How the connections are used, by the names of their pools in metrics. */
  get poolUse(): readonly (readonly [string, PoolUse])[] {
    return Object.entries(this.pools).map(([lane, pool]) => [poolName(lane), pool.use]);
  }

  /** Finds out whether there is a database, and whose projection it has. */
  find(timeoutMs: number): Promise<FoundDatabase> {
    return this.engine.find(timeoutMs);
  }

  createDatabase(): Promise<void> {
    return this.engine.createDatabase();
  }

  /** Returns rows as JSON: 64-bit integers as numbers (exact below 2^53), instants in ISO 8601 UTC, NaN as null. */
  async query<T>(statement: Sql, options: QueryOptions): Promise<T[]> {
    return this.run(this.question(statement, options), async (client, call) => {
      const answer = await client.rows<T>(this.request(statement, call));
      if (answer.content.length === 0) assertNothing(answer.headers);
      return answer;
    });
  }

  /** Returns the answer as the bytes of the format that the statement names (`FORMAT …`). */
  async bytes(statement: Sql, options: QueryOptions): Promise<Buffer> {
    return this.run(this.question(statement, options), async (client, call) => {
      const answer = await client.bytes(this.request(statement, call));
      if (answer.content.length === 0) assertNothing(answer.headers);
      return answer;
    });
  }

  /** Returns the uuids of a statement that ends in `FORMAT TSV`. */
  async uuids(statement: Sql, options: QueryOptions): Promise<Uuids> {
    return new UuidLines(await this.bytes(statement, options));
  }

  /**
   * Inserts all rows or, on an error, possibly some: the caller repeats with the same token and rows until it succeeds.
   */
  async insert(table: string, rows: readonly object[], options: { deduplicationToken?: string } = {}): Promise<void> {
    if (rows.length === 0) return;
    const text = () => `INSERT INTO ${quoteIdentifier(table)}`;
    const { deduplicationToken = randomUUID() } = options;
    const insert = this.write('inserts', text, insertTimeoutMs, deduplicationToken);
    const lines = () => `${rows.map(writeRow).join('\n')}\n`;
    await this.run({ ...insert, canRepeat: true }, (client, call) => client.insert(table, lines(), call));
  }

  /** Runs DDL and other changes that send no rows from here. Most DDL does not accept bound values; fragments work. */
  async command(statement: Sql, { timeoutMs = commandTimeoutMs }: { timeoutMs?: number } = {}): Promise<void> {
    await this.run(
      this.write('commands', () => compile(statement).query, timeoutMs),
      this.commanding(statement),
    );
  }

  /** Runs a DELETE. On a cluster it may return before a shard has done it; `removeWhere` waits for that. */
  async remove(statement: Sql): Promise<void> {
    const fault = await this.ownership?.faultOfWrites();
    if (fault) throw fault;
    const removal = this.write('commands', () => compile(statement).query, commandTimeoutMs);
    const more = this.form.cluster === null ? {} : removalSettings;
    await this.run(
      { ...removal, settings: (lease) => ({ ...removal.settings(lease), ...more }) },
      this.commanding(statement),
    );
  }

  /**
   * Runs `INSERT … SELECT` within the limits of a question. On an error, or when stopped, some rows may have been
   * inserted.
   */
  async insertSelected(statement: Sql, { project, signal, ...overrides }: CalculationOptions): Promise<void> {
    const limits = { ...defaultLimits, ...overrides };
    const calculation = {
      lane: 'calculations' as const,
      ...ownerOf(project, signal),
      work: 'calculation' as const,
      short: false,
      timeoutMs: limits.timeoutMs,
      settings: () => calculationSettings(limits),
      text: () => compile(statement).query,
      late: () => new QueryTooExpensive('time'),
      meaning: questionError,
    };
    await this.run(calculation, this.commanding(statement));
  }

  async ping(timeoutMs: number): Promise<boolean> {
    return this.closing === null && this.engine.answers(timeoutMs);
  }

  /** Throws when the engine is away. */
  async assertAnswering(): Promise<void> {
    if (this.closing !== null || !(await this.engine.isUp(pingMs)))
      throw new ClickHouseUnavailable('ClickHouse does not answer');
  }

  /** Waits for running statements, then stops those that remain. */
  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private request(statement: Sql, call: Call) {
    return requestOf(statement, call, this.engine);
  }

  private commanding(statement: Sql): Sending<void> {
    return (client, call) => client.run(this.request(statement, call));
  }

  private question(
    statement: Sql,
    { project, signal, short = false, timezone = 'UTC', work = 'question', ...overrides }: QueryOptions,
  ): Statement {
    const limits = { ...this.limits, ...overrides };
    const timeoutMs = short ? Math.min(limits.timeoutMs, shortTimeoutMs) : limits.timeoutMs;
    return {
      lane: 'questions',
      ...ownerOf(project, signal),
      work,
      short,
      timeoutMs,
      settings: (lease: Crowding) => ({
        ...questionSettings({ ...limits, timeoutMs }, timezone),
        ...(short ? {} : precedence(lease, this.engine.threadsOfHeavy)),
      }),
      canYield: !short && this.engine.threadsOfHeavy !== null,
      canRepeat: true,
      text: () => compile(statement).query,
      late: () => new QueryTooExpensive('time'),
      meaning: questionError,
    };
  }

  private write(lane: LaneName, text: () => string, timeoutMs: number, token?: string): Statement {
    return {
      lane,
      text,
      owner: 'system',
      work: 'write',
      short: false,
      timeoutMs,
      settings: () => writeSettings(timeoutMs, token),
      late: () => new ClickHouseUnavailable('ClickHouse did not finish in time'),
      meaning: writeError,
    };
  }

  private async run<T>(statement: Statement, send: Sending<T>): Promise<T> {
    return traced(clickhouseSpan(statement.text), () => this.runUntilPassed(statement, send));
  }

  private async runUntilPassed<T>(statement: Statement, send: Sending<T>): Promise<T> {
    for (const end = performance.now() + passesWithinMs; ; await sleep(repeatMs * (1 + Math.random()))) {
      try {
        return await this.runTraced(statement, send);
      } catch (error) {
        if (!statement.canRepeat || !this.passesSoon(error) || performance.now() > end) throw error;
      }
    }
  }

  /** True if a repetition soon may succeed: also while an embedded engine that ended is starting again. */
  private passesSoon(error: unknown): boolean {
    return passesSoon(error) || (error instanceof ClickHouseAway && this.engine.running !== null && !this.closing);
  }

  private async runTraced<T>(statement: Statement, send: Sending<T>): Promise<T> {
    try {
      return await this.attempt(statement, send);
    } catch (error) {
      if (!(error instanceof StatementYielded)) throw error;
      // The first run counts towards the time limit. Time in the queue does not: it has a limit of its own.
      return this.attempt({ ...statement, timeoutMs: statement.timeoutMs - error.ranMs, isSecond: true }, send);
    }
  }

  private async attempt<T>(statement: Statement, send: Sending<T>): Promise<T> {
    const { lane, owner, short, timeoutMs, signal, isSecond = false } = statement;
    const pool = this.pools[lane];
    const askedAt = performance.now();
    const lease = await pool.acquire({ owner, short, signal, waitMs: waitMs(timeoutMs), isAgain: isSecond });
    const crowding = isSecond ? { isCrowded: true, isHeavy: true } : lease;
    const release = await this.leaseFor(statement, crowding);
    // During the wait the database may have been dropped, the caller may have left, and the service may be stopping.
    const fault = owner === 'system' ? null : await this.faultOfDatabase();
    if (fault || signal?.aborted || this.closing) {
      release();
      lease.release();
      throw signal?.aborted ? signal.reason : (fault ?? closedError());
    }
    const id = randomUUID();
    const interruption = new Interruption({
      ...statement,
      isUp: (ms) => this.engine.isUp(ms),
      lookAt: () => this.engine.lookAt(id),
      // Otherwise the waiting statements would notice it one after the other.
      onUnreachable: (reason) => pool.refuseWaiting(reason),
    });
    const call = {
      query_id: id,
      abort_signal: interruption.signal,
      clickhouse_settings: { ...statement.settings(crowding), ...(this.form.cluster === null ? {} : clusterSettings) },
    };
    const yielding = statement.canYield && !isSecond ? new Yielding(lease, interruption, timeoutMs) : null;
    const startedAt = performance.now();
    const stopped = { id, owner, startedAt, timeoutMs, text: statement.text };
    let headers: Headers | null = null;
    const untilEnded = async (thrown: unknown = null) => {
      const { signal: stop } = interruption;
      let endedAt = performance.now();
      if (stop.aborted && (await this.engine.running?.untilEnded(stopped))) {
        this.runaways.record(owner);
        endedAt = performance.now();
      }
      const error: unknown = stop.aborted ? stop.reason : thrown === null ? null : statement.meaning(thrown);
      const times = { waitedMs: startedAt - askedAt, ranMs: endedAt - startedAt };
      this.costs.record({ ...statement, ...times, headers, taken: interruption.taken, error, isStopped: stop.aborted });
    };
    // The caller may leave long before the engine is done: the connection is free only when the engine is.
    const done = () => {
      observeStatement(poolName(lane), startedAt);
      yielding?.end();
      release();
      this.running.delete(interruption);
      lease.release();
    };
    // The function is async so that a statement that cannot be compiled releases its connection too.
    const execution = (async () => {
      const answer = await send(this.engine.client, call);
      headers = answer.headers;
      return answer.content;
    })();
    this.running.set(interruption, execution.then(() => untilEnded(), untilEnded).then(done, done));
    try {
      return await interruption.race(execution);
    } catch (error) {
      const meant = interruption.signal.aborted ? error : statement.meaning(error);
      const isLate = meant instanceof QueryTooExpensive && meant.reason === 'time';
      throw isLate && (await interruption.wasStarved) ? starvedError(meant) : meant;
    }
  }

  private faultOfDatabase(): Promise<unknown> {
    return this.ownership?.fault().catch((error: unknown) => error) ?? Promise.resolve(null);
  }

  /** A heavy question beside other projects waits for the other heavy work of its project. */
  private leaseFor(
    { owner, canYield }: Statement,
    { isCrowded, isHeavy }: Crowding,
  ): Promise<() => void> | (() => void) {
    if (!canYield || !isCrowded || !isHeavy || owner === 'system') return noLease;
    return startHeavyWork(owner, { waitMs: maxHeavyWaitMs });
  }

  private async shutDown(): Promise<void> {
    for (const pool of Object.values(this.pools)) pool.close();
    const unstopped = [...this.running].filter(([{ signal }]) => !signal.aborted).map(([, over]) => over);
    await within(finishMs, Promise.all(unstopped));
    for (const interruption of this.running.keys()) interruption.interrupt(closedError());
    await within(stopMs, Promise.all(unstopped));
    await this.engine.close();
  }
}

/** A server whose disk is full cannot keep a large answer until it is complete, and sends an empty one. */
const assertNothing = (headers: Headers): void => {
  if (Number(summaryIn(headers)?.result_rows ?? 0) === 0) return;
  throw new ClickHouseUnavailable('ClickHouse has sent nothing of what it found: its disk may be full');
};

const poolName = (lane: string): string => `clickhouse_${lane}`;

const poolOf = ({ size, ...options }: Lane): FairPool<null> =>
  FairPool.ofSlots(size + (options.spare ?? 0), { ...options, busy: busyError, closed: closedError });

const ownerOf = (project: StatementOwner, signal: AbortSignal | undefined) =>
  project === 'system' ? { owner: project, signal } : { owner: project.id, signal: signal ?? project.signal };
