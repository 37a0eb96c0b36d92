import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { afterAwake } from '../time/awake.js';
import { PgConnection, ServerSilent } from './connection.js';

interface Patience {
  /** After this time without an answer, another connection tries to get one. */
  readonly silentAfterMs: number;
  /** The server counts as silent if that connection gets no answer in this time. */
  readonly pulseMs: number;
}

/** Long, because a start, a migration or a command should rather wait for a busy server than fail. */
const whileNoCallerWaits: Patience = { silentAfterMs: 20_000, pulseMs: 10_000 };
/** Short, because callers are promised a 503 within 2 s, and other steps follow. */
const whileCallersWait: Patience = { silentAfterMs: 700, pulseMs: 600 };
const lookEveryMs = 100;

const isTimeout = (error: Error): boolean => error.message.includes('timeout');

/**
 * Fails the statements of a server that has fallen silent, such as a stopped process or one behind a broken cable. Their
 * connections would notice it only after a minute. A statement on another connection tells a silent server from a busy one.
 */
export class SilenceWatch {
  private readonly inUse = new Set<PgConnection>();
  /** A pool with one connection, which only this class uses, so that no other statement keeps it busy. */
  private readonly pulse: Pool;
  /** Null while no connection is in use. */
  private timer: NodeJS.Timeout | null = null;
  private patience = whileNoCallerWaits;
  private isLooking = false;
  private heardAt = 0;

  constructor(pool: Pool, config: PoolConfig) {
    this.pulse = new Pool({
      ...config,
      max: 1,
      min: 0,
      connectionTimeoutMillis: this.patience.pulseMs,
      idleTimeoutMillis: 10_000,
    });
    this.pulse.on('error', () => undefined);
    surviveLostConnections(this.pulse);
    pool.on('connect', () => (this.heardAt = performance.now()));
    pool.on('acquire', (client) => this.acquired(client));
    pool.on('release', (_: unknown, client) => this.released(client));
  }

  expectCallers(): void {
    this.patience = whileCallersWait;
    this.pulse.options.connectionTimeoutMillis = this.patience.pulseMs;
  }

  async stop(): Promise<void> {
    this.rest();
    await this.pulse.end();
  }

  private acquired(client: PoolClient): void {
    if (!(client instanceof PgConnection)) return;
    this.inUse.add(client);
    this.timer ??= setInterval(() => void this.look(), lookEveryMs).unref();
  }

  private rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private released(client: PoolClient): void {
    if (!(client instanceof PgConnection)) return;
    this.inUse.delete(client);
    this.heardAt = Math.max(this.heardAt, client.heardAt);
  }

  private async look(): Promise<void> {
    if (this.inUse.size === 0) this.rest();
    const { silentAfterMs, pulseMs } = this.patience;
    if (this.isLooking || this.silentFor(silentAfterMs).length === 0) return;
    this.isLooking = true;
    const answers = await this.answers(pulseMs);
    this.isLooking = false;
    if (answers) return;
    for (const connection of this.silentFor(pulseMs)) connection.abandon(new ServerSilent());
  }

  private silentFor(ms: number): PgConnection[] {
    return [...this.inUse].filter(({ silentMs }) => silentMs > ms);
  }

  /** True if the server answers in time. A refusal counts as an answer: the statements then fail by themselves. */
  private answers(pulseMs: number): Promise<boolean> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const cancel = afterAwake(pulseMs, () => resolve(this.lastHeardAt > startedAt));
      const answered = () => {
        cancel();
        resolve(true);
      };
      this.pulse
        .query({ text: 'SELECT 1', query_timeout: pulseMs } as { text: string })
        .then(answered, (error: Error) => isTimeout(error) || answered());
    });
  }

  private get lastHeardAt(): number {
    return Math.max(this.heardAt, ...[...this.inUse].map(({ heardAt }) => heardAt));
  }
}

const heard = new WeakSet<PoolClient>();

/**
 * Adds a listener to each connection. A connection that is lost while it is in use fails its next statement, and also emits an
 * event, which would end the process if nothing listened.
 */
export const surviveLostConnections = (pool: Pool): void => {
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => undefined);
  });
};
