import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

/** A shipment that failed again and again while ClickHouse took others. Nothing of its project is shipped meanwhile. */
export interface ParkedShipment {
  readonly number: string;
  readonly projectId: number;
  readonly since: Date;
  readonly failures: number;
  readonly error: string;
  /** Events, persons and distinct ids in it. */
  readonly keys: number;
}

/** The projects of which nothing is shipped. */
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

/** Lets parked shipments be tried again, of one project or of all, and returns their numbers. */
export const retryParked = async (postgres: Queryable, projectId: number | null): Promise<string[]> => {
  const project = bound(projectId);
  const { rows } = await postgres.query<{ number: string }>(
    pgSql`
      UPDATE shipments SET parked_at = NULL, failures = 0
      WHERE parked_at IS NOT NULL AND (${project}::integer IS NULL OR project_id = ${project}) RETURNING number`,
  );
  return rows.map(({ number }) => number);
};
