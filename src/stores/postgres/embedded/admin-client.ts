import pg from 'pg';
import { adminName, ensureAdminPassword } from './admin.js';
import { readConnection } from './connection.js';

/** Works as the superuser of the cluster that runs in DATA_DIR, which the service does for the files of the cluster only. */
export const withAdmin = async <T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const connection = await readConnection(dataDir);
  if (!connection) throw new Error(`There is no embedded PostgreSQL in ${dataDir}`);
  const { host, port } = connection;
  const client = new pg.Client({
    ...{ host, port, user: adminName, password: await ensureAdminPassword(dataDir), database: 'postgres' },
    ...{ ssl: false, options: '', connectionTimeoutMillis: 5_000 },
  });
  // A broken connection fails the query that runs on it; the event must not also end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
