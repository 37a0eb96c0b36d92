import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { archivedParts, nameOf, type ArchiveFile } from '../../projection/blocks/archived-rows.js';
import { eventArchive } from '../../../platform/objects/event-archive.js';
import { isIntact, sha256Of } from '../../../platform/objects/object-store.js';
import { type Postgres, type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { contentDigest, type WrittenArchive } from './archive-writer.js';

/** Thrown when blocks changed while a file was made of them: the file must be made again. */
export class BlocksChanged extends Error {
  constructor() {
    super('blocks of events changed while they were archived');
  }
}

/** Inserts the row of a file before the file is written, so that no file can remain that no row knows. */
const startArchive = async (postgres: Queryable, projectId: number, day: string): Promise<string> => {
  const id = uuidv7();
  await postgres.query(
    pgSql`INSERT INTO event_archives (project_id, id, day, state, events, bytes, sha256, created_at)
      VALUES (${bound(projectId)}, ${bound(id)}, ${bound(day)}, 'writing', 0, 0, '', clock_timestamp())`,
  );
  return id;
};

/**
 * Writes the file and reads it again. Throws unless its bytes, and the number and digest of its rows, are those that were
 * written.
 */
const writeVerified = async (
  file: Omit<ArchiveFile, 'bytes'>,
  { bytes, events, content }: WrittenArchive,
): Promise<ArchiveFile> => {
  const name = nameOf(file);
  await eventArchive().write(name, bytes);
  const written = { ...file, bytes: bytes.length };
  const stored = await eventArchive().read(name, bytes.length);
  if (!isIntact(stored, { size: bytes.length, sha256: sha256Of(bytes) })) throw notAsWritten(name);
  const digest = contentDigest();
  let read = 0;
  for await (const part of archivedParts(written)) {
    for (const event of part) digest.add(event);
    read += part.length;
  }
  if (read !== events || digest.end() !== content) throw notAsWritten(name);
  return written;
};

const notAsWritten = (name: string): Error =>
  new Error(`${name} in EVENT_ARCHIVE is not as it was written: check the folder or the bucket`);

/** Call it in the transaction in which blocks begin to refer to the file. */
const completeArchive = async (
  client: ClientBase,
  { projectId, id }: ArchiveFile,
  { bytes, events }: WrittenArchive,
): Promise<void> => {
  const { rowCount } = await client.query(
    pgSql`UPDATE event_archives SET state = 'ready', events = ${bound(events)}, bytes = ${bound(bytes.length)},
        sha256 = ${bound(sha256Of(bytes))}
      WHERE project_id = ${bound(projectId)} AND id = ${bound(id)} AND state = 'writing'`,
  );
  if (rowCount !== 1) throw new BlocksChanged();
};

/**
 * Dismisses a file in this state, in the transaction after which no block refers to it. Returns false if it is in another state: a
 * file that was completed meanwhile has blocks, and must stay.
 */
export const dismissArchive = async (
  client: ClientBase,
  projectId: number,
  { id, state }: { readonly id: string; readonly state: 'writing' | 'ready' },
): Promise<boolean> => {
  const { rows } = await client.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
  const { rowCount } = await client.query(
    pgSql`UPDATE event_archives SET state = 'removed', removed_xid = ${bound(rows[0]?.xid)}::bigint
      WHERE project_id = ${bound(projectId)} AND id = ${bound(id)} AND state = ${bound(state)}`,
  );
  return rowCount === 1;
};

interface NewArchive {
  readonly projectId: number;
  readonly day: string;
  readonly write: () => Promise<WrittenArchive>;
  /** Lets blocks refer to the file, in the transaction that completes it. */
  readonly refer: (client: ClientBase, id: string) => Promise<void>;
}

/** Adds a file to which blocks refer once it has been read again. Returns the number of its events. */
export const addArchive = async (postgres: Postgres, { projectId, day, write, refer }: NewArchive): Promise<number> => {
  const id = await startArchive(postgres, projectId, day);
  try {
    const written = await write();
    const file = await writeVerified({ projectId, id, day }, written);
    await postgres.transaction(async (client) => {
      await completeArchive(client, file, written);
      await refer(client, id);
    });
    return written.events;
  } catch (error) {
    const dismissing = postgres.transaction((client) => dismissArchive(client, projectId, { id, state: 'writing' }));
    // If this fails, the row is dismissed an hour later. The first error is the one to report.
    if (await dismissing.catch(() => true)) throw error;
    // Another process dismissed the file, or it was completed although the answer of the database was lost.
    throw new BlocksChanged();
  }
};

const chosen = {
  all: pgSql`state <> 'removed'`,
  unfinished: pgSql`state = 'writing'`,
  /** Their process has ended: no file takes so long. */
  abandoned: pgSql`state = 'writing' AND created_at < clock_timestamp() - interval '1 hour'`,
};

/** Dismisses files of a project. The process that writes an unfinished one, if there still is one, begins anew. */
export const dismissArchives = async (
  postgres: Postgres,
  projectId: number,
  which: keyof typeof chosen,
): Promise<void> => {
  const { rows } = await postgres.query<{ id: string; state: 'writing' | 'ready' }>(
    pgSql`SELECT id, state FROM event_archives WHERE project_id = ${bound(projectId)} AND ${chosen[which]}`,
  );
  for (const file of rows) await postgres.transaction((client) => dismissArchive(client, projectId, file));
};

interface Dismissed {
  readonly id: string;
  readonly day: string;
  readonly xid: string;
  /** False if no block has ever referred to the file. */
  readonly was_ready: boolean;
  /** True if a process may still write the file. */
  readonly is_new: boolean;
}

/**
 * True while a transaction that may still read the file is running: one that started before the last block referred to it.
 * Transactions without a user, such as those of autovacuum, read no files and may take hours, so they are skipped. A restored
 * database has transaction numbers of another server: a number that this server has not reached proves nothing.
 */
const isStillRead = async (postgres: Queryable, { xid }: Dismissed): Promise<boolean> => {
  const { rows } = await postgres.query(
    pgSql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()
      AND ${bound(xid)}::text::xid8 < pg_snapshot_xmax(pg_current_snapshot())
      AND age(backend_xmin) >= age(${bound(xid)}::text::xid8::xid) LIMIT 1`,
  );
  return rows.length > 0;
};

/**
 * Removes the files that no block refers to. Files that a transaction with an older snapshot still needs stay for the time
 * being; returns how many stay.
 */
export const removeDismissed = async (postgres: Queryable, projectId: number): Promise<number> => {
  const { rows } = await postgres.query<Dismissed>(
    pgSql`SELECT id, day::text AS day, removed_xid::text AS xid, sha256 <> '' AS was_ready,
        created_at >= clock_timestamp() - interval '1 hour' AS is_new
      FROM event_archives WHERE project_id = ${bound(projectId)} AND state = 'removed' ORDER BY id`,
  );
  let stay = 0;
  for (const file of rows) {
    if (file.was_ready && (await isStillRead(postgres, file))) {
      stay += 1;
      continue;
    }
    await eventArchive().removeFile(nameOf({ projectId, ...file }));
    // The row stays, so that a file which its process writes in spite of all is removed, too.
    if (!file.was_ready && file.is_new) continue;
    await postgres.query(
      pgSql`DELETE FROM event_archives WHERE project_id = ${bound(projectId)} AND id = ${bound(file.id)}`,
    );
  }
  return stay;
};

/** The projects with files that are being written or are to be removed. */
export const projectsWithUnfinishedArchives = async (postgres: Queryable): Promise<number[]> => {
  const { rows } = await postgres.query<{ project_id: number }>(
    `SELECT DISTINCT project_id FROM event_archives WHERE state <> 'ready' ORDER BY project_id`,
  );
  return rows.map(({ project_id }) => project_id);
};
