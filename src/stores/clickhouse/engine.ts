import { type ClickHouseClient } from '@clickhouse/client';
import { type FairPoolOptions } from '../../common/background/fair-pool.js';
import { type LostContents } from './lost-contents.js';
import { type BindingRoom } from './sql.js';

export interface SchemaForm {
  /** The cluster on which tables live; null for a single server or the embedded engine. */
  cluster: string | null;
  /** Whether the engine has text indexes. */
  textIndexes: boolean;
  /** The UUIDs of tables that a server of the cluster has, by name: another server creates its own with the same. */
  uuids?: ReadonlyMap<string, string>;
}

export interface Lane extends Omit<FairPoolOptions, 'busy' | 'closed'> {
  connections: readonly ClickHouseClient[];
}

/** The kinds of statements that must not wait for each other, each with its own connections. */
export interface Engine {
  description: string;
  form: SchemaForm;
  questions: Lane;
  inserts: Lane;
  commands: Lane;
  /** Questions whose answer becomes rows of a table, which may take long. */
  calculations: Lane;
  /** Null where every value of a statement can be bound, whatever its length. */
  bindingRoom: BindingRoom | null;
  /** The memory limit of one question. */
  maxQuestionBytes: number;
  /** The processors of this machine when the engine runs on it; null when the engine has a machine of its own. */
  processors: number | null;
  /** Only a remote server can become unreachable while a statement waits for it. */
  canVanish: boolean;
  /** What the folder of an embedded engine may have lost; null for a server, whose operator looks after it. */
  contents: LostContents | null;
  alive(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}
