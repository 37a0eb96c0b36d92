import { holdCollecting, type Lease } from '../../../platform/postgres/lease.js';
import { type Postgres, type Queryable } from '../../../platform/postgres/postgres.js';
import { type RebuildPhase, type RebuildRow } from './rebuild.entity.js';
import { type Work } from '../../../platform/postgres/transaction.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { parkedProjects } from '../shipping/parked-shipments.js';
import { collectOutbox } from '../outbox/outbox.js';
import { holdShipping } from '../shippers.js';

export interface Rebuild {
  readonly number: string;
  readonly phase: RebuildPhase;
  readonly attempt: number;
  readonly personsTotal: number;
  readonly personsDone: number;
  readonly eventsTotal: number;
  readonly eventsDone: number;
  readonly error: string | null;
}

export type RebuildCounts = Pick<Rebuild, 'personsTotal' | 'personsDone' | 'eventsTotal' | 'eventsDone'>;

type StoredRebuild = Pick<
  RebuildRow,
  'number' | 'phase' | 'attempt' | 'personsTotal' | 'personsDone' | 'eventsTotal' | 'eventsDone' | 'error'
>;

const columns = pgSql`number, phase, attempt, persons_total AS "personsTotal", persons_done AS "personsDone",
  events_total AS "eventsTotal", events_done AS "eventsDone", error`;
/** The condition for rebuilds that are requested or running. */
export const unfinished = pgSql`phase IN ('requested', 'copying', 'draining', 'swapping')`;

/**
 * A rebuild is given up after this many attempts. That one process ended during it does not predict the next attempt; several
 * do.
 */
export const maxAttempts = 3;

const toRebuild = (row: StoredRebuild): Rebuild => ({
  number: row.number,
  phase: row.phase,
  attempt: row.attempt,
  personsTotal: Number(row.personsTotal),
  personsDone: Number(row.personsDone),
  eventsTotal: Number(row.eventsTotal),
  eventsDone: Number(row.eventsDone),
  error: row.error,
});

/** Requests a rebuild; a process that ships will do it. An earlier request that is not yet done serves for this one too. */
export const requestRebuild = async (postgres: Queryable, now: Date): Promise<Rebuild> => {
  const { rows: existing } = await postgres.query<StoredRebuild>(
    pgSql`SELECT ${columns} FROM projection_rebuilds WHERE phase = 'requested' ORDER BY number LIMIT 1`,
  );
  if (existing[0]) return toRebuild(existing[0]);
  const { rows } = await postgres.query<StoredRebuild>(
    pgSql`INSERT INTO projection_rebuilds
       (phase, attempt, persons_total, persons_done, events_total, events_done, requested_at)
     VALUES ('requested', 0, 0, 0, 0, 0, ${bound(now)}) RETURNING ${columns}`,
  );
  return toRebuild(rows[0] as StoredRebuild);
};

export const findRebuild = async (postgres: Queryable, number: string): Promise<Rebuild | null> => {
  const { rows } = await postgres.query<StoredRebuild>(
    pgSql`SELECT ${columns} FROM projection_rebuilds WHERE number = ${bound(number)}`,
  );
  return rows[0] ? toRebuild(rows[0]) : null;
};

/** Records every step of a rebuild. Only the holder of the lease writes here. */
export class RebuildsRepository {
  constructor(
    private readonly postgres: Postgres,
    private readonly lease: Lease,
  ) {}

  async current(): Promise<Rebuild | null> {
    const { rows } = await this.postgres.query<StoredRebuild>(
      pgSql`SELECT ${columns} FROM projection_rebuilds WHERE ${unfinished}
       ORDER BY phase = 'requested', number LIMIT 1`,
    );
    return rows[0] ? toRebuild(rows[0]) : null;
  }

  /** From now on, shipped rows are kept so that they can be shipped again. */
  async start(number: string): Promise<Rebuild> {
    return this.asHolder(async (client) => {
      await client.query('DELETE FROM outbox_replay');
      const { rows } = await client.query<StoredRebuild>(
        pgSql`UPDATE projection_rebuilds SET phase = 'copying', attempt = attempt + 1, outbox_ids = NULL,
           persons_done = 0, events_done = 0 WHERE number = ${bound(number)} RETURNING ${columns}`,
      );
      return toRebuild(rows[0] as StoredRebuild);
    });
  }

  /** Runs `work`, which uses other transactions, while nothing is shipped or collected. */
  async still(work: () => Promise<void>): Promise<void> {
    await this.asHolder(async (client) => {
      await holdShipping(client);
      await holdCollecting(client);
      await work();
    });
  }

  /** Records the outbox rows whose changes the copy contains. */
  async contains(number: string, outboxIds: readonly string[]): Promise<void> {
    await this.postgres.query(
      pgSql`UPDATE projection_rebuilds SET outbox_ids = ${bound(outboxIds)} WHERE number = ${bound(number)}`,
    );
  }

