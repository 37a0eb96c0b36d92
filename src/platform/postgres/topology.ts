import { type ClientBase, type QueryResultRow } from 'pg';
import { pgSql, type PgSql } from './sql.js';

/** The part of `Postgres` that is used here. It is declared again, because `Postgres` depends on this file. */
interface Database {
  query<Row extends QueryResultRow>(statement: PgSql): Promise<{ readonly rows: Row[] }>;
  transaction(work: (client: ClientBase) => Promise<void>): Promise<void>;
}

/** The table on the nodes in which changes of a project wait until they are collected into the outbox. */
export interface NodeOutbox {
  /** `entries` is JSON: a list of `kind`, `refs` and `isArrival`. */
  insert(project: PgSql, entries: string, now: Date): PgSql;
  /** The ids of the waiting rows, which they keep in the outbox. */
  readonly ids: PgSql;
  collect(postgres: Database): Promise<void>;
}

/** How PostgreSQL stores the rows of projects: on one server, or on the nodes of Citus. Some statements depend on it. */
export interface Topology {
  /** Changes the text of a statement into the text that is sent. */
  textToSend(text: string): string;
  /** True if COPY may read its values from settings of the transaction. Otherwise they are literals in its text. */
  readonly copyReadsSettings: boolean;
  /**
   * True if a statement may count the rows that it writes, and record them as arrivals. Otherwise counting takes another
   * statement, events are counted when they are logged, and arrivals are recorded when they are collected.
   */
  readonly mayCountWrites: boolean;
  /** True if rows of the table may be removed by their physical position (ctid), and not only by their keys. */
  removesByPosition(table: string): boolean;
  /** The row that the writers of a project lock, and that tells them its deletion and its quota of events. */
  readonly gate: { readonly table: PgSql; readonly projectId: PgSql };
  /** Makes the gate equal to the row of the project, in the transaction that changes that row. */
  upsertGate(client: ClientBase, projectId: number): Promise<void>;
  /** Null if changes are written directly into the outbox. */
  readonly nodeOutbox: NodeOutbox | null;
}

export const oneServer: Topology = {
  textToSend: (text) => text,
  copyReadsSettings: true,
  mayCountWrites: true,
  removesByPosition: () => true,
  gate: { table: pgSql`projects`, projectId: pgSql`p.id` },
  upsertGate: () => Promise.resolve(),
  nodeOutbox: null,
};

let inUse = oneServer;

/** The topology of this process. It is known once PostgreSQL is open, and does not change afterwards. */
export const topology = (): Topology => inUse;

export const useTopology = (found: Topology): void => {
  inUse = found;
};
