import { type ClickHouseClient } from '@clickhouse/client';
import { type PoolOptions } from './pool.js';

/** Which cluster tables live on; null is a single server or the embedded engine. */
export interface SchemaForm {
  cluster: string | null;
}

export interface Lane extends PoolOptions {
  connections: readonly ClickHouseClient[];
}

/** Statements that must not wait for each other, each kind with its own connections. */
export interface Engine {
  description: string;
  form: SchemaForm;
  questions: Lane;
  inserts: Lane;
  commands: Lane;
  /** Questions whose answer becomes rows of a table, which may take long. */
  calculations: Lane;
  /** Only a remote server can vanish while a statement waits for it. */
  canVanish: boolean;
  alive(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}
