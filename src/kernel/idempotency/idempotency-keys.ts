import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Workers } from '../../platform/work/workers.js';
import { type CommitNotes } from '../../platform/postgres/transaction.js';
import { existingProject } from '../projects/projects.repository.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type IdempotencyKey } from './idempotency-key.entity.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

export interface KeyedRequest {
  readonly projectId: number;
  readonly userId: number;
  readonly route: string;
  readonly key: string;
  /** Tells one request from another. The hash of a streamed request covers only its address. */
  readonly hash: Buffer;
  /** Reads the body of a streamed request and returns the hash of all of it. */
  readonly streamedHash?: () => Promise<Buffer>;
}

export interface StoredAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

export type Claim =
  | { readonly kind: 'ours'; readonly run: KeyedRun }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'running' }
  /** The request was done, but its answer is not known. */
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'other request' };

const dayMs = 24 * 3_600_000;
/** A run that dies silently holds its key no longer than this; `holdInterval` is the same. */
const holdMs = 15_000;
const endAgainMs = 500;

type KeyAddress = Omit<KeyedRequest, 'hash' | 'streamedHash'>;

interface Claimant {
  readonly holder: string;
  /** A day after the request. */
  readonly expiresAt: Date;
  /** The time by the clock of PostgreSQL. */
  readonly clock: Date;
}

const heldFrom = (clock: Date): Date => new Date(clock.getTime() + holdMs);

const [holdInterval, dayInterval] = [pgSql`interval '15 seconds'`, pgSql`interval '1 day'`];

/**
 * True if no run holds a key any longer; `own` is the time until which a run that starts now would hold it. A key that is held
 * for twice as long was taken under a clock that has been set back since; processes know the clock of PostgreSQL to some
 * milliseconds.
 */
const isFree = (heldUntil: PgSql, own: PgSql): PgSql =>
  pgSql`(${own} - ${heldUntil} >= ${holdInterval} OR ${heldUntil} - ${own} > ${holdInterval})`;

/**
 * Takes a key that is free, that has expired, or that a dead run has left before it committed anything. Citus accepts no values
 * after ON CONFLICT, so the times of the new row decide what is free and what has expired.
 */
const claim = (
  { projectId, userId, route, key, hash }: KeyedRequest,
  { holder, expiresAt, clock }: Claimant,
): PgSql => pgSql`
  INSERT INTO idempotency_keys AS k (project_id, user_id, route, key, request_hash, holder, held_until, expires_at)
  SELECT ${projectId === 0 ? pgSql`0` : existingProject(projectId)}, ${bound(userId)}::integer, ${bound(route)}::text, ${bound(key)}::text, ${bound(hash)}::bytea, ${bound(holder)}::uuid,
    ${bound(heldFrom(clock))}::timestamptz, ${bound(expiresAt)}::timestamptz
  ON CONFLICT (project_id, user_id, route, key) DO UPDATE
  SET request_hash = excluded.request_hash, holder = excluded.holder, held_until = excluded.held_until,
    expires_at = excluded.expires_at, last_commit = NULL, status = NULL, location = NULL, body = NULL
  WHERE CASE WHEN k.status IS NULL AND k.last_commit IS NULL
    THEN ${isFree(pgSql`k.held_until`, pgSql`excluded.held_until`)}
    ELSE excluded.expires_at - k.expires_at >= ${dayInterval} END
  RETURNING 1 AS claimed`;

const atAddress = ({ projectId, userId, route, key }: KeyAddress): PgSql =>
  pgSql`project_id = ${bound(projectId)} AND user_id = ${bound(userId)} AND route = ${bound(route)} AND key = ${bound(key)}`;

type Row = Stored<Pick<IdempotencyKey, 'requestHash' | 'lastCommit' | 'status' | 'location' | 'body'>> & {
  readonly is_held: boolean;
};

/** Records which requests with an `Idempotency-Key` are running or were answered. */
@Injectable()
export class IdempotencyKeys {
  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    workers.every(3_600_000, {
      name: 'idempotency keys',
      warning: 'expired idempotency keys could not be removed and are removed later',
      run: () => this.sweep(postgres.clock.now()),
    });
  }

  /** `now` is the time of the request, by which a stored answer expires. */
  async claim(request: KeyedRequest, now: Date): Promise<Claim> {
    const holder = randomUUID();
    for (;;) {
      const expiresAt = new Date(now.getTime() + dayMs);
      const clock = this.postgres.clock.now();
      const claimed = await this.postgres
        .query(claim(request, { holder, expiresAt, clock }))
        .catch((error: unknown) => {
          // Frees the key, which may be taken although the answer of the database was lost.
          void new KeyedRun(this.postgres, request, holder).failed().catch(() => null);
          throw error;
        });
      // Looks at the returned rows, because Citus also counts a row that stays as it is.
      if (claimed.rows.length > 0) return { kind: 'ours', run: new KeyedRun(this.postgres, request, holder) };
      const { rows } = await this.postgres.query<Row>(
        pgSql`SELECT request_hash, last_commit, status, location, body, NOT ${isFree(pgSql`held_until`, pgSql`${bound(heldFrom(clock))}::timestamptz`)} AS is_held
          FROM idempotency_keys WHERE ${atAddress(request)}`,
      );
      // The key was freed in between, so the loop claims it again.
      if (rows[0]) return verdictOn(rows[0], request);
    }
  }

  /** Removes rows by the clock of PostgreSQL: a stored answer expires a day after its run last renewed the key. */
  async sweep(now: Date): Promise<number> {
    const { rowCount } = await this.postgres.query(
      pgSql`DELETE FROM idempotency_keys WHERE held_until <= ${bound(new Date(now.getTime() - dayMs - holdMs))}`,
    );
    return rowCount ?? 0;
  }
}

