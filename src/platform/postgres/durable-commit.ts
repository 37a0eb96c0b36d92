import { type Pool, type PoolClient } from 'pg';
import { bound, pgSql } from './sql.js';

/**
 * Makes commits wait for the disk if the setting of role, database or server would acknowledge them earlier. A setting that waits
 * already, for this server or for further ones, stays as the operator has set it.
 *
 * Each transaction sets this itself, because a pooler may give each to another session. It is sent with BEGIN, as one message.
 */
export const durableBegin = `BEGIN;
  SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`;

/** The same for statements outside of transactions. The session of a pooler is left alone, because others use it, too. */
export const commitDurably = (pool: Pool): void => {
  pool.on('connect', (client: PoolClient & { readonly processID?: number | null }) => {
    const { text, values } = pgSql`
      SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') = 'off' AND pg_backend_pid() = ${bound(client.processID ?? 0)}`;
    // Sent before any other statement of the connection. If the connection is lost, the next statement reports it, too.
    client.query(text, values).catch(() => undefined);
  });
};
