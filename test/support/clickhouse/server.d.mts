export interface ClickHouseServer {
  /** Names no database. */
  readonly url: URL;
  /** For tests that freeze or kill the server. */
  readonly pid: number;
  close(): Promise<void>;
}

export const startClickHouseServer: (options: {
  readonly path: string;
  readonly port?: number;
  readonly password?: string;
}) => Promise<ClickHouseServer>;
