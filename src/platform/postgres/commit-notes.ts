import { AsyncLocalStorage } from 'node:async_hooks';
import { type PgSql } from './sql.js';

/**
 * A row in which the transactions of a request note that they were committed. When the answer to COMMIT is lost with a
 * connection, another connection reads there whether the transaction was committed.
 */
export interface CommitNotes {
  /**
   * A statement of the transaction `id`, which notes it. It fails with a division by zero when another run of the request has
   * the row, so that a run that has lost its key commits nothing.
   */
  note(id: string): PgSql;
  /** Selects the id of the last noted transaction as `last_commit`. Waits for one that is being committed. */
  readonly noted: PgSql;
}

interface NoteHolder {
  notes: CommitNotes | null;
}

const current = new AsyncLocalStorage<NoteHolder>();
let uses = 0;

/** The transactions that begin during `work` are noted; those that its background work begins after its end are not. */
export const notingCommits = async <T>(notes: CommitNotes, work: () => Promise<T>): Promise<T> => {
  const holder: NoteHolder = { notes };
  uses += 1;
  try {
    return await current.run(holder, work);
  } finally {
    holder.notes = null;
    uses -= 1;
    // Before Node 24 every promise of the process costs more while it is enabled: a captured event 15 %.
    if (uses === 0) current.disable();
  }
};

export const currentNotes = (): CommitNotes | null => current.getStore()?.notes ?? null;
