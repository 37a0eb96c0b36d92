import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { readConnection } from './connection.js';
import { readPrivate, writePrivate } from './private-file.js';

/** The superuser, stored in DATA_DIR/postgres.admin.json for operators. The service connects with it only in `withAdmin`. */
interface Admin {
  readonly user: string;
  readonly password: string;
}

/** The role that initdb creates. PostgreSQL never lets it lose SUPERUSER, so the service has a role of its own. */
export const adminName = 'kohort_admin';

/** Returns the password of the superuser. It is on disk before a server uses it. */
export const ensureAdminPassword = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, 'postgres.admin.json');
  const known = await readPrivate<Admin>(file, ({ user, password }) =>
    typeof user === 'string' && typeof password === 'string' && password ? { user, password } : null,
  );
  if (known) return known.password;
  const admin: Admin = { user: adminName, password: randomBytes(24).toString('base64url') };
  await writePrivate(file, admin);
  return admin.password;
};

/** Works as the superuser of the cluster that runs in DATA_DIR. The service needs this only to copy the files of the cluster. */
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
