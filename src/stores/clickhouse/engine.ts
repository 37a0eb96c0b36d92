import { type ClickHouseClient } from '@clickhouse/client';
import { type FairPoolOptions } from '../../common/background/fair-pool.js';

/** Which cluster tables live on; null is a single server or the embedded engine. */
export interface SchemaForm {
  cluster: string | null;
}

export interface Lane extends Omit<FairPoolOptions, 'busy' | 'closed'> {
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
  /** The memory that one question may take. */
  maxQuestionBytes: number;
  /** Of this machine, where the engine runs on it; null where it has a machine of its own. */
  processors: number | null;
  /** Only a remote server can vanish while a statement waits for it. */
  canVanish: boolean;
  alive(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}
