import { randomBytes, randomInt } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

/** Kept in DATA_DIR/postgres.json for the next start, and for a command beside the running service. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

export const databaseName = 'kohort';
export const userName = 'kohort';

export const connectionUrl = ({ host, port, password }: Connection): URL =>
  new URL(`postgres://${userName}:${password}@${host}:${port}/${databaseName}`);

export const newConnection = async (known: Connection | null): Promise<Connection> => ({
  host: '127.0.0.1',
  port: await freePort(known?.port),
  password: known?.password ?? randomBytes(24).toString('base64url'),
});

const connectionFile = (dataDir: string): string => join(dataDir, 'postgres.json');

export const readConnection = async (dataDir: string): Promise<Connection | null> => {
  const text = await readFile(connectionFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const parsed = parse(text);
  if (!parsed) throw new Error(`${connectionFile(dataDir)} is damaged: restore it from the backup of DATA_DIR`);
  return parsed;
};

const parse = (text: string): Connection | null => {
  try {
    const { host, port, password } = JSON.parse(text) as Partial<Connection>;
    const complete = typeof host === 'string' && Number.isInteger(port) && typeof password === 'string' && password;
    return complete ? { host, port: Number(port), password } : null;
  } catch {
    return null;
  }
};

/** On disk before it returns: a cluster whose password is lost cannot be opened. */
export const writeConnection = async (dataDir: string, connection: Connection): Promise<void> => {
  const file = connectionFile(dataDir);
  const draft = await open(`${file}.draft`, 'w', 0o600);
  try {
    await draft.chmod(0o600);
    await draft.writeFile(`${JSON.stringify(connection)}\n`);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.draft`, file);
  await syncFolder(dirname(file));
};

export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Below 32768, where no outgoing connection of the machine can take it while the server restarts. */
const freePort = async (preferred: number | undefined): Promise<number> => {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port between 20000 and 32767 for the embedded PostgreSQL: free some, or set DATABASE_URL');
};

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
