import { zeroUuid } from '../../../platform/values/ids.js';
import { type ClientBase } from 'pg';
import { type Postgres, type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { compressEvents } from './compress-events.js';

/** With fewer events, a project waits, so that its blocks are full. */
const eventsWorthIt = 1024;
const longestWaitMs = 24 * 60 * 60_000;

export interface Uncompressed {
  readonly projectId: number;
  /** The arrival of the event that has waited longest. */
  readonly oldest: Date;
}

/** Projects with enough events in the queue, or with events that have waited long. */
export const projectsToCompress = async (postgres: Queryable, now: Date): Promise<Uncompressed[]> => {
  const waitedSince = new Date(now.getTime() - longestWaitMs);
  const { rows } = await postgres.query<{ project_id: number; oldest: Date }>(
    pgSql`SELECT project_id, min(received_at) AS oldest FROM unsealed_events GROUP BY project_id
      HAVING sum(size) >= ${bound(eventsWorthIt)} OR min(received_at) < ${bound(waitedSince)} ORDER BY project_id`,
  );
  return rows.map(({ project_id, oldest }) => ({ projectId: project_id, oldest }));
};

/** About this many events are taken at a time: an entry of the queue is taken whole. */
const eventsAtOnce = 2048;
const entriesAtOnce = 2048;

const takeNext = (projectId: number): PgSql => {
  const project = bound(projectId);
  return pgSql`
    DELETE FROM unsealed_events WHERE project_id = ${project} AND id IN (
      SELECT id FROM (
        SELECT id, sum(size) OVER (ORDER BY id) - size AS before FROM (
          SELECT id, size FROM unsealed_events WHERE project_id = ${project} ORDER BY id LIMIT ${bound(entriesAtOnce)} FOR UPDATE SKIP LOCKED
        ) AS locked
      ) AS counted WHERE before < ${bound(eventsAtOnce)}
    ) RETURNING uuids`;
};

/** Queues events whose properties came back to their rows. */
export const queueUncompressed = async (
  client: ClientBase,
  projectId: number,
  uuids: readonly string[],
  now: Date,
): Promise<void> => {
  await client.query(
    pgSql`INSERT INTO unsealed_events (project_id, uuids, size, received_at)
      VALUES (${bound(projectId)}, ${bound(uuids)}::uuid[], ${bound(uuids.length)}, ${bound(now)})`,
  );
};

/** Takes the oldest events of the project out of the queue, in the caller's transaction. */
export const takeUncompressed = async (client: ClientBase, projectId: number): Promise<string[]> => {
  const { rows } = await client.query<{ uuids: string[] }>(takeNext(projectId));
  return rows.flatMap(({ uuids }) => uuids);
};

/** Projects whose log has not been walked to its end. */
export const projectsToWalk = async (postgres: Queryable): Promise<number[]> => {
  const { rows } = await postgres.query<{ id: number }>(pgSql`
    SELECT p.id FROM projects AS p LEFT JOIN sealing_walks AS w ON w.project_id = p.id
    WHERE p.deleted_at IS NULL AND w.ended_at IS NULL ORDER BY p.id`);
  return rows.map(({ id }) => id);
};

/**
 * Returns the next uncompressed events on the walk through a project, if they arrived up to a moment; null when the walk has
 * ended. Other walkers wait for the caller's transaction.
 */
const walkFurther = async (client: ClientBase, projectId: number, receivedUpTo: Date): Promise<string[] | null> => {
  const project = bound(projectId);
  const { rows: walks } = await client.query<{ walked_until: string | null; ended_at: Date | null }>(
    pgSql`INSERT INTO sealing_walks AS w (project_id) VALUES (${project})
      ON CONFLICT (project_id) DO UPDATE SET walked_until = w.walked_until RETURNING walked_until, ended_at`,
  );
  if (walks[0]?.ended_at) return null;
  const after = walks[0]?.walked_until ?? zeroUuid;
  const { rows } = await client.query<{ uuid: string; is_unsealed: boolean }>(
    pgSql`SELECT uuid, block IS NULL AND received_at <= ${bound(receivedUpTo)} AS is_unsealed FROM events
      WHERE project_id = ${project} AND uuid > ${bound(after)} ORDER BY uuid LIMIT ${bound(eventsAtOnce)}`,
  );
  const isEnd = rows.length < eventsAtOnce;
  await client.query(
    pgSql`UPDATE sealing_walks SET walked_until = ${bound(rows.at(-1)?.uuid ?? after)},
      ended_at = CASE WHEN ${bound(isEnd)}::boolean THEN now() END WHERE project_id = ${project}`,
  );
  return rows.filter(({ is_unsealed }) => is_unsealed).map(({ uuid }) => uuid);
};

/** Compresses the next events on the walk through a project. Returns their number; null when the walk has ended. */
export const compressOnWalk = (postgres: Postgres, projectId: number, receivedUpTo: Date): Promise<number | null> =>
  postgres.transaction(async (client) => {
    const uuids = await walkFurther(client, projectId, receivedUpTo);
    return uuids === null ? null : compressEvents(client, projectId, uuids);
  });

/** Compresses all events that have arrived in a project, without rests. */
export const compressProject = async (
  postgres: Postgres,
  projectId: number,
  onCompressed: (events: number) => void,
): Promise<void> => {
  const receivedUpTo = postgres.clock.now();
  // Starts the walk again from the beginning of the log.
  await postgres.query(pgSql`DELETE FROM sealing_walks WHERE project_id = ${bound(projectId)}`);
  for (;;) {
    const compressed = await compressOnWalk(postgres, projectId, receivedUpTo);
    if (compressed === null) return;
    onCompressed(compressed);
  }
};
