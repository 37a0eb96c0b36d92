import { type ClientBase } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromBody } from '../../projection/blocks/block-body.js';
import { type Postgres, type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { addArchive, BlocksChanged } from './archives.repository.js';
import { ArchiveWriter, type ArchivedEvent } from './archive-writer.js';

/** A file gets at most this many blocks: it has some megabytes, and its directory is read in a few milliseconds. */
const blocksInFile = 1024;
const bytesInFile = 16 * 1024 ** 2;
const blocksAtOnce = 8;
/**
 * A part gets about this many characters of properties. Compressing or reading a part holds up the event loop for some
 * milliseconds.
 */
const charactersInPart = 384 * 1024;

interface BlockRow {
  readonly id: string;
  readonly bytes: number;
}

interface BodyRow {
  readonly id: string;
  readonly body: Buffer;
  readonly digest: string;
}

/** A block in a file that is being written. */
interface Moved {
  readonly id: string;
  /** The digest of the body that was read. It differs from the stored one when the block was cleaned since. */
  readonly digest: string;
  readonly row: number;
}

const selectNext = (projectId: number, day: string): PgSql => pgSql`
  SELECT id, octet_length(body) AS bytes FROM event_blocks
  WHERE project_id = ${bound(projectId)} AND day = ${bound(day)} AND archive IS NULL AND removals = 0
  ORDER BY id LIMIT ${bound(blocksInFile)}`;

const selectBodies = (projectId: number, ids: readonly string[]): PgSql =>
  pgSql`SELECT id, body, md5(body) AS digest FROM event_blocks
    WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(ids)}::uuid[]) AND archive IS NULL AND removals = 0
    ORDER BY id`.named('archive-bodies');

export type LoggedHead = Omit<ArchivedEvent, 'properties'> & { readonly block: string | null };

const selectHeads = (projectId: number, uuids: readonly string[]): PgSql =>
  pgSql`SELECT uuid, event, distinct_id, timestamp, received_at, block FROM events
    WHERE project_id = ${bound(projectId)} AND uuid = ANY (${bound(uuids)}::uuid[])`.named('archive-heads');

/** The events of the log with these uuids, without their properties. */
export const headsOf = async (
  reader: Queryable,
  projectId: number,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, LoggedHead>> => {
  const { rows } = await reader.query<LoggedHead>(selectHeads(projectId, uuids));
  return new Map(rows.map((head) => [head.uuid, head]));
};

const move = (projectId: number, archive: string, { id, digest, row }: Moved): PgSql =>
  pgSql`UPDATE event_blocks SET body = NULL, archive = ${bound(archive)}, archive_row = ${bound(row)}
    WHERE project_id = ${bound(projectId)} AND id = ${bound(id)} AND archive IS NULL AND removals = 0
      AND md5(body) = ${bound(digest)}`.named('archive-block');

/**
 * Writes one file with blocks of a day, and lets the blocks refer to it once the file has been read again. Returns the number
 * of events: 0 when no block is left to archive.
 */
export const archiveSome = async (
  postgres: Postgres,
  projectId: number,
  day: string,
  rests: number,
  assertContinuing: () => void = () => undefined,
): Promise<number> => {
  const { rows } = await postgres.query<BlockRow>(selectNext(projectId, day));
  const blocks = firstOf(rows);
  if (blocks.length === 0) return 0;
  const moved: Moved[] = [];
  const write = async () => {
    const writer = new ArchiveWriter();
    for (let from = 0; from < blocks.length; from += blocksAtOnce) {
      assertContinuing();
      const startedAt = performance.now();
      moved.push(...(await addBlocks(postgres, projectId, writer, blocks.slice(from, from + blocksAtOnce))));
      await sleep((performance.now() - startedAt) * rests);
    }
    if (moved.length === 0) throw new BlocksChanged();
    return writer.finish();
  };
  return addArchive(postgres, { projectId, day, write, refer: (client, id) => moveAll(client, projectId, id, moved) });
};

const firstOf = (rows: readonly BlockRow[]): string[] => {
  let bytes = 0;
  const end = rows.findIndex((row, at) => (bytes += row.bytes) > bytesInFile && at > 0);
  return (end < 0 ? rows : rows.slice(0, end)).map(({ id }) => id);
};

/** Adds some blocks to the file. A block with deleted events is left out until it is cleaned. */
const addBlocks = async (
  postgres: Postgres,
  projectId: number,
  writer: ArchiveWriter,
  ids: readonly string[],
): Promise<Moved[]> => {
  const { rows: bodies } = await postgres.query<BodyRow>(selectBodies(projectId, ids));
  const blocks = await Promise.all(bodies.map(async (row) => ({ ...row, events: await fromBody(row.body) })));
  const uuids = blocks.flatMap(({ events }) => events.map(({ uuid }) => uuid));
  const heads = await headsOf(postgres, projectId, uuids);
  let [part, characters] = [[] as ArchivedEvent[], 0];
  const moved: Moved[] = [];
  for (const { id, digest, events } of blocks) {
    const whole = events.flatMap(({ uuid, properties }) => {
      const head = heads.get(uuid);
      return head?.block === id ? [{ ...head, properties }] : [];
    });
    if (whole.length < events.length) continue;
    if (part.length > 0 && characters > charactersInPart) {
      await writer.add(part);
      [part, characters] = [[], 0];
    }
    moved.push({ id, digest, row: writer.events + part.length });
    part.push(...whole);
    for (const { properties } of whole) characters += properties.length;
  }
  if (part.length > 0) await writer.add(part);
  return moved;
};

const moveAll = async (
  client: ClientBase,
  projectId: number,
  archive: string,
  blocks: readonly Moved[],
): Promise<void> => {
  for (const block of blocks) {
    const { rowCount } = await client.query(move(projectId, archive, block));
    if (rowCount !== 1) throw new BlocksChanged();
  }
};

/** A file is tried this often, because events of its blocks may be deleted each time, but not for ever. */
const attempts = 5;

/** Archives all blocks of a day, file after file. */
export const archiveDay = async (
  postgres: Postgres,
  { projectId, day }: DayToArchive,
  { rests, assertContinuing = () => undefined, onFile = () => undefined }: ArchiveOptions,
): Promise<void> => {
  for (let attempt = 1; ;) {
    assertContinuing();
    try {
      const events = await archiveSome(postgres, projectId, day, rests, assertContinuing);
      if (events === 0) return;
      onFile(events);
      attempt = 1;
    } catch (error) {
      if (!(error instanceof BlocksChanged) || attempt === attempts) throw error;
      attempt += 1;
    }
  }
};

interface ArchiveOptions {
  /** A rest is this many times as long as the work before it. */
  readonly rests: number;
  /** Called before each part of the work; what it throws ends the work. */
  readonly assertContinuing?: () => void;
  readonly onFile?: (events: number) => void;
}

export interface DayToArchive {
  readonly projectId: number;
  readonly day: string;
}

/** The days up to `upTo` that have blocks which are not archived. */
export const daysToArchive = async (postgres: Queryable, upTo: string): Promise<DayToArchive[]> => {
  const { rows } = await postgres.query<{ project_id: number; day: string }>(
    pgSql`SELECT DISTINCT project_id, day::text AS day FROM event_blocks
      WHERE archive IS NULL AND removals = 0 AND day <= ${bound(upTo)}::date ORDER BY project_id, day`,
  );
  return rows.map(({ project_id, day }) => ({ projectId: project_id, day }));
};
