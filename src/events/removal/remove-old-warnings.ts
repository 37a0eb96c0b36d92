import { type Queryable } from '../../stores/postgres/postgres.js';

const chunk = 5000;

const remove = `
  DELETE FROM ingestion_warnings WHERE project_id = $1 AND id IN (
    SELECT id FROM ingestion_warnings WHERE project_id = $1 AND created_at < $2 LIMIT ${chunk})`;

/** Warnings show what is wrong with a client now; old ones are of no use. */
export const removeOldWarnings = async (postgres: Queryable, projectId: number, before: Date): Promise<number> => {
  let removed = 0;
  for (;;) {
    const { rowCount } = await postgres.query(remove, [projectId, before]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < chunk) return removed;
  }
};
