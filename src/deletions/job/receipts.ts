import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type DeletionRequest } from '../../kernel/deletions/deletion-request.entity.js';

export type Receipt = Readonly<
  Pick<
    DeletionRequest,
    | 'projectId'
    | 'id'
    | 'personId'
    | 'personUuid'
    | 'state'
    | 'createdAt'
    | 'scheduledFor'
    | 'eventsDeleted'
    | 'eventsLeft'
    | 'verifiedAt'
    | 'error'
  >
>;

/** Returns receipts of all projects for operators, newest first; of one run, or of all runs when `run` is null. */
export const receiptsOf = async (postgres: Queryable, run: string | null, limit: number): Promise<Receipt[]> => {
  const [runNumber, most] = [bound(run), bound(limit)];
  const { rows } = await postgres.query<Receipt>(
    pgSql`SELECT d.project_id AS "projectId", d.id, d.person_id AS "personId", d.person_uuid AS "personUuid", d.state,
       d.created_at AS "createdAt", d.scheduled_for AS "scheduledFor", d.events_deleted AS "eventsDeleted",
       d.events_left AS "eventsLeft", d.verified_at AS "verifiedAt", d.error
     FROM projects p JOIN deletion_requests d ON d.project_id = p.id
     WHERE ${runNumber}::bigint IS NULL OR d.run = ${runNumber}
     ORDER BY d.created_at DESC, d.id DESC LIMIT ${most}`,
  );
  return rows;
};
