import { type ClientBase } from 'pg';
import { fromBody, toBody } from '../../projection/sealed/block-body.js';
import { type Postgres, type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';

const blocksAtOnce = 100;

interface DirtyBlock {
  readonly id: string;
  readonly body: Buffer;
}

/**
 * Removes what the blocks of a project have of deleted events. A block is locked meanwhile, so that a deletion which ends later
 * marks it again. Returns the number of blocks.
 */
export const cleanBlocks = async (
  postgres: Postgres,
  projectId: number,
  /** Called before each part of the work; what it throws ends the work. */
  demandContinuing: () => void = () => undefined,
): Promise<number> => {
  let cleaned = 0;
  for (;;) {
    demandContinuing();
    const some = await postgres.transaction((client) => cleanSome(client, projectId));
    cleaned += some;
    if (some < blocksAtOnce) return cleaned;
  }
};

const cleanSome = async (client: ClientBase, projectId: number): Promise<number> => {
  const project = bound(projectId);
  const { rows } = await client.query<DirtyBlock>(
    pgSql`SELECT id, body FROM event_blocks WHERE project_id = ${project} AND is_dirty ORDER BY id
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
  const left = new Set(rows.map(({ uuid }) => uuid));
  if (left.size === 0) {
    await client.query(pgSql`DELETE FROM event_blocks WHERE project_id = ${project} AND id = ${block}`);
    return;
  }
  const rest = left.size === events.length ? body : await toBody(events.filter(({ uuid }) => left.has(uuid)));
  await client.query(
    pgSql`UPDATE event_blocks SET body = ${bound(rest)}, is_dirty = false WHERE project_id = ${project} AND id = ${block}`,
  );
};

/** The projects that have blocks to clean. */
export const projectsToClean = async (postgres: Queryable): Promise<number[]> => {
  const { rows } = await postgres.query<{ project_id: number }>(
    'SELECT DISTINCT project_id FROM event_blocks WHERE is_dirty ORDER BY project_id',
  );
  return rows.map(({ project_id }) => project_id);
};
