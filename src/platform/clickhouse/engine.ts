import { type ClickHouseClient } from '@clickhouse/client';
import { type FairPoolOptions, type Owner } from '../work/fair-pool.js';
import { type Look } from './look-at-running.js';
import { type FoundDatabase } from './schema/mark.js';

export interface SchemaForm {
  /** The cluster on which tables live; null for a single server or the embedded engine. */
  cluster: string | null;
  /** True if the engine has text indexes. */
  textIndexes: boolean;
  /** The UUIDs of tables that a server of the cluster has, by name: another server creates its own with the same. */
  uuids?: ReadonlyMap<string, string>;
}

export interface Lane extends Omit<FairPoolOptions, 'busy' | 'closed'> {
  /** How many statements run at a time. */
  size: number;
}

/** A statement whose caller has gone or whose time is over, and which the engine may still be running. */
export interface StoppedStatement {
  readonly id: string;
  readonly owner: Owner;
  readonly startedAt: number;
  /** The limit that the engine was given. */
  readonly timeoutMs: number;
  /** With placeholders in the place of values. */
  readonly text: () => string;
}

export interface RunningStatements {
  /** Stops the statement, and returns once it has ended; true when the process of the engine had to end with it. */
  untilEnded(statement: StoppedStatement): Promise<boolean>;
}

/** The kinds of statements that must not wait for each other, each with its own limit. */
export interface Engine {
  description: string;
  form: SchemaForm;
  client: ClickHouseClient;
  questions: Lane;
  inserts: Lane;
  commands: Lane;
  /** Questions whose answer becomes rows of a table, which may take long. */
  calculations: Lane;
  /** The memory limit of one question. */
  maxQuestionBytes: number;
  /** Of a heavy question beside other projects, when the engine runs on this machine; null when it has one of its own. */
  threadsOfHeavy: number | null;
  /** No other process can open the database of an embedded engine. */
  isEmbedded: boolean;
  /** Null for a server, which has an operator of its own. */
  running: RunningStatements | null;
  /** Reads the use by a running statement, and whether others keep the processors from it. */
  lookAt(id: string): Promise<Look>;
  /** True if a statement that waits for an answer may still get one. */
  isUp(timeoutMs: number): Promise<boolean>;
  answers(timeoutMs: number): Promise<boolean>;
  /** Does not wait for other statements. */
  find(timeoutMs: number): Promise<FoundDatabase>;
  createDatabase(): Promise<void>;
  close(): Promise<void>;
}
