export interface ClickHouseServer {
  /** Names no database. */
  readonly url: URL;
  /** For tests that freeze or kill the server. */
  readonly pid: number;
  readonly exited: Promise<unknown>;
  close(): Promise<void>;
}

/** What makes a server one shard of a cluster. */
export interface Shard {
  /** Of the interface for other servers. */
  readonly port: number;
  /** Parts of the two configuration files, as XML. */
  readonly settings: string;
  readonly profile: string;
}

export const startClickHouseServer: (options: {
  readonly path: string;
  readonly port?: number;
  readonly password?: string;
  /** Of the user with the password. */
  readonly isReadOnly?: boolean;
  /** Parts of the configuration file, as XML. */
  readonly settings?: string;
  readonly shard?: Shard;
  readonly env?: Readonly<Record<string, string>>;
}) => Promise<ClickHouseServer>;

export const freePort: () => Promise<number>;
