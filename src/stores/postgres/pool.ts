import { type Pool, type PoolClient } from 'pg';

const heard = new WeakSet<PoolClient>();

/**
 * A connection that dies while it is in use reports it twice: to the next statement, which handles it, and as an event,
 * which ends the process when it has no listener.
 */
export const surviveLostConnections = (pool: Pool): void => {
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => undefined);
  });
};
