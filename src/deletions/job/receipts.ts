import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { type DeletionRequest } from '../deletion-request.entity.js';

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

/** Returns receipts of all projects, for operators: newest first, of one run or of all. */
export const receiptsOf = async (postgres: Queryable, run: string | null, limit: number): Promise<Receipt[]> => {
  const [runNumber, most] = [bound(run), bound(limit)];
  const { rows } = await postgres.query<Receipt>(
    pgSql`SELECT d.* FROM projects p CROSS JOIN LATERAL (
       SELECT project_id AS "projectId", id, person_id AS "personId", person_uuid AS "personUuid", state,
         created_at AS "createdAt", scheduled_for AS "scheduledFor", events_deleted AS "eventsDeleted",
         events_left AS "eventsLeft", verified_at AS "verifiedAt", error
       FROM deletion_requests WHERE project_id = p.id AND (${runNumber}::bigint IS NULL OR run = ${runNumber})
       ORDER BY created_at DESC, id DESC LIMIT ${most}
     ) d ORDER BY d."createdAt" DESC, d.id DESC LIMIT ${most}`,
  );
  return rows;
};
