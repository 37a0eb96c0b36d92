import { randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readPrivate, writePrivate } from './private-file.js';

/** Stored in DATA_DIR/postgres.json for the next start, and for a command beside the running service. */
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

export const readConnection = (dataDir: string): Promise<Connection | null> =>
  readPrivate<Connection>(connectionFile(dataDir), ({ host, port, password }) => {
    const complete = typeof host === 'string' && Number.isInteger(port) && typeof password === 'string' && password;
    return complete ? { host, port: Number(port), password } : null;
  });

export const writeConnection = (dataDir: string, connection: Connection): Promise<void> =>
  writePrivate(connectionFile(dataDir), connection);

/** Returns a port below 32768, which no outgoing connection of the machine can take while the server restarts. */
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