  async progress(number: string, counts: RebuildCounts): Promise<void> {
    await this.postgres.query(
      pgSql`UPDATE projection_rebuilds
       SET persons_total = ${bound(counts.personsTotal)}, persons_done = ${bound(counts.personsDone)},
         events_total = ${bound(counts.eventsTotal)}, events_done = ${bound(counts.eventsDone)}
       WHERE number = ${bound(number)}`,
    );
  }

  /**
   * True if an empty database is being filled and lacks members or redirects that were in the outbox at the snapshot: the copy
   * has no tables of them, and the database answers only when it has all. Parked projects are not waited for.
   */
  async awaitsMembers(number: string): Promise<boolean> {
    const { rows } = await this.postgres.query(
      pgSql`SELECT FROM projection_rebuilds AS r CROSS JOIN LATERAL unnest(r.outbox_ids) AS seen (id)
       JOIN outbox AS o ON o.id = seen.id AND o.kind IN ('static_cohorts', 'calculated_cohorts', 'redirects')
       WHERE EXISTS (SELECT FROM projection_state WHERE NOT is_filled) AND r.number = ${bound(number)} AND o.project_id NOT IN (${parkedProjects}) LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** Lets no further shipment begin, because the copy is complete. Returns false when the rebuild was given up meanwhile. */
  drain(number: string): Promise<boolean> {
    return this.asHolder(async (client) => {
      const { rowCount } = await client.query(
        pgSql`UPDATE projection_rebuilds SET phase = 'draining' WHERE number = ${bound(number)} AND phase IN ('copying', 'draining')`,
      );
      return rowCount !== 0;
    });
  }

  /**
   * Begins the exchange of the tables unless a shipment is still being delivered. Changes that were shipped since the snapshot
   * wait in the outbox again, so that no question can take them for shipped.
   */
  swap(number: string): Promise<boolean> {
    return this.asHolder(async (client) => {
      await holdShipping(client);
      const { rows: open } = await client.query('SELECT FROM shipments WHERE parked_at IS NULL LIMIT 1');
      if (open.length > 0) return false;
      const { rowCount } = await client.query(
        pgSql`UPDATE projection_rebuilds SET phase = 'swapping' WHERE number = ${bound(number)} AND phase = 'draining'`,
      );
      if (rowCount === 0) return false;
      await client.query(
        `INSERT INTO outbox (project_id, kind, refs, size, created_at)
         SELECT project_id, kind, refs, size, created_at FROM outbox_replay ORDER BY id`,
      );
      await client.query('DELETE FROM outbox_replay');
      return true;
    });
  }

  /**
   * Ends a rebuild whose tables have replaced the old ones: the changes that they contain need not be shipped. Parked shipments
   * are tried again, for rows of other tables and rows that came later.
   */
  async finish(number: string, now: Date): Promise<void> {
    // Rows that the copy contains may not have been collected yet.
    await collectOutbox(this.postgres);
    await this.asHolder(async (client) => {
      const { rowCount } = await client.query(
        pgSql`SELECT FROM projection_rebuilds WHERE number = ${bound(number)} AND phase = 'swapping' FOR UPDATE`,
      );
      if (rowCount === 0) return;
      await client.query(
        pgSql`DELETE FROM outbox o USING (SELECT unnest(outbox_ids) AS id FROM projection_rebuilds WHERE number = ${bound(number)}) contained
         WHERE o.id = contained.id AND o.kind IN ('events', 'removed_events', 'persons', 'distinct_ids')`,
      );
      await client.query('DELETE FROM shipments');
      await client.query('UPDATE projection_state SET is_filled = true WHERE NOT is_filled');
      await client.query(
        pgSql`UPDATE projection_rebuilds SET phase = 'done', outbox_ids = NULL, finished_at = ${bound(now)} WHERE number = ${bound(number)}`,
      );
    });
  }

  /** Restarts the rebuild, or gives it up with a reason. */
  async abandon(number: string, outcome: { error: string; now: Date } | 'again'): Promise<void> {
    await this.asHolder(async (client) => {
      await holdShipping(client);
      await client.query('DELETE FROM outbox_replay');
      const [phase, error, finishedAt] =
        outcome === 'again' ? ['requested', null, null] : ['failed', outcome.error, outcome.now];
      await client.query(
        pgSql`
          UPDATE projection_rebuilds
          SET phase = ${bound(phase)}, error = ${bound(error)}, finished_at = ${bound(finishedAt)}, outbox_ids = NULL
          WHERE number = ${bound(number)} AND ${unfinished}`,
      );
    });
  }

  private asHolder<T>(work: Work<T>): Promise<T> {
    return this.postgres.transaction(async (client, last) => {
      await this.lease.confirm(client);
      return work(client, last);
    });
  }
}
