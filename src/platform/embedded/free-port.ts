import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

interface PortWanted {
  /** The server that needs the port, by a name that the operator knows. */
  readonly of: string;
  /** The variable that makes this server unnecessary. */
  readonly instead: string;
  readonly preferred?: number;
}

/** Returns a port below 32768, which no outgoing connection of the machine can take while the server restarts. */
export const freePort = async ({ of, instead, preferred }: PortWanted): Promise<number> => {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between 20000 and 32767 for ${of}: free some, or set ${instead}`);
};

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
