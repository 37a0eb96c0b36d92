import { type ClientBase } from 'pg';
import { type ArchiveFile, archivedParts } from '../../projection/blocks/archived-rows.js';
import { archiveFiles } from '../../projection/blocks/block-properties.js';
import { type Postgres, type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { headsOf } from './archive-day.js';
import { BlocksChanged, addArchive, dismissArchive, dismissArchives, removeDismissed } from './archives.repository.js';
import { ArchiveWriter, type ArchivedEvent } from './archive-writer.js';
import { fromBody, toBody } from '../../projection/blocks/block-body.js';

/** A block as it was when the file was read. */
interface ArchivedBlock {
  readonly id: string;
  readonly removals: number;
}

/** The archives with properties of deleted events. */
const archivesToRewrite = async (postgres: Queryable, projectId: number): Promise<ArchiveFile[]> => {
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

/** Writes the events of a file that the log still has into another file, and dismisses the old one. */
const rewriteArchive = async (postgres: Postgres, file: ArchiveFile, assertContinuing: () => void): Promise<void> => {
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
  /** The first row of each block in the other file. A block that is missing has no events any longer. */
  readonly firstRows: ReadonlyMap<string, number>;
  /** The id of the file that replaces the old one; null when no event remains. */
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
  if (!(await dismissArchive(client, projectId, { id: old, state: 'ready' }))) throw new BlocksChanged();
};

const blocksAtOnce = 100;

interface DirtyBlock {
  readonly id: string;
  readonly body: Buffer;
}

/** Removes the properties of deleted events from the blocks of a project, also from files. */
export const cleanBlocks = async (
  postgres: Postgres,
  projectId: number,
  /** Called before each part of the work; what it throws ends the work. */
  assertContinuing: () => void = () => undefined,
): Promise<void> => {
  for (;;) {
    assertContinuing();
    const cleaned = await postgres.transaction((client) => cleanSome(client, projectId));
    if (cleaned < blocksAtOnce) break;
  }
  for (const file of await archivesToRewrite(postgres, projectId)) {
    await rewriteArchive(postgres, file, assertContinuing).catch((error: unknown) => {
      // More events of the file were deleted meanwhile: the next cleaning finds their blocks.
      if (!(error instanceof BlocksChanged)) throw error;
    });
  }
};

/**
 * Cleans the blocks, and removes the files that are replaced and those that were started before the events were deleted. Throws when
 * anything of a deleted event remains. Call it when no events are deleted any more.
 */
export const cleanWholly = async (
  postgres: Postgres,
  projectId: number,
  assertContinuing: () => void,
): Promise<void> => {
  await dismissArchives(postgres, projectId, 'unfinished');
  await cleanBlocks(postgres, projectId, assertContinuing);
  if (await hasRemovals(postgres, projectId)) throw new Error('events were deleted while their blocks were cleaned');
  const read = await removeDismissed(postgres, projectId);
  if (read > 0)
    throw new Error(`${read} files of EVENT_ARCHIVE are still read, by a backup or a rebuild, and go later`);
};

/** Locks the blocks while it cleans them, so that a deletion which ends later counts as a further removal. */
const cleanSome = async (client: ClientBase, projectId: number): Promise<number> => {
  const { rows } = await client.query<DirtyBlock>(
    pgSql`SELECT id, body FROM event_blocks
      WHERE project_id = ${bound(projectId)} AND removals > 0 AND archive IS NULL ORDER BY id
      LIMIT ${bound(blocksAtOnce)} FOR UPDATE`,
  );
  for (const block of rows) await clean(client, projectId, block);
  return rows.length;
};

const clean = async (client: ClientBase, projectId: number, { id, body }: DirtyBlock): Promise<void> => {
  const events = await fromBody(body);
  const uuids = bound(events.map(({ uuid }) => uuid));
  const [project, block] = [bound(projectId), bound(id)];
  const { rows } = await client.query<{ uuid: string }>(
    pgSql`SELECT uuid FROM events WHERE project_id = ${project} AND uuid = ANY (${uuids}::uuid[]) AND block = ${block}`,
  );
  const remaining = new Set(rows.map(({ uuid }) => uuid));
  if (remaining.size === 0) {
    await client.query(pgSql`DELETE FROM event_blocks WHERE project_id = ${project} AND id = ${block}`);
    return;
  }
  const rest = remaining.size === events.length ? body : await toBody(events.filter(({ uuid }) => remaining.has(uuid)));
  await client.query(
    pgSql`UPDATE event_blocks SET body = ${bound(rest)}, removals = 0 WHERE project_id = ${project} AND id = ${block}`,
  );
};

const hasRemovals = async (postgres: Queryable, projectId: number): Promise<boolean> => {
  const { rows } = await postgres.query(
    pgSql`SELECT 1 FROM event_blocks WHERE project_id = ${bound(projectId)} AND removals > 0 LIMIT 1`,
  );
  return rows.length > 0;
};

/** The projects that have blocks to clean. */
export const projectsToClean = async (postgres: Queryable): Promise<number[]> => {
  const { rows } = await postgres.query<{ project_id: number }>(
    'SELECT DISTINCT project_id FROM event_blocks WHERE removals > 0 ORDER BY project_id',
  );
  return rows.map(({ project_id }) => project_id);
};
