import { type HttpClient } from './http-client.js';
import { type FairPoolOptions, type Owner } from '../work/fair-pool.js';
import { type Look } from './look-at-running.js';
import { type FoundDatabase } from './schema/mark.js';

export interface SchemaForm {
  /** The cluster that has the tables; null for a single server or the embedded engine. */
  cluster: string | null;
  /** True if the engine has text indexes. */
  textIndexes: boolean;
  /** The UUIDs of the tables that a server of the cluster has, by name. Other servers create their tables with the same UUIDs. */
  uuids?: ReadonlyMap<string, string>;
}

export interface Lane extends Omit<FairPoolOptions, 'busy' | 'closed'> {
  /** How many statements run at a time. */
  size: number;
}

/** A statement that the engine may still be running although its caller has left or its time is over. */
export interface StoppedStatement {
  readonly id: string;
  readonly owner: Owner;
  readonly startedAt: number;
  /** The limit that the engine was given. */
  readonly timeoutMs: number;
  /** The text with placeholders in place of values. */
  readonly text: () => string;
}

export interface RunningStatements {
  /** Stops the statement, and returns once it has ended; true when the process of the engine had to end with it. */
  untilEnded(statement: StoppedStatement): Promise<boolean>;
}

/** A ClickHouse, embedded or a server. Each kind of statement has its own limit, so that kinds do not wait for each other. */
export interface Engine {
  description: string;
  form: SchemaForm;
  client: HttpClient;
  questions: Lane;
  inserts: Lane;
  commands: Lane;
  /** Questions whose answer becomes rows of a table, which may take long. */
  calculations: Lane;
  /** The memory limit of one question. */
  maxQuestionBytes: number;
  /** The threads of a heavy question while other projects are active; null for an engine on a machine of its own. */
  threadsOfHeavy: number | null;
  /** True for the embedded engine, whose database no other process can open. */
  isEmbedded: boolean;
  /** Ends statements that cannot be stopped otherwise. Null for a server, which has an operator of its own. */
  running: RunningStatements | null;
  /** Reads the use by a running statement, and whether others keep the processors from it. */
  lookAt(id: string): Promise<Look>;
  /** True if a statement that waits for an answer may still get one. */
  isUp(timeoutMs: number): Promise<boolean>;
  answers(timeoutMs: number): Promise<boolean>;
  /** Does not wait for other statements. */
  find(timeoutMs: number): Promise<FoundDatabase>;
  createDatabase(): Promise<void>;
  close(): void | Promise<void>;
}
