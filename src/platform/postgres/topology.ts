import { type ClientBase, type QueryResultRow } from 'pg';
import { pgSql, type PgSql } from './sql.js';

/** `Postgres`, whose connections use this file, too. */
interface Database {
  query<Row extends QueryResultRow>(statement: PgSql): Promise<{ readonly rows: Row[] }>;
  transaction(work: (client: ClientBase) => Promise<void>): Promise<void>;
}

/** Where the changes of a project wait until they are collected into the outbox. */
export interface NodeOutbox {
  /** `entries` is JSON: a list of `kind`, `refs` and `isArrival`. */
  insert(project: PgSql, entries: string, now: Date): PgSql;
  /** The ids that its rows will have in the outbox. */
  readonly ids: PgSql;
  collect(postgres: Database): Promise<void>;
}

/** How PostgreSQL keeps the rows of projects, as far as statements have to know it. */
export interface Topology {
  /** The text of a statement as it is sent. */
  textToSend(text: string): string;
  /** True where COPY may read its values from settings of the transaction. Otherwise its text has to show them. */
  readonly copyReadsSettings: boolean;
  /**
   * True where a statement may count what it writes, and record it as arrivals. Otherwise a count is a statement of its own, events
   * are counted when they are logged, and they arrive when they are collected.
   */
  readonly mayCountWrites: boolean;
  /** True where rows of the table may be removed by their position in it, not only by their keys. */
  removesByPosition(table: string): boolean;
  /** The row by which the writers of a project know of its deletion and its quota of events, and lock it. */
  readonly gate: { readonly table: PgSql; readonly projectId: PgSql };
  /** Makes the gate equal to the row of the project, in the transaction that changes that row. */
  upsertGate(client: ClientBase, projectId: number): Promise<void>;
  /** Null where changes are written into the outbox itself. */
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

/** Is known once PostgreSQL is open, and stays the same as long as the process runs. */
export const topology = (): Topology => inUse;

export const useTopology = (found: Topology): void => {
  inUse = found;
};
