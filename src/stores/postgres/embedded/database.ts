import pg from 'pg';
import { ensureAdminPassword } from './admin.js';
import { databaseName, userName, type Connection } from './connection.js';
import { isInitialSuperuser, replaceSuperuser } from './service-role.js';

/** Ensures that the server answers and that the service's role, which is not a superuser, owns its database. */
export const ensureDatabase = async (connection: Connection, dataDir: string): Promise<void> => {
  const check = () => withClient(connection, databaseName, (client) => ensurePlainRole(client, connection, dataDir));
  try {
    await check();
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
    await createInEarlierCluster(connection);
    await check();
  }
};

const ensurePlainRole = async (client: pg.Client, { password }: Connection, dataDir: string): Promise<void> => {
  if (!(await isInitialSuperuser(client))) return;
  await replaceSuperuser(client, { service: password, admin: await ensureAdminPassword(dataDir) });
};

/** Earlier releases created the database after the first start of the server, which may have been killed in between. */
const createInEarlierCluster = (connection: Connection): Promise<void> =>
  withClient(connection, 'postgres', async (client) => {
    if (!(await isInitialSuperuser(client))) {
      throw new Error(`The embedded PostgreSQL has lost the database ${databaseName}: restore the backup of DATA_DIR`);
    }
    await client.query(`CREATE DATABASE ${databaseName}`);
  });

/** Whether that cluster answers there; the port may belong to another server by now. */
export const answers = async (connection: Connection, clusterName: string): Promise<boolean> => {
  try {
    return await withClient(connection, databaseName, async (client) => {
      const { rows } = await client.query<{ cluster_name: string }>('SHOW cluster_name');
      // Before the service's role is replaced, objects created by a command would belong to the superuser.
      return rows[0]?.cluster_name === clusterName && !(await isInitialSuperuser(client));
    });
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
  // A broken connection fails the query that runs on it; the event must not also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
};