/** Compares the whole body of a streamed request before it is answered. */
const verdictOn = async (row: Row, request: KeyedRequest): Promise<Claim> => {
  const { request_hash, last_commit, status, location, body, is_held } = row;
  const hash = status === null || !request.streamedHash ? request.hash : await request.streamedHash();
  if (!request_hash.equals(hash)) return { kind: 'other request' };
  if (status !== null) return { kind: 'answered', answer: { status, location, body: body ?? 'null' } };
  return { kind: last_commit === null || is_held ? 'running' : 'unanswered' };
};

/** A run of a request: the only one for as long as its heartbeat lasts. */
export class KeyedRun implements CommitNotes {
  /** The row of the key, as long as this run holds it. */
  private readonly own: PgSql;
  private readonly heart: NodeJS.Timeout;
  /** A request that is sent again has the same name. */
  readonly name: string;

  constructor(
    private readonly postgres: Postgres,
    address: KeyAddress,
    holder: string,
  ) {
    const { projectId, userId, route, key } = address;
    this.name = JSON.stringify([projectId, userId, route, key]);
    this.own = pgSql`${atAddress(address)} AND holder = ${bound(holder)}`;
    this.heart = setInterval(() => void this.beat(), holdMs / 3).unref();
  }

  note(id: string): PgSql {
    return pgSql`
      WITH noted AS (UPDATE idempotency_keys SET last_commit = ${bound(id)} WHERE ${this.own} RETURNING 1)
      SELECT 1 / count(*) FROM noted`.named('idempotency-note');
  }

  get noted(): PgSql {
    return pgSql`SELECT last_commit FROM idempotency_keys WHERE ${this.own} FOR SHARE`;
  }

  /** `streamedHash` replaces the hash of a streamed request, whose body is known only now. */
  async answered({ status, location, body }: StoredAnswer, streamedHash: Buffer | null): Promise<void> {
    await this.end(() =>
      this.postgres.query(
        pgSql`UPDATE idempotency_keys SET status = ${bound(status)}, location = ${bound(location)}, body = ${bound(body)},
           request_hash = coalesce(${bound(streamedHash)}, request_hash)
         WHERE ${this.own}`,
      ),
    );
  }

  /**
   * Frees the key, because a failed request may be tried again under it. A request that has committed something may not be
   * tried again: only the hold of its key ends. Both statements wait for a transaction that is being committed.
   */
  async failed(): Promise<void> {
    await this.end(async () => {
      const { rowCount } = await this.postgres.query(
        pgSql`DELETE FROM idempotency_keys WHERE ${this.own} AND last_commit IS NULL`,
      );
      if (rowCount !== 0) return;
      await this.postgres.query(
        pgSql`UPDATE idempotency_keys SET held_until = ${bound(this.postgres.clock.now())} WHERE ${this.own}`,
      );
    });
  }

  /**
   * Ends the hold of the key. A failure is thrown at once, because the answer must not wait, but `work` is tried again for as
   * long as the key is held. Otherwise a request that is sent again would be refused until then, or run a second time after it.
   */
  private async end(work: () => Promise<unknown>): Promise<void> {
    clearInterval(this.heart);
    try {
      await work();
    } catch (error) {
      void this.endLater(work, performance.now() + holdMs);
      throw error;
    }
  }

  private async endLater(work: () => Promise<unknown>, until: number): Promise<void> {
    let isEnded = false;
    while (!isEnded && performance.now() < until) {
      await sleep(endAgainMs, undefined, { ref: false });
      isEnded = await work().then(
        () => true,
        () => false,
      );
    }
  }

  private async beat(): Promise<void> {
    // While the database is unavailable, no heartbeat is recorded and the key frees itself.
    await this.postgres
      .query(
        pgSql`UPDATE idempotency_keys SET held_until = ${bound(heldFrom(this.postgres.clock.now()))}
          WHERE ${this.own} AND status IS NULL`,
      )
      .catch(() => null);
  }
}
