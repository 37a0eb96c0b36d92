import { type Cost } from '../../platform/clickhouse/costs.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

const hourMs = 3_600_000;
const readHours = 24;

/** Returns the start of the hour of a moment, minus some hours. */
const hourOf = (moment: Date, hoursBefore = 0): Date =>
  new Date((Math.floor(moment.getTime() / hourMs) - hoursBefore) * hourMs);

/**
 * Adds costs to the present hour, without those of deleted projects. Rows are written in the order of their keys, so that
 * processes do not deadlock.
 */
export const addCostsSql = (costs: ReadonlyMap<number, Cost>, now: Date): PgSql => {
  const ordered = [...costs].sort(([a], [b]) => a - b);
  const column = (of: (cost: Cost) => number) => bound(ordered.map(([, cost]) => of(cost)));
  return pgSql`INSERT INTO project_costs AS c (project_id, hour, statements, cpu_seconds, read_rows, read_bytes)
    SELECT new.project_id, ${bound(hourOf(now))}, new.statements, new.cpu_ms / 1000, new.read_rows, new.read_bytes
    FROM unnest(${bound(ordered.map(([id]) => id))}::integer[], ${column(({ statements }) => statements)}::bigint[],
      ${column(({ cpuMs }) => cpuMs)}::double precision[], ${column(({ readRows }) => readRows)}::bigint[],
      ${column(({ readBytes }) => readBytes)}::bigint[]) AS new (project_id, statements, cpu_ms, read_rows, read_bytes)
      JOIN projects p ON p.id = new.project_id AND p.deleted_at IS NULL
    ORDER BY 1
    ON CONFLICT (project_id, hour) DO UPDATE SET statements = c.statements + EXCLUDED.statements,
      cpu_seconds = c.cpu_seconds + EXCLUDED.cpu_seconds, read_rows = c.read_rows + EXCLUDED.read_rows,
      read_bytes = c.read_bytes + EXCLUDED.read_bytes`;
};

export const forgetCostsSql = (now: Date): PgSql =>
  pgSql`DELETE FROM project_costs WHERE hour < ${bound(hourOf(now, readHours))}`;

/** Selects the costs of the present hour and the 23 hours before. Null stands for all projects. */
export const costsSql = (projectIds: readonly number[] | null, now: Date): PgSql => pgSql`
  SELECT p.id AS project_id, p.name AS project_name, sum(c.statements)::double precision AS statements,
    sum(c.cpu_seconds) AS cpu_seconds, sum(c.read_rows)::double precision AS read_rows,
    sum(c.read_bytes)::double precision AS read_bytes
  FROM projects p JOIN project_costs c ON c.project_id = p.id
  WHERE p.deleted_at IS NULL AND c.hour > ${bound(hourOf(now, readHours))} AND c.hour <= ${bound(now)}
    AND (${bound(projectIds)}::integer[] IS NULL OR p.id = ANY (${bound(projectIds)}::integer[]))
  GROUP BY p.id, p.name ORDER BY cpu_seconds DESC, p.id`;
