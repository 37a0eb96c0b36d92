import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

/** A shipment that failed again and again while ClickHouse accepted others. Nothing of its project is shipped meanwhile. */
export interface ParkedShipment {
  readonly number: string;
  readonly projectId: number;
  readonly since: Date;
  readonly failures: number;
  readonly error: string;
  /** The number of events, persons and distinct ids in the shipment. */
  readonly keys: number;
}

/** The projects that have a parked shipment: nothing of them is shipped. */
export const parkedProjects: PgSql = pgSql`SELECT project_id FROM shipments WHERE parked_at IS NOT NULL AND project_id IS NOT NULL`;

export const parkedShipments = async (postgres: Queryable): Promise<ParkedShipment[]> => {
  const { rows } = await postgres.query<ParkedShipment>(
    pgSql`
      SELECT s.number, s.project_id AS "projectId", s.parked_at AS since, s.failures, coalesce(s.error, '') AS error,
        (SELECT coalesce(sum(o.size), 0)::integer FROM outbox o WHERE o.id = ANY (s.outbox_ids)) AS keys
      FROM shipments s WHERE s.parked_at IS NOT NULL ORDER BY s.number`,
  );
  return rows;
};

/** Lets the parked shipments of one project, or of all, be tried again, and returns their numbers. */
export const retryParked = async (postgres: Queryable, projectId: number | null): Promise<string[]> => {
  const project = bound(projectId);
  const { rows } = await postgres.query<{ number: string }>(
    pgSql`
      UPDATE shipments SET parked_at = NULL, failures = 0
      WHERE parked_at IS NOT NULL AND (${project}::integer IS NULL OR project_id = ${project}) RETURNING number`,
  );
  return rows.map(({ number }) => number);
};
