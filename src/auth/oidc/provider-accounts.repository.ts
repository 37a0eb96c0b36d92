import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type ProviderAccount } from './provider-account.entity.js';

/**
 * The key of the advisory lock under which accounts are connected, because two simultaneous first sign-ins would make two users.
 * The number is arbitrary, but no other lock has it.
 */
const lockKey = 7_301_004;

/** Returns the user who is connected with an account at the provider; null when there is none. */
export const connectedUser = async (
  client: ClientBase,
  { issuer, subject }: Pick<ProviderAccount, 'issuer' | 'subject'>,
): Promise<number | null> => {
  const { rows } = await client.query<{ user_id: number }>(
    pgSql`SELECT user_id FROM provider_accounts WHERE issuer = ${bound(issuer)} AND subject = ${bound(subject)}`,
  );
  return rows[0]?.user_id ?? null;
};

export const hasAccountAt = async (client: ClientBase, userId: number, issuer: string): Promise<boolean> => {
  const { rows } = await client.query(
    pgSql`SELECT 1 FROM provider_accounts WHERE user_id = ${bound(userId)} AND issuer = ${bound(issuer)}`,
  );
  return rows.length > 0;
};

export const insertProviderAccount = async (client: ClientBase, account: ProviderAccount): Promise<void> => {
  await client.query(pgSql`
    INSERT INTO provider_accounts (issuer, subject, user_id, connected_at)
    VALUES (${bound(account.issuer)}, ${bound(account.subject)}, ${bound(account.userId)}, ${bound(account.connectedAt)})`);
};

/** Takes a lock that is held until the transaction ends. */
export const lockConnections = async (client: ClientBase): Promise<void> => {
  await client.query(pgSql`SELECT pg_advisory_xact_lock(${bound(lockKey)})`);
};
