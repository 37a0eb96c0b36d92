import { type ClientBase } from 'pg';
import { recordActivities } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { bound, joinedSql, pgSql } from '../../platform/postgres/sql.js';
import { defaultTileWidth, maxTiles } from '../saved.dto.js';

interface NamedDashboard {
  readonly id: number;
  readonly name: string;
}

/**
 * Removes the tiles of an insight from all dashboards but `except`, and returns the dashboards that had one. The positions of
 * the other tiles keep their order.
 */
export const removeTiles = async (
  client: ClientBase,
  project: ProjectContext,
  insightId: number,
  except: readonly number[] = [],
): Promise<readonly NamedDashboard[]> => {
  const { rows } = await client.query<NamedDashboard>(
    pgSql`
      WITH removed AS (
        DELETE FROM dashboard_tiles
        WHERE project_id = ${bound(project.id)} AND insight_id = ${bound(insightId)}
          AND dashboard_id <> ALL (${bound(except)}::integer[])
        RETURNING dashboard_id
      )
      SELECT d.id, d.name FROM dashboards AS d
      WHERE d.project_id = ${bound(project.id)} AND d.id IN (SELECT dashboard_id FROM removed) ORDER BY d.id`,
  );
  return rows;
};

interface Candidate extends NamedDashboard {
  readonly tiles: number;
  readonly next_position: number;
  readonly has: boolean;
}

/** Adds a tile to the end of each of the dashboards that has none of the insight, and returns these dashboards. */
const addTiles = async (
  client: ClientBase,
  project: ProjectContext,
  insightId: number,
  dashboards: readonly number[],
): Promise<readonly NamedDashboard[]> => {
  const { rows } = await client.query<Candidate>(
    pgSql`
      SELECT d.id, d.name, count(t.id)::integer + jsonb_array_length(d.texts) AS tiles, coalesce(max(t.position) + 1, 0) AS next_position,
        coalesce(bool_or(t.insight_id = ${bound(insightId)}), false) AS has
      FROM dashboards AS d
      LEFT JOIN dashboard_tiles AS t ON t.project_id = d.project_id AND t.dashboard_id = d.id
      WHERE d.project_id = ${bound(project.id)} AND d.id = ANY (${bound(dashboards)}::integer[])
      GROUP BY d.id, d.name, d.texts ORDER BY d.id`,
  );
  for (const [at, id] of dashboards.entries()) {
    const attr = `dashboards.${at}`;
    const found = rows.find((row) => row.id === id);
    if (!found)
      throw invalidInput(`${attr} must be the id of a dashboard of this project: there is no dashboard ${id}`, attr);
    if (!found.has && found.tiles >= maxTiles)
      throw invalidInput(`${attr}: dashboard ${id} has ${maxTiles} tiles, which is the most; remove one first`, attr);
  }
  const added = rows.filter(({ has }) => !has);
  if (added.length === 0) return [];
  const values = added.map(
    ({ id, next_position }) =>
      pgSql`(${bound(project.id)}, ${bound(id)}, ${bound(insightId)}, ${bound(next_position)}, ${bound(defaultTileWidth)})`,
  );
  await client.query(
    pgSql`INSERT INTO dashboard_tiles (project_id, dashboard_id, insight_id, position, width) VALUES ${joinedSql(values)}`,
  );
  return added;
};

/** Lets exactly these dashboards show the insight. The log gets an entry for each dashboard that changes. */
export const showOnlyOn = async (
  client: ClientBase,
  project: ProjectContext,
  insightId: number,
  dashboards: readonly number[],
  author: Author,
): Promise<void> => {
  const removed = await removeTiles(client, project, insightId, dashboards);
  const added = await addTiles(client, project, insightId, dashboards);
  const tile = [{ insight_id: insightId }];
  await logTiles(client, project, removed, { before: tile, after: [] }, author);
  await logTiles(client, project, added, { before: [], after: tile }, author);
};

/** Writes to the activity of dashboards that a tile came or went. */
export const logTiles = async (
  client: ClientBase,
  project: ProjectContext,
  dashboards: readonly NamedDashboard[],
  tiles: { readonly before: readonly object[]; readonly after: readonly object[] },
  author: Author,
): Promise<void> => {
  const change = { type: 'Dashboard', action: 'changed', field: 'tiles', ...tiles } as const;
  const entries = dashboards.map(
    ({ id, name }) =>
      ({ scope: 'Dashboard', itemId: String(id), activity: 'updated', name, changes: [change] }) as const,
  );
  if (entries.length > 0) await recordActivities(client, project, entries, author);
};
