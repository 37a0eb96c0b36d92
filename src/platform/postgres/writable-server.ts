import { type Client, type ClientConfig } from 'pg';
import { PgConnection } from './connection.js';

/** Chooses the server of a database that new connections try: the others follow it, and one of them replaces it if it fails. */
export class WritableServer {
  private at = 0;

  constructor(readonly servers: readonly URL[]) {}

  get url(): URL {
    return this.servers[this.at] as URL;
  }

  /** Moves on to the next server, unless that was done already: connections made at the same moment fail together. */
  leave(url: URL): void {
    if (this.url === url) this.at = (this.at + 1) % this.servers.length;
  }
}

const left = new WeakSet<Error>();

/** True for an error after which the next server is tried. The pool may have wrapped it as a cause. */
export const isOfServerLeft = (error: Error): boolean =>
  left.has(error) || (error.cause instanceof Error && left.has(error.cause));

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

/** A class of connections to the server that takes writes. Connecting to another server fails, and leads to the next one. */
export const connectionTo = (server: WritableServer): typeof PgConnection =>
  class extends PgConnection {
    private readonly target: URL;

    constructor(config?: string | ClientConfig) {
      const target = server.url;
      super({ ...(typeof config === 'object' ? config : {}), connectionString: target.href });
      this.target = target;
    }

    override connect(): Promise<Client>;
    override connect(done: Connected): void;
    override connect(done?: Connected): Promise<Client> | undefined {
      const connected = super.connect().then(() => this.requireWritable());
      const reported = connected.catch((error: Error) => {
        server.leave(this.target);
        left.add(error);
        throw error;
      });
      if (!done) return reported;
      reported.then(
        (client) => (done as (error: null, client: Client) => void)(null, client),
        done as (error: Error) => void,
      );
      return undefined;
    }

    private async requireWritable(): Promise<Client> {
      const answer: Promise<{ rows: { follows: boolean }[] }> = this.query('SELECT pg_is_in_recovery() AS follows');
      const { rows } = await answer;
      if (rows[0]?.follows !== true) return this;
      await this.end();
      throw Object.assign(new Error(`PostgreSQL at ${this.target.host} follows another server`), { code: '57P03' });
    }
  };
