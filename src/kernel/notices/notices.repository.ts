import { type ClientBase } from 'pg';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { listFieldOf, type Notice } from './notice.entity.js';

/** An arbitrary constant, which no other user of advisory locks with two keys takes. */
const lockClass = 0x6b6f_6e6f;

const dayMs = 24 * 3_600_000;
/** Notices can be read for this long. */
export const noticeLifetimeDays = 90;
const rowsAtOnce = 5000;

/** Makes the transactions of a project that append notices wait for each other, so that ids grow in the order of commits. */
export const noticeLock = (projectId: number): PgSql =>
  pgSql`pg_advisory_xact_lock(${bound(lockClass)}, ${bound(projectId)})`;

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
  await client.query(pgSql`SELECT ${noticeLock(projectId)}`);
  const { rows } = await client.query<{ id: string }>(
    pgSql`INSERT INTO notices (project_id, type, key, data, at)
     VALUES (${bound(projectId)}, ${bound(type)}, ${bound(key)}, ${bound(JSON.stringify(data))}, ${bound(at)})
     ON CONFLICT (project_id, type, key) DO NOTHING RETURNING id`,
  );
  return rows[0]?.id ?? null;
};

/** Appends notices of one type in this order, like `appendNotice`. */
export const appendNotices = async (
  client: ClientBase,
  projectId: number,
  type: Notice['type'],
  notices: readonly Pick<Notice, 'key' | 'data'>[],
  at: Date,
): Promise<void> => {
  await client.query(pgSql`SELECT ${noticeLock(projectId)}`);
  await client.query(
    pgSql`INSERT INTO notices (project_id, type, key, data, at)
     SELECT ${bound(projectId)}, ${bound(type)}, n.key, n.data, ${bound(at)}
     FROM jsonb_array_elements(${bound(JSON.stringify(notices))}::jsonb) WITH ORDINALITY AS row (value, nth)
     CROSS JOIN LATERAL jsonb_to_record(row.value) AS n (key text, data jsonb)
     ORDER BY row.nth ON CONFLICT (project_id, type, key) DO NOTHING`,
  );
};

export type NoticeRow = Pick<Stored<Notice>, 'id' | 'type' | 'data' | 'at'>;

interface NoticesQuestion {
  readonly after: number;
  readonly types: readonly string[];
  readonly limit: number;
}

const comesInMasses = (type: string): boolean => listFieldOf(type) !== null;

/**
 * Returns the notices for the next message: the first one after an id and, where they come in masses, those of its type that
 * follow directly.
 */
export const nextNotices = async (
  reader: Queryable,
  projectId: number,
  { after, types, limit }: NoticesQuestion,
): Promise<readonly NoticeRow[]> => {
  const { rows } = await reader.query<NoticeRow>(
    pgSql`SELECT id, type, data, at FROM notices
     WHERE project_id = ${bound(projectId)} AND id > ${bound(after)} AND type = ANY (${bound(types)}::text[])
     ORDER BY id LIMIT ${bound(types.some(comesInMasses) ? limit : 1)}`.named('notices-next'),
  );
  const [first] = rows;
  if (!first || !comesInMasses(first.type)) return rows.slice(0, 1);
  const other = rows.findIndex(({ type }) => type !== first.type);
  return other < 0 ? rows : rows.slice(0, other);
};

/** Returns the notices of a message that was sent; none if they are no longer kept. */
export const findNotices = async (
  reader: Queryable,
  projectId: number,
  { type, after, to }: { readonly type: string; readonly after: number; readonly to: number },
): Promise<readonly NoticeRow[]> => {
  const { rows } = await reader.query<NoticeRow>(
    pgSql`SELECT id, type, data, at FROM notices
     WHERE project_id = ${bound(projectId)} AND id > ${bound(after)} AND id <= ${bound(to)} AND type = ${bound(type)}
     ORDER BY id`,
  );
  return rows;
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
