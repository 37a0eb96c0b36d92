import { type Pool, type PoolClient } from 'pg';
import { type DataSource } from 'typeorm';

/** The driver's own pool, for hot paths that want prepared statements by name. TypeORM types it as any. */
export const pgPool = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { master: Pool }).master;

const heard = new WeakSet<PoolClient>();

/**
 * A connection that dies while it is in use reports that twice: to the next statement, which is where it matters, and as
 * an event, which ends the process when it has no listener.
 */
export const surviveLostConnections = (pool: Pool): void => {
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => undefined);
  });
};
