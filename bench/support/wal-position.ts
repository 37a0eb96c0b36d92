import { type Client } from 'pg';

/** The bytes that the write-ahead log has had so far. */
export const walPosition = async (database: Client): Promise<number> => {
  const { rows } = await database.query<{ bytes: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes`,
  );
  return Number(rows[0]?.bytes);
};
