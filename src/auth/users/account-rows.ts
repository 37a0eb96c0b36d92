import { type ClientBase } from 'pg';
import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { type User } from './user.entity.js';

/** What signing in needs to know of a user. */
export type Account = Pick<User, 'id' | 'uuid' | 'email' | 'firstName' | 'lastName' | 'passwordHash' | 'isOwner'>;

const columns = pgSql`
  id, uuid, email, first_name AS "firstName", last_name AS "lastName", password_hash AS "passwordHash",
  is_owner AS "isOwner"`;

/** Spelling in capitals or small letters makes no other account. */
export const findAccount = async (client: Queryable, email: string): Promise<Account | null> => {
  const { rows } = await client.query<Account>(
    pgSql`SELECT ${columns} FROM users WHERE lower(email) = lower(${bound(email)})`,
  );
  return rows[0] ?? null;
};

/** Every change of a user, of the user's roles and of the user's keys holds this lock. */
export const lockAccount = async (client: ClientBase, id: number): Promise<Account | null> => {
  const { rows } = await client.query<Account>(
    pgSql`SELECT ${columns} FROM users WHERE id = ${bound(id)} FOR NO KEY UPDATE`,
  );
  return rows[0] ?? null;
};

export const setPassword = async (client: ClientBase, id: number, hash: string): Promise<void> => {
  await client.query(pgSql`UPDATE users SET password_hash = ${bound(hash)} WHERE id = ${bound(id)}`);
};
