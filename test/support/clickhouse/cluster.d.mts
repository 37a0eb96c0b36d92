export interface ClickHouseCluster {
  /** Of the balancer; names no database. */
  readonly url: URL;
  readonly name: string;
  /** The name of another cluster: both servers as the replicas of one shard, of which the second receives no rows. */
  readonly pair: string;
  /** Kills a server, until `run` starts it again on the same ports and files. */
  stop(server: number): Promise<void>;
  run(server: number): Promise<void>;
  pid(server: number): number;
  /** When a server has last ended by itself; 0 when none has. */
  endedAt(): number;
  /** Of one server, which answers as if there were no cluster. */
  urlOf(server: number): URL;
  close(): Promise<void>;
}

export const clusterName: string;

export const startClickHouseCluster: (options?: { readonly path?: string }) => Promise<ClickHouseCluster>;
