import { type Pool, type PoolClient } from 'pg';
import { bound, pgSql } from './sql.js';

/**
 * Where PostgreSQL would acknowledge a commit before it is on the disk, whatever role, database or server say, the service
 * waits for the disk. A setting that waits already, for this server or for others too, stays the operator's.
 *
 * A transaction says so itself, because a pooler gives each to another session. It is sent with BEGIN, as one message.
 */
export const durableBegin = `BEGIN;
  SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`;

/** For statements outside of transactions. The session of a pooler has another process, belongs to others too, and is left alone. */
export const commitDurably = (pool: Pool): void => {
  pool.on('connect', (client: PoolClient & { readonly processID?: number | null }) => {
    const { text, values } = pgSql`
      SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') = 'off' AND pg_backend_pid() = ${bound(client.processID ?? 0)}`;
    // It is sent before any other statement of the connection. One that is lost reports it to the next statement, too.
    client.query(text, values).catch(() => undefined);
  });
};
