import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

const chunk = 5000;

const deleteChunk = (projectId: number, before: Date): PgSql => {
  const project = bound(projectId);
  return pgSql`
    DELETE FROM ingestion_warnings WHERE project_id = ${project} AND id IN (
      SELECT id FROM ingestion_warnings WHERE project_id = ${project} AND created_at < ${bound(before)} LIMIT ${bound(chunk)})`;
};

/** Warnings show what is wrong with a client now, so old warnings are of no use. */
export const removeOldWarnings = async (postgres: Queryable, projectId: number, before: Date): Promise<number> => {
  let removed = 0;
  for (;;) {
    const { rowCount } = await postgres.query(deleteChunk(projectId, before));
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < chunk) return removed;
  }
};
