import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { archivedParts, ArchiveFileGone, type ArchiveFile } from './archived-rows.js';
import { fromBody, type BlockEvent } from './block-body.js';

/** Where the properties of an event are: in its row, or in a block. */
export interface PlacedEvent {
  readonly uuid: string;
  /** Null when the row has the properties. */
  readonly block: string | null;
}

export interface StoredEvent extends PlacedEvent {
  readonly properties: object | null;
}

export type WithProperties<Row, Properties> = Omit<Row, 'properties' | 'block'> & { readonly properties: Properties };

/** Blocks are small, and this many are in memory at a time. */
const blocksAtOnce = 64;
/** A bucket answers several requests in the time of one. */
const filesAtOnce = 4;
/**
 * Blocks are read this often, because a file may be rewritten between the look-up of a block and the reading. This does not
 * happen again and again.
 */
const looks = 3;

interface BlockRow {
  readonly id: string;
  readonly body: Buffer | null;
  readonly archive: string | null;
  readonly archive_row: number | null;
}

/**
 * Reads the properties of those events that are in blocks, as JSON text by uuid. An event that was deleted since its row was read
 * is missing.
 */
export const blockProperties = async (
  reader: Queryable,
  projectId: number,
  events: readonly PlacedEvent[],
): Promise<Map<string, string>> => {
  const blockOf = new Map<string, string>();
  for (const { uuid, block } of events) if (block !== null) blockOf.set(uuid, block);
  const found = new Map<string, string>();
  // Until a block is cleaned, it also has deleted events. One of them may have been sent again: its properties are then in
  // another block.
  const take: Take = (blocks, read) => {
    for (const { uuid, properties } of read) if (blocks.has(blockOf.get(uuid) ?? '')) found.set(uuid, properties);
  };
  const named = [...new Set(blockOf.values())].sort();
  for (let from = 0; from < named.length; from += blocksAtOnce)
    await readBlocks(reader, projectId, named.slice(from, from + blocksAtOnce), take);
  return found;
};

/** Receives the events that were read, and keeps those that are in these blocks. */
type Take = (blocks: ReadonlySet<string>, read: readonly BlockEvent[]) => void;

const readBlocks = async (reader: Queryable, projectId: number, ids: readonly string[], take: Take): Promise<void> => {
  for (let look = 1; ; look += 1) {
    const { rows } = await reader.query<BlockRow>(
      pgSql`SELECT id, body, archive, archive_row FROM event_blocks
        WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(ids)}::uuid[])`,
    );
    await Promise.all(rows.map(async ({ id, body }) => body && take(new Set([id]), await fromBody(body))));
    try {
      return await readArchived(reader, projectId, rows, take);
    } catch (error) {
      if (!(error instanceof ArchiveFileGone) || look === looks) throw error;
    }
  }
};

const readArchived = async (
  reader: Queryable,
  projectId: number,
  blocks: readonly BlockRow[],
  take: Take,
): Promise<void> => {
  const inFiles = new Map<string, { readonly ids: Set<string>; readonly rows: number[] }>();
  for (const { id, archive, archive_row } of blocks) {
    if (archive === null || archive_row === null) continue;
    const entry = inFiles.get(archive) ?? { ids: new Set(), rows: [] };
    entry.ids.add(id);
    entry.rows.push(archive_row);
    inFiles.set(archive, entry);
  }
  if (inFiles.size === 0) return;
  const files = await archiveFiles(reader, projectId, [...inFiles.keys()]);
  if (files.length < inFiles.size) throw new ArchiveFileGone('file for some events');
  const read = async (file: ArchiveFile): Promise<void> => {
    const entry = inFiles.get(file.id);
    if (entry) for await (const part of archivedParts(file, entry.rows)) take(entry.ids, part);
  };
  for (let from = 0; from < files.length; from += filesAtOnce)
    await Promise.all(files.slice(from, from + filesAtOnce).map(read));
};

/** The files of these archives. Archives without a row are left out. */
export const archiveFiles = async (
  reader: Queryable,
  projectId: number,
  ids: readonly string[],
): Promise<ArchiveFile[]> => {
  const { rows } = await reader.query<Omit<ArchiveFile, 'projectId'>>(
    pgSql`SELECT id, day::text AS day, bytes FROM event_archives
      WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(ids)}::uuid[])`,
  );
  return rows.map((row) => ({ projectId, ...row }));
};

/** Returns the rows with their properties. Events that were deleted since are left out. */
export const withProperties = async <Properties extends object, Row extends StoredEvent>(
  reader: Queryable,
  projectId: number,
  rows: readonly (Row & { readonly properties: Properties | null })[],
): Promise<WithProperties<Row, Properties>[]> => {
  const inBlocks = await blockProperties(reader, projectId, rows);
  return rows.flatMap((row) => {
    if (row.block === null) return [row];
    const text = inBlocks.get(row.uuid);
    return text === undefined ? [] : [{ ...row, properties: JSON.parse(text) as Properties }];
  }) as WithProperties<Row, Properties>[];
};
