import pg from 'pg';
import { databaseName, userName, type Connection } from './connection.js';

/** The server answers and holds the service's database. */
export const ensureDatabase = async (connection: Connection): Promise<void> => {
  try {
    await withClient(connection, databaseName, (client) => client.query('SELECT 1'));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '28P01') {
      throw new Error(
        'The embedded PostgreSQL does not accept the password in postgres.json: restore the file that belongs to this data',
        {
          cause: error,
        },
      );
    }
    if (code !== '3D000') throw error;
    await withClient(connection, 'postgres', (client) => client.query(`CREATE DATABASE ${databaseName}`));
  }
};

/** Whether that cluster answers there; the port may by now be another server's. */
export const answers = async (connection: Connection, clusterName: string): Promise<boolean> => {
  try {
    const found = await withClient(connection, databaseName, (client) =>
      client.query<{ cluster_name: string }>('SHOW cluster_name'),
    );
    return found.rows[0]?.cluster_name === clusterName;
  } catch {
    return false;
  }
};

const withClient = async <T>(
  { host, port, password }: Connection,
  database: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({
    ...{ host, port, password, database, user: userName, ssl: false, options: '' },
    ...{ connectionTimeoutMillis: 5_000, query_timeout: 15_000 },
  });
  // A connection that breaks fails the query that runs on it; the event must not end the process besides.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
};
