import { type ClientBase } from 'pg';
import { archivedParts, type ArchiveFile } from '../../projection/blocks/archived-rows.js';
import { archiveFiles } from '../../projection/blocks/block-properties.js';
import { type Postgres, type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { headsOf } from './archive-day.js';
import { addArchive, BlocksChanged, dismissArchive } from './archives.repository.js';
import { ArchiveWriter, type ArchivedEvent } from './archive-writer.js';

/** A block as it was when the file was read. */
interface ArchivedBlock {
  readonly id: string;
  readonly removals: number;
}

/** The archives that have properties of deleted events. */
export const archivesToRewrite = async (postgres: Queryable, projectId: number): Promise<ArchiveFile[]> => {
  const { rows } = await postgres.query<{ archive: string }>(
    pgSql`SELECT DISTINCT archive FROM event_blocks
      WHERE project_id = ${bound(projectId)} AND removals > 0 AND archive IS NOT NULL ORDER BY archive`,
  );
  return archiveFiles(
    postgres,
    projectId,
    rows.map(({ archive }) => archive),
  );
};

/** Writes the events of a file that the log still has into another one, and dismisses the file. */
export const rewriteArchive = async (
  postgres: Postgres,
  file: ArchiveFile,
  assertContinuing: () => void,
): Promise<void> => {
  const { projectId, day } = file;
  const { rows: blocks } = await postgres.query<ArchivedBlock>(
    pgSql`SELECT id, removals FROM event_blocks WHERE project_id = ${bound(projectId)} AND archive = ${bound(file.id)}`,
  );
  const known = new Set(blocks.map(({ id }) => id));
  const firstRows = new Map<string, number>();
  const writer = new ArchiveWriter();
  for await (const events of archivedParts(file)) {
    assertContinuing();
    const heads = await headsOf(
      postgres,
      projectId,
      events.map(({ uuid }) => uuid),
    );
    const part: ArchivedEvent[] = [];
    for (const { uuid, properties } of events) {
      const head = heads.get(uuid);
      if (!head?.block || !known.has(head.block)) continue;
      if (!firstRows.has(head.block)) firstRows.set(head.block, writer.events + part.length);
      part.push({ ...head, properties });
    }
    if (part.length > 0) await writer.add(part);
  }
  const refer = (client: ClientBase, id: string | null) => replace(client, file, { blocks, firstRows, by: id });
  if (writer.events === 0) await postgres.transaction((client) => refer(client, null));
  else await addArchive(postgres, { projectId, day, write: () => writer.finish(), refer });
};

interface Replacement {
  readonly blocks: readonly ArchivedBlock[];
  /** By the ids of the blocks; a block that is missing has no events any longer. */
  readonly firstRows: ReadonlyMap<string, number>;
  /** The id of the other file; null when no event is left. */
  readonly by: string | null;
}

const replace = async (
  client: ClientBase,
  { projectId, id: old }: ArchiveFile,
  { blocks, firstRows, by }: Replacement,
): Promise<void> => {
  for (const { id, removals } of blocks) {
    const row = firstRows.get(id);
    const same = pgSql`project_id = ${bound(projectId)} AND id = ${bound(id)} AND archive = ${bound(old)} AND removals = ${bound(removals)}`;
    const { rowCount } = await client.query(
      row === undefined || by === null
        ? pgSql`DELETE FROM event_blocks WHERE ${same}`
        : pgSql`UPDATE event_blocks SET archive = ${bound(by)}, archive_row = ${bound(row)}, removals = 0 WHERE ${same}`,
    );
    if (rowCount !== 1) throw new BlocksChanged();
  }
  await dismissArchive(client, projectId, old);
};
