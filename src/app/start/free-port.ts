import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError, type Config } from '../../platform/config/config.js';

type ListenAddress = Pick<Config, 'port' | 'host'>;

/** Listens for a moment, because a start that fails for its port must not have made a database. */
export const assertFreePort = async ({ port, host }: ListenAddress): Promise<void> => {
  if (port === 0) return;
  const server = createServer().listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw portFault({ port, host }, error);
  });
  await new Promise((resolve) => server.close(resolve));
};

export const portFault = ({ port, host }: ListenAddress, error: unknown): ConfigError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const other = code === 'EADDRNOTAVAIL' ? 'HOST' : 'PORT';
  return new ConfigError(`PORT ${port} on HOST ${host} cannot be listened on (${code}): set another ${other}`);
};
