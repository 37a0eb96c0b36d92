import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type ClientBase } from 'pg';
import { WorkEnded } from '../errors/work-ended.js';
import { isDue } from './database-clock.js';
import { type Queryable } from './postgres.js';
import { bound, pgSql, type PgSql } from './sql.js';

/** Another process has taken over the work: this one must stop. */
export class LeaseLost extends WorkEnded {
  override readonly name = 'LeaseLost';

  constructor(lease: string) {
    super(`The lease "${lease}" belongs to another process now`);
  }
}

export interface LeaseOptions {
  ttlMs?: number;
  /** No other process can do this work, so another holder has ended without releasing the lease. */
  sole?: boolean;
}

const usualTtlMs = 10_000;
/** No process waits for the end of a sole holder's lease, so it is rarely renewed. */
const soleTtlMs = 54_000;

interface Claim {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
  readonly sole: boolean;
}

/**
 * Locks the row of a lease until the end of the client's transaction: no holder can confirm the lease, and no process can become
 * the holder. A lease without a holder gets a row that has expired, so that there is a row to lock.
 */
export const holdStill = async (client: ClientBase, name: string): Promise<void> => {
  await client.query(
    pgSql`INSERT INTO leases (name, holder, expires_at) VALUES (${bound(name)}, ${bound(randomUUID())}, to_timestamp(0))
     ON CONFLICT (name) DO UPDATE SET holder = leases.holder`,
  );
};

/** Until the end of the client's transaction, no other process moves changes from the nodes of Citus into the outbox. */
export const holdCollecting = (client: ClientBase): Promise<void> => holdStill(client, 'collecting');

/** Removes leases with this prefix that expired this long ago; all leases with the prefix if the time is null. */
export const forgetLeases = async (
  postgres: Queryable,
  { prefix, expiredForMs }: { prefix: string; expiredForMs: number | null },
): Promise<void> => {
  const ms = bound(expiredForMs);
  await postgres.query(
    pgSql`DELETE FROM leases WHERE starts_with(name, ${bound(prefix)})
      AND (${ms}::double precision IS NULL OR expires_at < ${now} - ${ms}::double precision * interval '1 millisecond')`,
  );
};

const now = pgSql`clock_timestamp()`;
/** The longest time that a lease can last without a heartbeat. */
const horizonMs = 60_000;

/** True if the expiry of a lease has not come yet. */
export const isHeldUntil = (expiry: PgSql): PgSql => pgSql`NOT ${isDue(expiry, now, horizonMs)}`;

/** The expiry of a lease, by the clock of PostgreSQL, which all processes share. */
const expiryAfter = (ttlMs: number): PgSql =>
  pgSql`${now} + ${bound(ttlMs)}::double precision * interval '1 millisecond'`;

/** Takes the lease when it is free, expired or already ours, or when no other process can hold it. */
const claim = ({ name, holder, ttlMs, sole }: Claim): PgSql => pgSql`
  INSERT INTO leases (name, holder, expires_at) VALUES (${bound(name)}, ${bound(holder)}, ${expiryAfter(ttlMs)})
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE ${isDue(pgSql`leases.expires_at`, now, horizonMs)} OR leases.holder = excluded.holder OR ${bound(sole)}`;

/**
 * The right to do one kind of background work, held by at most one process. A heartbeat renews the lease until it is released; a
 * holder that dies or hangs loses it when it expires. A process that was only paused may continue for a moment after the lease
 * has expired, so the holder must call `confirm` in every transaction in which it records something.
 */
export class Lease {
  readonly holder = randomUUID();
  private readonly ttlMs: number;
  private readonly sole: boolean;
  private validUntil = 0;
  /** Counts endings, so that a renewal that was sent before one does not revive the lease. */
  private endings = 0;
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(
    private readonly postgres: Queryable,
    readonly name: string,
    options: LeaseOptions = {},
  ) {
    this.sole = options.sole ?? false;
    this.ttlMs = options.ttlMs ?? (this.sole ? soleTtlMs : usualTtlMs);
  }

  /** True while the lease is held, as far as this process knows without a query. */
  get isValid(): boolean {
    return performance.now() < this.validUntil;
  }

  async acquire(): Promise<boolean> {
    const requestedAt = performance.now();
    const { name, holder, ttlMs, sole } = this;
    const { rowCount } = await this.postgres.query(claim({ name, holder, ttlMs, sole }));
    if (rowCount === 0) return false;
    this.validUntil = requestedAt + this.ttlMs;
    this.heartbeat ??= setInterval(() => void this.beat(), this.ttlMs / 3).unref();
    return true;
  }

  /** Returns false when another process has the lease. */
  async renew(): Promise<boolean> {
    const requestedAt = performance.now();
    const { endings } = this;
    const { rowCount } = await this.postgres.query(
      pgSql`UPDATE leases SET expires_at = ${expiryAfter(this.ttlMs)} WHERE name = ${bound(this.name)} AND holder = ${bound(this.holder)}`,
    );
    if (endings !== this.endings) return false;
    if (rowCount === 0) this.forget();
    else this.validUntil = requestedAt + this.ttlMs;
    return rowCount !== 0;
  }

  async release(): Promise<void> {
    this.forget();
    await this.postgres.query(
      pgSql`DELETE FROM leases WHERE name = ${bound(this.name)} AND holder = ${bound(this.holder)}`,
    );
  }

  /** Works as the holder of the lease. Returns false, without working, when another process has it. */
  async during(work: () => Promise<void>): Promise<boolean> {
    if (!(await this.acquire())) return false;
    try {
      await work();
      return true;
    } finally {
      await this.release().catch(() => undefined);
    }
  }

  /**
   * Throws when this process can no longer rely on the lease. Must be called before each step with an effect outside of
   * PostgreSQL.
   */
  check(): void {
    if (!this.isValid) throw new LeaseLost(this.name);
  }

  /** Throws unless the lease is ours, and keeps it ours until the end of the client's transaction. */
  async confirm(client: ClientBase): Promise<void> {
    const { rowCount } = await client.query(
      pgSql`SELECT 1 FROM leases WHERE name = ${bound(this.name)} AND holder = ${bound(this.holder)} FOR UPDATE`,
    );
    if (rowCount !== 0) return;
    this.forget();
    throw new LeaseLost(this.name);
  }

  private async beat(): Promise<void> {
    // Without a database nothing is renewed, and the lease expires by itself.
    await this.renew().catch(() => false);
  }

  private forget(): void {
    this.endings += 1;
    this.validUntil = 0;
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }
}
