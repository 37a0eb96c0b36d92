import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { afterAwake } from '../time/awake.js';
import { PgConnection, ServerSilent } from './connection.js';

interface Patience {
  /** After this time without an answer, another connection tries to get one. */
  readonly silentAfterMs: number;
  /** The server is silent when that one gets none in this time. */
  readonly pulseMs: number;
}

/** A start, a migration or a command waits for a server that is busy, rather than fail. */
const whileNoCallerWaits: Patience = { silentAfterMs: 20_000, pulseMs: 10_000 };
/** Together short enough that what follows still fits into the 2 s within which callers are promised a 503. */
const whileCallersWait: Patience = { silentAfterMs: 700, pulseMs: 600 };
const lookEveryMs = 100;

const isTimeout = (error: Error): boolean => error.message.includes('timeout');

/**
 * Fails the statements of a server that falls silent while they run, as a stopped process and a broken cable do: their
 * connections would notice it after a minute. A question on another connection distinguishes it from a busy server.
 */
export class SilenceWatch {
  private readonly inUse = new Set<PgConnection>();
  /** No statement of the service can keep its one connection busy. */
  private readonly pulse: Pool;
  private readonly timer: NodeJS.Timeout;
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
    pool.on('acquire', (client) => client instanceof PgConnection && this.inUse.add(client));
    pool.on('release', (_: unknown, client) => this.released(client));
    this.timer = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  expectCallers(): void {
    this.patience = whileCallersWait;
    this.pulse.options.connectionTimeoutMillis = this.patience.pulseMs;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.pulse.end();
  }

  private released(client: PoolClient): void {
    if (!(client instanceof PgConnection)) return;
    this.inUse.delete(client);
    this.heardAt = Math.max(this.heardAt, client.heardAt);
  }

  private async look(): Promise<void> {
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

  /** One that refuses is not silent: then the statements fail by themselves. */
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
 * A connection that dies while it is in use reports it twice: to the next statement, which handles it, and as an event,
 * which ends the process when it has no listener.
 */
export const surviveLostConnections = (pool: Pool): void => {
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => undefined);
  });
};
