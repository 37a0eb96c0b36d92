import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Notification, type PoolClient } from 'pg';
import { type Worker } from '../work/worker.js';
import { type Workers } from '../work/workers.js';
import { type Logger } from '../telemetry/logger.js';
import { type Postgres, type Queryable } from './postgres.js';
import { bound, pgSql, type PgSql } from './sql.js';

/** The messages of one process to all others: rows have arrived in ClickHouse, or a question waits for them. */
export type NoticeChannel = 'kohort_shipped' | 'kohort_waiting';

const listen: Readonly<Record<NoticeChannel, PgSql>> = {
  kohort_shipped: pgSql`LISTEN kohort_shipped`,
  kohort_waiting: pgSql`LISTEN kohort_waiting`,
};

const isChannel = (name: string): name is NoticeChannel => name in listen;

const trialMs = 2_000;
const reconnectMs = 1_000;
/** The pause after a trial that failed: a pooler in transaction mode never delivers notices. */
const tryAgainMs = 60_000;

/** Sends a notice to all processes that listen; within a transaction, when it commits. */
export const notify = (postgres: Queryable, channel: NoticeChannel): Promise<void> => send(postgres, channel, '');

const send = async (postgres: Queryable, channel: NoticeChannel, payload: string): Promise<void> => {
  await postgres.query(pgSql`SELECT pg_notify(${bound(channel)}, ${bound(payload)})`.named('notify'));
};

/**
 * Listens to the notices of other processes on one connection of the pool. Notices only save time: code that waits for one must
 * also look from time to time, because none arrives while the connection is lost, or through a pooler in transaction mode.
 */
export class Notices {
  private readonly worker: Worker;
  private heard = false;
  private isReported = false;

  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
    private readonly on: Readonly<Record<NoticeChannel, () => void>>,
    private readonly logger: Logger,
  ) {
    this.worker = workers.add({
      name: 'notices',
      warning: 'notices of PostgreSQL cannot be heard at the moment',
      round: () => this.round(),
      isEverywhere: true,
    });
  }

  /** True if a notice that was sent as a trial at the start of the connection has arrived. */
  get areHeard(): boolean {
    return this.heard;
  }

  private async round(): Promise<number> {
    try {
      return await this.connectAndListen(this.worker.stopping);
    } finally {
      this.heard = false;
    }
  }

  /** Returns the pause before the next attempt. */
  private async connectAndListen(signal: AbortSignal): Promise<number> {
    const client = await this.postgres.pool.connect();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    client.once('error', end).once('end', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      this.heard = await this.try(client, ended);
      if (!this.heard) {
        if (!signal.aborted) this.report();
        return tryAgainMs;
      }
      await ended;
      return reconnectMs;
    } finally {
      signal.removeEventListener('abort', end);
      // The connection is closed, because others cannot use one with subscriptions.
      client.release(true);
    }
  }

  private report(): void {
    if (this.isReported) return;
    this.isReported = true;
    this.logger.info(
      'notices of PostgreSQL do not arrive, as through a pooler: the outbox is looked at more often instead',
    );
  }

  private async try(client: PoolClient, ended: Promise<void>): Promise<boolean> {
    const trial = randomUUID();
    const arrived = new Promise<boolean>((resolve) => {
      client.on('notification', ({ channel, payload }: Notification) => {
        if (payload === trial) resolve(true);
        else if (payload === '' && isChannel(channel)) this.on[channel]();
      });
    });
    for (const statement of Object.values(listen)) await client.query(statement);
    // Other processes ignore this trial, because it has a payload.
    await send(this.postgres, 'kohort_shipped', trial);
    const late = new AbortController();
    const tooLate = sleep(trialMs, false, { signal: late.signal }).catch(() => false);
    try {
      return await Promise.race([arrived, tooLate, ended.then(() => false)]);
    } finally {
      late.abort();
    }
  }
}
