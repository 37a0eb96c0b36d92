import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { randomUUID } from 'node:crypto';
import { Postgres } from '../stores/postgres/postgres.js';
import { type Stored } from '../stores/postgres/stored.js';
import { type IdempotencyKey } from './idempotency-key.entity.js';
import { bound, pgSql } from '../stores/postgres/sql.js';

export interface KeyedRequest {
  readonly projectId: number;
  readonly userId: number;
  readonly route: string;
  readonly key: string;
  readonly hash: Buffer;
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
  | { readonly kind: 'other request' };

const dayMs = 24 * 3_600_000;
/** A run that dies without a word frees its key after this. */
const holdMs = 15_000;

/** Free, kept long enough, or left by a run that is no more. */
const claim = `
  INSERT INTO idempotency_keys AS k (project_id, user_id, route, key, request_hash, holder, held_until, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (project_id, user_id, route, key) DO UPDATE
  SET request_hash = excluded.request_hash, holder = excluded.holder, held_until = excluded.held_until,
    expires_at = excluded.expires_at, status = NULL, location = NULL, body = NULL
  WHERE (k.status IS NOT NULL AND k.expires_at <= $9) OR (k.status IS NULL AND k.held_until <= $10)`;

type Row = Stored<Pick<IdempotencyKey, 'requestHash' | 'status' | 'location' | 'body'>>;

/** Which requests with an `Idempotency-Key` run or were answered. */
@Injectable()
export class IdempotencyKeys {
  constructor(private readonly postgres: Postgres) {}

  /** `now` is the request's, by which a stored answer grows old. */
  async claim(request: KeyedRequest, now: Date): Promise<Claim> {
    const holder = randomUUID();
    const place = [request.projectId, request.userId, request.route, request.key];
    for (;;) {
      const clock = new Date();
      const heldUntil = new Date(clock.getTime() + holdMs);
      const expiresAt = new Date(now.getTime() + dayMs);
      const claimed = await this.postgres.query(claim, [
        ...place,
        request.hash,
        holder,
        heldUntil,
        expiresAt,
        now,
        clock,
      ]);
      if (claimed.rowCount !== 0) return { kind: 'ours', run: new KeyedRun(this.postgres, place, holder) };
      const { rows } = await this.postgres.query<Row>(
        `SELECT request_hash, status, location, body FROM idempotency_keys
         WHERE project_id = $1 AND user_id = $2 AND route = $3 AND key = $4`,
        place,
      );
      // Given back in between: it is free again.
      if (rows[0]) return verdictOf(rows[0], request.hash);
    }
  }

  @Interval(3_600_000)
  async sweepHourly(): Promise<void> {
    await this.sweep(new Date());
  }

  /** By the node's clock: of answers the last moment their run held them, a day ago. */
  async sweep(now: Date): Promise<number> {
    const { rowCount } = await this.postgres.query(
      pgSql`DELETE FROM idempotency_keys WHERE held_until <= ${bound(new Date(now.getTime() - dayMs - holdMs))}`,
    );
    return rowCount ?? 0;
  }
}

const verdictOf = ({ request_hash, status, location, body }: Row, hash: Buffer): Claim => {
  if (!request_hash.equals(hash)) return { kind: 'other request' };
  return status === null
    ? { kind: 'running' }
    : { kind: 'answered', answer: { status, location, body: body ?? 'null' } };
};

const mine = 'project_id = $1 AND user_id = $2 AND route = $3 AND key = $4 AND holder = $5';

/** One run of a request, the only one while its heart beats. */
export class KeyedRun {
  private readonly heart: NodeJS.Timeout;

  constructor(
    private readonly postgres: Postgres,
    private readonly place: readonly unknown[],
    private readonly holder: string,
  ) {
    this.heart = setInterval(() => void this.beat(), holdMs / 3).unref();
  }

  async answered({ status, location, body }: StoredAnswer): Promise<void> {
    clearInterval(this.heart);
    await this.postgres.query(`UPDATE idempotency_keys SET status = $6, location = $7, body = $8 WHERE ${mine}`, [
      ...this.place,
      this.holder,
      status,
      location,
      body,
    ]);
  }

  /** What failed may be tried again under the same key. */
  async failed(): Promise<void> {
    clearInterval(this.heart);
    await this.postgres.query(`DELETE FROM idempotency_keys WHERE ${mine}`, [...this.place, this.holder]);
  }

  private async beat(): Promise<void> {
    const heldUntil = new Date(Date.now() + holdMs);
    // A database that is away notes nothing, and the key frees itself.
    await this.postgres
      .query(`UPDATE idempotency_keys SET held_until = $6 WHERE ${mine} AND status IS NULL`, [
        ...this.place,
        this.holder,
        heldUntil,
      ])
      .catch(() => null);
  }
}
