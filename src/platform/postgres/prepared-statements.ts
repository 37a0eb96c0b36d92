import { randomUUID } from 'node:crypto';
import { type Pool, type PoolClient } from 'pg';

/** The codes for a prepared statement that is unknown or exists already, because another client has used the session. */
export const mixedUpStatements: ReadonlySet<string> = new Set(['26000', '42P05']);

const tries = 3;

type Client = PoolClient & { readonly processID?: number | null };

/**
 * Fails with one of these codes if a pooler gives one session of the server to several clients, and does not know which of them
 * has prepared a statement. Without a pooler it sends only one statement.
 */
export const assertPreparedStatements = async (pool: Pool): Promise<void> => {
  const one: Client = await pool.connect();
  let other: Client | undefined;
  try {
    if ((await sessionOf(one)) === one.processID) return;
    other = await pool.connect();
    for (let n = 0; n < tries; n += 1) {
      const name = `pooler-${randomUUID()}`;
      // If the same session answers both, the pooler keeps the statements of its clients apart.
      if ((await sessionOf(one, name)) === (await sessionOf(other, name))) return;
    }
  } finally {
    // Prepared statements end with their connections.
    one.release(other !== undefined);
    other?.release(true);
  }
};

const sessionOf = async (client: Client, name?: string): Promise<number | undefined> => {
  const { rows } = await client.query<{ pid: number }>({ name, text: 'SELECT pg_backend_pid() AS pid' });
  return rows[0]?.pid;
};
