import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../../embedded/free-port.js';
import { readPrivate, writePrivate } from './private-file.js';

/** The connection of the service, stored in DATA_DIR/postgres.json for the next start, and for commands while it runs. */
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
  port: await freePort({ of: 'the embedded PostgreSQL', instead: 'DATABASE_URL', preferred: known?.port }),
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
