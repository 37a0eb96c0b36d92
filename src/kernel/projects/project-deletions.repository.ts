import { type ClientBase } from 'pg';
import { type Backlog } from '../../platform/telemetry/background-runs.js';
import { backlogOf } from '../../platform/postgres/backlog.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type ProjectDeletion, type RemovedRows } from './project-deletion.entity.js';

export type OpenProjectDeletion = Readonly<
  Pick<ProjectDeletion, 'id' | 'deletedProjectId' | 'projectName' | 'state' | 'removedFromClickhouse'>
>;

const columns = pgSql`id, deleted_project_id AS "deletedProjectId", project_name AS "projectName", state,
  removed_from_clickhouse AS "removedFromClickhouse"`;

/** The deletions that have work to do: those that are not completed, and completed ones whose second look is due. */
export const openProjectDeletions = async (
  postgres: Queryable,
  secondLookUpTo: Date,
): Promise<OpenProjectDeletion[]> => {
  const { rows } = await postgres.query<OpenProjectDeletion>(
    pgSql`SELECT ${columns} FROM project_deletions
     WHERE settled_at IS NULL AND (completed_at IS NULL OR completed_at <= ${bound(secondLookUpTo)})
     ORDER BY requested_at, id`.named('project-deletions-open'),
  );
  return rows;
};

export const waitingProjectDeletions = (postgres: Queryable): Promise<Backlog> =>
  backlogOf(
    postgres,
    pgSql`SELECT requested_at AS due_at FROM project_deletions WHERE settled_at IS NULL AND completed_at IS NULL`,
  );

export const startProjectDeletion = async (client: ClientBase, id: string, now: Date): Promise<void> => {
  await client.query(
    pgSql`UPDATE project_deletions SET state = 'running', started_at = coalesce(started_at, ${bound(now)})
     WHERE id = ${bound(id)} AND completed_at IS NULL`,
  );
};

/** Call it in the transaction that removes the rows. */
export const addRemovedRows = async (client: ClientBase, id: string, table: string, rows: number): Promise<void> => {
  const name = bound(table);
  await client.query(
    pgSql`UPDATE project_deletions SET removed_from_postgresql = removed_from_postgresql || jsonb_build_object(
       ${name}::text, coalesce((removed_from_postgresql ->> ${name}::text)::bigint, 0) + ${bound(rows)}::bigint)
     WHERE id = ${bound(id)}`,
  );
};

export const recordProjectedRows = async (client: ClientBase, id: string, rows: RemovedRows): Promise<void> => {
  await client.query(
    pgSql`UPDATE project_deletions SET removed_from_clickhouse = ${bound(JSON.stringify(rows))}::jsonb WHERE id = ${bound(id)}`,
  );
};

/** Removes the row of the project. Fails while any table still refers to it. */
export const removeProjectRow = async (
  client: ClientBase,
  { id, deletedProjectId }: OpenProjectDeletion,
  now: Date,
): Promise<void> => {
  await client.query(pgSql`DELETE FROM projects WHERE id = ${bound(deletedProjectId)} AND deleted_at IS NOT NULL`);
  await client.query(
    pgSql`UPDATE project_deletions SET state = 'completed', completed_at = ${bound(now)}, verified_at = ${bound(now)}, error = NULL
     WHERE id = ${bound(id)}`,
  );
};

export const finishProjectDeletion = async (client: ClientBase, id: string, now: Date): Promise<void> => {
  await client.query(
    pgSql`UPDATE project_deletions SET settled_at = ${bound(now)}, verified_at = ${bound(now)}, error = NULL WHERE id = ${bound(id)}`,
  );
};

export const recordProjectDeletionError = async (postgres: Queryable, id: string, error: string): Promise<void> => {
  await postgres.query(pgSql`UPDATE project_deletions SET error = ${bound(error)} WHERE id = ${bound(id)}`);
};
