import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { randomBase62 } from '../../platform/values/random-token.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type User } from './user.entity.js';

/** The fields of a user that are needed for signing in. */
export type UserAccount = Pick<
  User,
  'id' | 'uuid' | 'email' | 'isEmailVerified' | 'firstName' | 'lastName' | 'passwordHash' | 'isOwner'
>;

const columns = pgSql`
  id, uuid, email, is_email_verified AS "isEmailVerified", first_name AS "firstName", last_name AS "lastName",
  password_hash AS "passwordHash", is_owner AS "isOwner"`;

/** Finds a user by e-mail, in capital or small letters. */
export const findAccount = async (client: Queryable, email: string): Promise<UserAccount | null> => {
  const { rows } = await client.query<UserAccount>(
    pgSql`SELECT ${columns} FROM users WHERE lower(email) = lower(${bound(email)})`,
  );
  return rows[0] ?? null;
};

/** Locks a user. Every change of the user, of the user's roles and of the user's keys holds this lock. */
export const lockAccount = async (client: ClientBase, id: number): Promise<UserAccount | null> => {
  const { rows } = await client.query<UserAccount>(
    pgSql`SELECT ${columns} FROM users WHERE id = ${bound(id)} FOR NO KEY UPDATE`,
  );
  return rows[0] ?? null;
};

export const setPassword = async (client: ClientBase, id: number, hash: string): Promise<void> => {
  await client.query(pgSql`UPDATE users SET password_hash = ${bound(hash)} WHERE id = ${bound(id)}`);
};

export const setEmailVerified = async (client: ClientBase, id: number): Promise<void> => {
  await client.query(pgSql`UPDATE users SET is_email_verified = true WHERE id = ${bound(id)}`);
};

interface NewAccount {
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly passwordHash?: string | null;
  readonly isOwner?: boolean | undefined;
  readonly madeByKey?: string | null;
  /** True if the provider of single sign-on says that the e-mail belongs to the user. */
  readonly isEmailVerified?: boolean;
}

/** Returns the id of the new user. An e-mail that another user has is a conflict. */
export const insertUser = async (client: Queryable, user: NewAccount, now: Date): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(pgSql`
    INSERT INTO users (uuid, distinct_id, first_name, last_name, email, is_email_verified, hedgehog_config, created_at,
      password_hash, is_owner, made_by_key)
    VALUES (${bound(uuidv7())}, ${bound(randomBase62(22))}, ${bound(user.firstName ?? user.email.split('@')[0] ?? '')},
      ${bound(user.lastName ?? '')}, ${bound(user.email)}, ${bound(user.isEmailVerified ?? false)},
      '{}', ${bound(now)},
      ${bound(user.passwordHash ?? null)}, ${bound(user.isOwner ?? false)}, ${bound(user.madeByKey ?? null)})
    RETURNING id`);
  return rows[0]?.id ?? 0;
};

export interface AccountChanges {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly isOwner?: boolean | undefined;
  readonly madeByKey?: string | undefined;
}

/** Updates the given fields only. */
export const updateUser = async (client: ClientBase, id: number, changes: AccountChanges): Promise<void> => {
  await client.query(pgSql`
    UPDATE users SET first_name = coalesce(${bound(changes.firstName ?? null)}, first_name),
      last_name = coalesce(${bound(changes.lastName ?? null)}, last_name),
      is_owner = coalesce(${bound(changes.isOwner ?? null)}, is_owner),
      made_by_key = coalesce(${bound(changes.madeByKey ?? null)}, made_by_key)
    WHERE id = ${bound(id)}`);
};

/** Locks the owners of the installation, so that two requests cannot remove the last two of them at the same time. */
export const lockOwners = async (client: ClientBase): Promise<number[]> => {
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT id FROM users WHERE is_owner ORDER BY id FOR NO KEY UPDATE`,
  );
  return rows.map(({ id }) => id);
};

export const deleteUser = async (client: ClientBase, id: number): Promise<void> => {
  await client.query(pgSql`DELETE FROM users WHERE id = ${bound(id)}`);
};

export const hasProviderAccount = async (client: Queryable, userId: number): Promise<boolean> => {
  const { rows } = await client.query(pgSql`SELECT 1 FROM provider_accounts WHERE user_id = ${bound(userId)} LIMIT 1`);
  return rows.length > 0;
};

/** Returns the number of removed accounts. */
export const deleteProviderAccounts = async (client: ClientBase, userId: number): Promise<number> => {
  const { rowCount } = await client.query(pgSql`DELETE FROM provider_accounts WHERE user_id = ${bound(userId)}`);
  return rowCount ?? 0;
};
