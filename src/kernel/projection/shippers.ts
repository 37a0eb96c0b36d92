import { randomUUID } from 'node:crypto';
import { type ClientBase } from 'pg';
import { forgetLeases, holdStill, isHeldUntil, Lease, type LeaseOptions } from '../../platform/postgres/lease.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { pgSql, type PgSql } from '../../platform/postgres/sql.js';

const prefix = 'shipper ';

/** Every process that ships has a lease of its own. When it expires, another process delivers the shipments of this one. */
export const shipperLease = (postgres: Queryable, options: LeaseOptions = {}): Lease =>
  new Lease(postgres, prefix + randomUUID(), options);

/** The leases of the processes that ship. */
export const shippers: PgSql = pgSql`leases WHERE name LIKE 'shipper %' AND ${isHeldUntil(pgSql`expires_at`)}`;

/** Removes the leases of processes that ended without releasing them; with `sole`, those of all processes. */
export const forgetDeadShippers = (postgres: Queryable, sole: boolean): Promise<void> =>
  forgetLeases(postgres, { prefix, expiredForMs: sole ? null : 3_600_000 });

/** Lets no process begin or complete a shipment until the end of the client's transaction. */
export const holdShipping = (client: ClientBase): Promise<void> => holdStill(client, 'shipping');
