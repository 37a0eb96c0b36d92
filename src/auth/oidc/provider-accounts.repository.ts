import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type ProviderAccount } from './provider-account.entity.js';

/** Two first sign-ins of one account would make two users; the key is arbitrary and differs from other locks. */
const lockKey = 7_301_004;

/** The user of an account at the provider; null for an account that is not connected with any. */
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

/** Held until the transaction ends. */
export const lockConnections = async (client: ClientBase): Promise<void> => {
  await client.query(pgSql`SELECT pg_advisory_xact_lock(${bound(lockKey)})`);
};
