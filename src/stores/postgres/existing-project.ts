import { type ClientBase } from 'pg';
import { notFound } from '../../common/errors/problem.js';
import { bound, pgSql, type PgSql } from './sql.js';

/**
 * The id of a project as a value in a statement: null once the project is deleted, which a column that is NOT NULL refuses. So
 * the whole transaction fails (`isOfDeletedProject`). The lock lasts until its end, and a deletion waits for it before it
 * removes anything; writers do not wait for each other. Other modules know the table only by this file.
 */
export const existingProject = (projectId: number): PgSql =>
  pgSql`(SELECT p.id FROM projects p WHERE p.id = ${bound(projectId)} AND p.deleted_at IS NULL FOR KEY SHARE)`;

/**
 * The same for events that are not compared with a quota: null also once the project has a quota of events. A quota is set
 * under a lock that waits for this one, so it knows of every transaction that did not know of it.
 */
export const projectWithoutEventQuota = (projectId: number): PgSql =>
  pgSql`(SELECT p.id FROM projects p
    WHERE p.id = ${bound(projectId)} AND p.deleted_at IS NULL AND p.quota_events_per_day IS NULL FOR KEY SHARE)`;

/** The writers of one kind of record of a project take turns from here until their transactions end. */
export const lockProject = async (client: ClientBase, projectId: number): Promise<void> => {
  const { rowCount } = await client.query(
    pgSql`SELECT 1 FROM projects WHERE id = ${bound(projectId)} AND deleted_at IS NULL FOR NO KEY UPDATE`,
  );
  if (rowCount === 0) throw notFound();
};
