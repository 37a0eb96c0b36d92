import { type ClientBase } from 'pg';
import { type Slice } from '../../platform/http/page.dto.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Session } from './session.entity.js';

export type SessionRow = Omit<Session, 'digest'>;

const columns = pgSql`
  id, user_id AS "userId", address, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt",
  expires_at AS "expiresAt"`;

/** A further session ends the session that was used least recently. */
export const maxSessionsPerUser = 100;

export const insertSession = async (client: ClientBase, session: Session): Promise<void> => {
  await client.query(pgSql`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ${bound(session.userId)}
      ORDER BY last_seen_at DESC, id DESC OFFSET ${bound(maxSessionsPerUser - 1)})`);
  await client.query(pgSql`
    INSERT INTO sessions (id, user_id, digest, address, user_agent, created_at, last_seen_at, expires_at)
    VALUES (${bound(session.id)}, ${bound(session.userId)}, ${bound(session.digest)}, ${bound(session.address)},
      ${bound(session.userAgent)}, ${bound(session.createdAt)}, ${bound(session.lastSeenAt)}, ${bound(session.expiresAt)})`);
};

/** Returns the sessions of a user that have not ended, newest first. */
export const sessionsOf = async (
  postgres: Queryable,
  userId: number,
  now: Date,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Slice<SessionRow>> => {
  const valid = pgSql`FROM sessions WHERE user_id = ${bound(userId)} AND expires_at > ${bound(now)}`;
  const [{ rows }, { rows: counted }] = await Promise.all([
    postgres.query<SessionRow>(
      pgSql`SELECT ${columns} ${valid} ORDER BY created_at DESC, id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
    ),
    postgres.query<{ count: string }>(pgSql`SELECT count(*) ${valid}`),
  ]);
  return { count: Number(counted[0]?.count), results: rows };
};

/** Returns the time at which the user signed in; null when the session no longer exists. */
export const openingOf = async (postgres: Queryable, id: string): Promise<Date | null> => {
  const { rows } = await postgres.query<{ created_at: Date }>(
    pgSql`SELECT created_at FROM sessions WHERE id = ${bound(id)}`,
  );
  return rows[0]?.created_at ?? null;
};

/** Deletes sessions. Returns those that had not expired yet. */
export const deleteSessions = async (client: ClientBase, which: PgSql, now: Date): Promise<SessionRow[]> => {
  const { rows } = await client.query<SessionRow>(pgSql`DELETE FROM sessions WHERE ${which} RETURNING ${columns}`);
  return rows.filter(({ expiresAt }) => expiresAt > now);
};

export const deleteExpired = async (postgres: Queryable, now: Date): Promise<void> => {
  await postgres.query(pgSql`DELETE FROM sessions WHERE expires_at <= ${bound(now)}`);
};
