import { type ClickHouseServer } from './server.mjs';

export interface ClickHouseCluster {
  /** Of the balancer; names no database. */
  readonly url: URL;
  readonly name: string;
  readonly servers: readonly ClickHouseServer[];
  restart(server: number): Promise<void>;
  close(): Promise<void>;
}

export const clusterName: string;

export const startClickHouseCluster: (options: { readonly path: string }) => Promise<ClickHouseCluster>;
