import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { parkedProjects } from './parked-shipments.js';
import { shippers } from '../shippers.js';

/**
 * Chooses the next rows of the projects that have any, up to `maxKeys` keys in all: a project with few rows gets all of them
 * shipped, a project with many gets an equal share, and a project with an open or parked shipment gets nothing. The first row
 * is taken however large it is. Each process takes its share of the projects, first those that have waited longest, and leaves
 * the rest to the other processes.
 */
export const chooseOutboxRows = (maxKeys: number): PgSql => {
  const most = bound(maxKeys);
  return pgSql`
  WITH RECURSIVE waiting AS (
    (SELECT project_id FROM outbox ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o WHERE o.project_id > w.project_id ORDER BY o.project_id LIMIT 1)
    FROM waiting w WHERE w.project_id IS NOT NULL
  ), shippable AS (
    SELECT project_id FROM waiting WHERE project_id IS NOT NULL AND project_id NOT IN (${parkedProjects})
  ), chosen AS (
    SELECT project_id FROM shippable
    WHERE project_id NOT IN (SELECT unnest(projects) FROM shipments WHERE parked_at IS NULL)
    ORDER BY (SELECT min(o.id) FROM outbox o WHERE o.project_id = shippable.project_id)
    LIMIT (SELECT ceil(count(*) / (SELECT greatest(1, count(*)) FROM ${shippers})::numeric) FROM shippable)
  ), candidates AS (
    SELECT o.id, o.size, sum(o.size) OVER (PARTITION BY c.project_id ORDER BY o.id) - o.size AS before
    FROM chosen c
    CROSS JOIN LATERAL (
      SELECT id, size FROM outbox WHERE project_id = c.project_id ORDER BY id
      LIMIT (SELECT greatest(20, 2 * ${most}::bigint / count(*)) FROM chosen)
    ) o
  ), ranked AS (
    SELECT id, before, sum(size) OVER (ORDER BY before, id) - size AS chosen FROM candidates
  )
  SELECT o.id, o.project_id AS "projectId", o.kind, o.refs
  FROM ranked r JOIN outbox o ON o.id = r.id
  WHERE r.chosen < ${most}
  ORDER BY r.before, r.id`.named('projection-choose');
};
