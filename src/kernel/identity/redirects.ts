import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Move } from './write.js';
import { plannedByKey, projectOfStatement } from '../../platform/postgres/planned-by-key.js';

const moves = 'jsonb_to_recordset($2::jsonb) AS move (source bigint, target bigint)';

// A person that was merged into one of the sources is now redirected to that source's target: redirects are never chained.
const follow = `
  UPDATE person_redirects AS r SET target = move.target FROM ${moves}
  WHERE r.project_id = ${projectOfStatement} AND r.target = move.source AND ${plannedByKey('move.source')}
  RETURNING r.source`;

// A statement of its own, because Citus sends to all nodes what two parts of one statement read.
const write = `
  INSERT INTO person_redirects (project_id, source, target, uuid)
  SELECT $1, move.source, move.target,
    (SELECT p.uuid FROM persons AS p WHERE p.project_id = ${projectOfStatement} AND p.id = move.source)
  FROM ${moves} WHERE ${plannedByKey('move.source')}`;

/**
 * Records merges, so that cohorts that were calculated earlier recognise their members, and the ids of merged persons lead to
 * the persons they were merged into. Both statements are sent at once. Returns the ids of all redirected persons. The sources
 * must still exist, and both persons of each move must be locked.
 */
export const redirect = async (client: ClientBase, projectId: number, all: readonly Move[]): Promise<string[]> => {
  if (all.length === 0) return [];
  const values = [projectId, JSON.stringify(all)];
  const [{ rows }] = await Promise.all([
    client.query<{ source: string }>({ name: 'identity-redirect-again', text: follow, values }),
    client.query({ name: 'identity-redirect', text: write, values }),
  ]);
  return [...rows, ...all].map(({ source }) => source);
};

// A split can give the uuid of a merged person to a person again. When that person is deleted, the uuid leads nowhere.
const forget = `
  WITH gone AS (
    DELETE FROM person_redirects AS r USING unnest($2::bigint[]) AS input (id)
    WHERE r.project_id = ${projectOfStatement} AND r.target = input.id AND ${plannedByKey('input.id')}
    RETURNING r.source, r.uuid
  ), reused AS (
    UPDATE person_redirects AS r SET uuid = NULL
    FROM (SELECT gone.uuid FROM gone UNION SELECT * FROM unnest($3::uuid[])) AS input (uuid)
    WHERE r.project_id = $1 AND r.uuid = input.uuid AND r.target <> ALL ($2::bigint[])
  )
  SELECT source FROM gone`;

/**
 * Removes everything about the persons that were merged into persons which are now deleted, and returns their ids. The deleted
 * persons must be locked.
 */
export const forgetRedirects = async (
  client: ClientBase,
  projectId: number,
  persons: readonly { readonly id: string; readonly uuid: string }[],
): Promise<string[]> => {
  if (persons.length === 0) return [];
  const { rows } = await client.query<{ source: string }>({
    name: 'persons-forget-redirects',
    text: forget,
    values: [projectId, persons.map(({ id }) => id), persons.map(({ uuid }) => uuid)],
  });
  return rows.map(({ source }) => source);
};

/**
 * Ends the redirect of a person that comes back, and redirects the given sources to it, no longer to the survivor. Returns all
 * persons whose redirects changed.
 */
export const returnRedirects = async (
  client: ClientBase,
  projectId: number,
  { source: survivor, target: restored }: Move,
  sources: readonly string[],
): Promise<string[]> => {
  const [project, person] = [bound(projectId), bound(restored)];
  const { rows } = await client.query<{ source: string }>(pgSql`
    WITH gone AS (
      DELETE FROM person_redirects WHERE project_id = ${project} AND source = ${person}::bigint RETURNING source
    ), followed AS (
      UPDATE person_redirects SET target = ${person}::bigint
      WHERE project_id = ${project} AND target = ${bound(survivor)}::bigint AND source = ANY (${bound(sources)}::bigint[])
        AND source <> ${person}::bigint
      RETURNING source
    )
    SELECT source FROM gone UNION ALL SELECT source FROM followed`);
  return rows.map(({ source }) => source);
};

/** Returns those of the sources that are merged into the person, in the order of ids. */
export const mergedPersonsOf = async (
  reader: Queryable,
  projectId: number,
  target: string,
  sources: readonly string[],
): Promise<{ id: number; uuid: string }[]> => {
  if (sources.length === 0) return [];
  const { rows } = await reader.query<{ source: string; uuid: string }>(
    pgSql`
      SELECT source, uuid FROM person_redirects
      WHERE project_id = ${bound(projectId)} AND source = ANY (${bound(sources)}::bigint[])
        AND target = ${bound(target)}::bigint AND uuid IS NOT NULL
      ORDER BY source`,
  );
  return rows.map(({ source, uuid }) => ({ id: Number(source), uuid }));
};
