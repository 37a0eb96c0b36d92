import pg from 'pg';
import { databaseName, userName, type Connection } from './connection.js';

/** Ensures that the server answers, and has the database of the service. */
export const ensureDatabase = async (connection: Connection): Promise<void> => {
  try {
    await clusterNameOf(connection);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '28P01')
      throw new Error(
        'The embedded PostgreSQL does not accept the password in postgres.json: restore the file that belongs to this data',
        { cause: error },
      );
    if (code === '3D000')
      throw new Error(`The embedded PostgreSQL has lost the database ${databaseName}: restore the backup of DATA_DIR`, {
        cause: error,
      });
    throw error;
  }
};

/** True if the cluster of this name answers: another server may have the port by now. */
export const answers = (connection: Connection, clusterName: string): Promise<boolean> =>
  clusterNameOf(connection).then(
    (name) => name === clusterName,
    () => false,
  );

const clusterNameOf = async ({ host, port, password }: Connection): Promise<string | undefined> => {
  const client = new pg.Client({
    ...{ host, port, password, database: databaseName, user: userName, ssl: false, options: '' },
    ...{ connectionTimeoutMillis: 5_000, query_timeout: 15_000 },
  });
  // A broken connection fails the query that runs on it; the event must not also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ cluster_name: string }>('SHOW cluster_name');
    return rows[0]?.cluster_name;
  } finally {
    await client.end();
  }
};
