import { existingProject } from '../../kernel/projects/projects.repository.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type AuditEntry } from './audit-entry.entity.js';

export type OpenEntry = Readonly<
  Pick<AuditEntry, 'projectId' | 'id' | 'userId' | 'keyId' | 'operation' | 'ids' | 'requestId' | 'createdAt'>
>;

export interface EntryEnd {
  readonly endedAt: Date;
  readonly status: number | null;
  readonly rows: number | null;
  readonly isComplete: boolean;
}

export const insertEntry = async (postgres: Queryable, entry: OpenEntry): Promise<void> => {
  const { projectId, id, userId, keyId, operation, ids, requestId, createdAt } = entry;
  await postgres.query(
    pgSql`INSERT INTO audit_trail (project_id, id, user_id, key_id, operation, ids, request_id, created_at)
      SELECT ${existingProject(projectId)}, ${bound(id)}::uuid, ${bound(userId)}::integer, ${bound(keyId)}::uuid, ${bound(operation)},
        ${bound(JSON.stringify(ids))}::jsonb, ${bound(requestId)}, ${bound(createdAt)}::timestamptz`.named(
      'audit-begin',
    ),
  );
};

export const completeEntry = async (
  postgres: Queryable,
  { projectId, id }: Pick<OpenEntry, 'projectId' | 'id'>,
  { endedAt, status, rows, isComplete }: EntryEnd,
): Promise<void> => {
  await postgres.query(
    pgSql`UPDATE audit_trail SET ended_at = ${bound(endedAt)}, status = ${bound(status)}, rows = ${bound(rows)},
        is_complete = ${bound(isComplete)}
      WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`.named('audit-end'),
  );
};

export const auditRetentionMs = 90 * 86_400_000;

const chunk = 5000;

/** Removes old entries, oldest first, a chunk at a time. */
export const removeOldEntries = async (postgres: Queryable, projectId: number, before: Date): Promise<void> => {
  const project = bound(projectId);
  for (;;) {
    const { rowCount } = await postgres.query(
      pgSql`DELETE FROM audit_trail WHERE project_id = ${project} AND id IN (
        SELECT id FROM audit_trail WHERE project_id = ${project} AND created_at < ${bound(before)}
        ORDER BY id LIMIT ${bound(chunk)})`,
    );
    if ((rowCount ?? 0) < chunk) return;
  }
};
