/**
 * The next rows of every project that has any, cut at $1 keys in all: who has few gets everything shipped, who has many
 * gets an equal share. The first row is taken however large it is.
 */
export const chooseOutboxRows = `
  WITH RECURSIVE waiting AS (
    (SELECT project_id FROM outbox ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o WHERE o.project_id > w.project_id ORDER BY o.project_id LIMIT 1)
    FROM waiting w WHERE w.project_id IS NOT NULL
  ), candidates AS (
    SELECT o.id, o.size, sum(o.size) OVER (PARTITION BY w.project_id ORDER BY o.id) - o.size AS before
    FROM waiting w
    CROSS JOIN LATERAL (
      SELECT id, size FROM outbox WHERE project_id = w.project_id ORDER BY id
      LIMIT (SELECT greatest(20, 2 * $1::bigint / count(*)) FROM waiting)
    ) o
    WHERE w.project_id IS NOT NULL
  ), ranked AS (
    SELECT id, before, sum(size) OVER (ORDER BY before, id) - size AS chosen FROM candidates
  )
  SELECT o.id, o.project_id AS "projectId", o.kind, o.refs
  FROM ranked r JOIN outbox o ON o.id = r.id
  WHERE r.chosen < $1
  ORDER BY r.before, r.id`;
