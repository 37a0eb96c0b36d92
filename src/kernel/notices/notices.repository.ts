import { type ClientBase } from 'pg';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Notice } from './notice.entity.js';

/** An arbitrary constant, which no other user of advisory locks with two keys takes. */
const lockClass = 0x6b6f_6e6f;

const dayMs = 24 * 3_600_000;
/** Notices can be read for this long. */
export const noticeLifetimeDays = 90;
const rowsAtOnce = 5000;

export type NewNotice = Pick<Notice, 'type' | 'key' | 'data' | 'at'>;

/**
 * Appends a notice in the transaction of the caller, unless there is one of this type about the same event. Other transactions
 * of the project that append wait until this one ends, so that ids grow in the order of commits: call it last. Returns the id of
 * the notice; null if there was one.
 */
export const appendNotice = async (
  client: ClientBase,
  { id: projectId }: { readonly id: number },
  { type, key, data, at }: NewNotice,
): Promise<string | null> => {
  await client.query(pgSql`SELECT pg_advisory_xact_lock(${bound(lockClass)}, ${bound(projectId)})`);
  const { rows } = await client.query<{ id: string }>(
    pgSql`INSERT INTO notices (project_id, type, key, data, at)
     VALUES (${bound(projectId)}, ${bound(type)}, ${bound(key)}, ${bound(JSON.stringify(data))}, ${bound(at)})
     ON CONFLICT (project_id, type, key) DO NOTHING RETURNING id`,
  );
  return rows[0]?.id ?? null;
};

export type NoticeRow = Pick<Stored<Notice>, 'id' | 'type' | 'data' | 'at'>;

/** Returns the first notice of these types after an id; null if there is none. */
export const nextNotice = async (
  reader: Queryable,
  projectId: number,
  after: number,
  types: readonly string[],
): Promise<NoticeRow | null> => {
  const { rows } = await reader.query<NoticeRow>(
    pgSql`SELECT id, type, data, at FROM notices
     WHERE project_id = ${bound(projectId)} AND id > ${bound(after)} AND type = ANY (${bound(types)}::text[])
     ORDER BY id LIMIT 1`.named('notices-next'),
  );
  return rows[0] ?? null;
};

/** Returns a notice; null if it is no longer kept. */
export const findNotice = async (reader: Queryable, projectId: number, id: number): Promise<NoticeRow | null> => {
  const { rows } = await reader.query<NoticeRow>(
    pgSql`SELECT id, type, data, at FROM notices WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
  return rows[0] ?? null;
};

/** Removes notices that are no longer read. */
export const forgetOldNotices = async (postgres: Postgres, now: Date): Promise<void> => {
  const before = bound(new Date(now.getTime() - noticeLifetimeDays * dayMs));
  let removed: number;
  do {
    const { rowCount } = await postgres.query(
      pgSql`DELETE FROM notices AS n
       USING (SELECT project_id, id FROM notices WHERE at < ${before} ORDER BY at LIMIT ${bound(rowsAtOnce)}) AS old
       WHERE n.project_id = old.project_id AND n.id = old.id`,
    );
    removed = rowCount ?? 0;
  } while (removed === rowsAtOnce);
};
