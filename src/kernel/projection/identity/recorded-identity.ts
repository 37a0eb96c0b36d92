import { randomUUID } from 'node:crypto';
import { type ClientBase } from 'pg';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { enqueueMembersAndRedirects } from '../outbox/enqueue-members.js';
import { requestRebuild, unfinished } from '../rebuild/rebuilds.repository.js';
import { holdShipping, shippers } from '../shippers.js';

/**
 * The moment at which the server started. It changes with each start and failover, in which PostgreSQL may have lost what it
 * had acknowledged.
 */
export const serverStart: PgSql = pgSql`extract(epoch FROM pg_postmaster_start_time())::text`;

/** The description of the projection that PostgreSQL stores. */
export interface RecordedIdentity {
  /** Null until the first start. */
  readonly identity: string | null;
  readonly generation: number;
  /** The version of the newest release that has migrated. */
  readonly version: number;
  readonly isFilled: boolean;
  readonly isRebuilding: boolean;
  readonly copied: number;
  readonly toCopy: number;
  readonly server: string;
}

const selectIdentity: PgSql = pgSql`
  SELECT s.identity, coalesce(s.generation, 0) AS generation, coalesce(s.version, 0) AS version, coalesce(s.is_filled, true) AS "isFilled",
    r.number IS NOT NULL AS "isRebuilding",
    coalesce(r.persons_done + r.events_done, 0)::double precision AS copied,
    coalesce(r.persons_total + r.events_total, 0)::double precision AS "toCopy", ${serverStart} AS server
  FROM (SELECT 1) AS one
  LEFT JOIN projection_state AS s ON s.id = 1
  LEFT JOIN LATERAL (
    SELECT * FROM projection_rebuilds WHERE ${unfinished} ORDER BY phase = 'requested', number LIMIT 1
  ) AS r ON true`.named('projection-identity');

export const recordedIdentity = async (postgres: Queryable): Promise<RecordedIdentity> => {
  const { rows } = await postgres.query<RecordedIdentity>(selectIdentity);
  return rows[0] as RecordedIdentity;
};

/**
 * Lets processes of earlier releases begin no further shipments: they would leave columns empty that they do not know, and take
 * the rows off the outbox. Call it before anything is queued for such columns. Does nothing before the first migration.
 */
export const announceVersion = async (client: ClientBase, version: number): Promise<void> => {
  if ((await client.query(`SELECT FROM pg_class WHERE oid = to_regclass('projection_state')`)).rows.length === 0)
    return;
  const isOlder = pgSql`version < ${bound(version)}`;
  // Reads first, because a standby refuses changes, and needs none.
  if ((await client.query(pgSql`SELECT FROM projection_state WHERE ${isOlder}`)).rows.length === 0) return;
  await holdShipping(client);
  await client.query(pgSql`UPDATE projection_state SET version = ${bound(version)} WHERE ${isOlder}`);
};

/** The largest number of a shipment that was started. */
export const newestShipment = async (postgres: Queryable): Promise<bigint> => {
  const { rows } = await postgres.query<{ number: string }>(
    `SELECT greatest((SELECT max(number) FROM shipments), (SELECT last_shipment FROM projection_state WHERE id = 1), 0)::text AS number`,
  );
  return BigInt((rows[0] as { number: string }).number);
};

/** True if the log has anything to project. */
export const hasLog = async (postgres: Queryable): Promise<boolean> => {
  for (const statement of ['SELECT 1 FROM events LIMIT 1', 'SELECT 1 FROM persons LIMIT 1'])
    if ((await postgres.query(statement)).rows.length > 0) return true;
  return false;
};

/** True while any process ships. A process that was killed counts until its lease expires. */
export const doesShip = async (postgres: Queryable): Promise<boolean> =>
  (await postgres.query(pgSql`SELECT FROM ${shippers} LIMIT 1`)).rows.length > 0;

/**
 * Stores whether the projection is filled, and returns the identity of this PostgreSQL: a new random one when it has none yet.
 */
export const storeIdentity = async (
  client: Queryable,
  { isFilled, version }: { isFilled: boolean; version: number },
): Promise<string> => {
  const { rows } = await client.query<{ identity: string }>(
    pgSql`
      INSERT INTO projection_state AS s (id, identity, is_filled, version) VALUES (1, ${bound(randomUUID())}, ${bound(isFilled)}, ${bound(version)})
      ON CONFLICT (id) DO UPDATE SET identity = coalesce(s.identity, excluded.identity), is_filled = excluded.is_filled,
        version = greatest(s.version, excluded.version)
      RETURNING identity`,
  );
  return (rows[0] as { identity: string }).identity;
};

/** Makes the database that is marked with this generation the projection from now on, and no other one. */
export const recordGeneration = async (postgres: Queryable, generation: number): Promise<void> => {
  await postgres.query(pgSql`UPDATE projection_state SET generation = ${bound(generation)} WHERE id = 1`);
};

/** Requests all that a database without contents needs: members of cohorts, redirects, and a rebuild of the other tables. */
export const requestContents = async (client: ClientBase, now: Date): Promise<void> => {
  await enqueueMembersAndRedirects(client, now);
  await requestRebuild(client, now);
};

/** Refuses all questions until a rebuild is done. */
export const requireFilling = async (client: ClientBase): Promise<void> => {
  await client.query('UPDATE projection_state SET is_filled = false');
};

/** Marks running rebuilds as failed, because the tables into which they have copied, or their processes, are gone. */
export const giveUpRebuilds = async (
  client: ClientBase,
  now: Date,
  error = 'ClickHouse has lost its tables meanwhile',
): Promise<void> => {
  await client.query('DELETE FROM outbox_replay');
  await client.query(
    pgSql`UPDATE projection_rebuilds SET phase = 'failed', outbox_ids = NULL, finished_at = ${bound(now)}, error = ${bound(error)}
      WHERE ${unfinished} AND phase <> 'requested'`,
  );
};
