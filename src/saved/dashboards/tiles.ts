import { type ClientBase } from 'pg';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { bound, joinedSql, pgSql } from '../../platform/postgres/sql.js';
import { defaultTileWidth } from '../saved.dto.js';
import { type TileBody, type TileDto } from './dashboard.dto.js';

export type StoredTile = Pick<TileDto, 'id' | 'insight_id' | 'position' | 'width'>;

/** A tile before it has an id. */
export type PlacedTile = Omit<StoredTile, 'id'> & { readonly id: number | null };

/** Sorts tiles by position, and numbers them from 0. A tile without a position has its index in the list as position. */
export const placedTiles = (sent: readonly TileBody[]): PlacedTile[] =>
  sent
    .map(({ id, insight_id, position, order, width }, at) => ({
      id: id ?? null,
      insight_id,
      position: position ?? order ?? at,
      width: width ?? defaultTileWidth,
    }))
    .sort((a, b) => a.position - b.position)
    .map((tile, position) => ({ ...tile, position }));

/** Refuses ids of tiles that the dashboard does not have, or that are sent twice, and unknown insights. */
export const assertKnownTiles = async (
  client: ClientBase,
  project: ProjectContext,
  sent: readonly TileBody[],
  before: readonly StoredTile[],
): Promise<void> => {
  const known = new Set(before.map(({ id }) => id));
  for (const [at, { id }] of sent.entries()) {
    if (id === undefined || id === null || known.delete(id)) continue;
    const attr = `tiles.${at}.id`;
    throw invalidInput(`${attr} must be the id of a tile of this dashboard, once, or be left out`, attr);
  }
  const ids = sent.map(({ insight_id: id }) => id);
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT id FROM insights WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(ids)}::integer[])`,
  );
  const insights = new Set(rows.map(({ id }) => id));
  const missing = ids.findIndex((id) => !insights.has(id));
  if (missing < 0) return;
  const attr = `tiles.${missing}.insight_id`;
  throw invalidInput(`${attr} must be the id of an insight of this project: there is no insight ${ids[missing]}`, attr);
};

/** Replaces all tiles of a dashboard; tiles with an id keep it. */
export const storeTiles = async (
  client: ClientBase,
  project: ProjectContext,
  dashboardId: number,
  tiles: readonly PlacedTile[],
): Promise<void> => {
  const ids = tiles.flatMap(({ id }) => (id === null ? [] : [id]));
  await client.query(
    pgSql`DELETE FROM dashboard_tiles
     WHERE project_id = ${bound(project.id)} AND dashboard_id = ${bound(dashboardId)} AND id <> ALL (${bound(ids)}::integer[])`,
  );
  await client.query(
    pgSql`UPDATE dashboard_tiles AS t SET insight_id = sent.insight_id, position = sent.position, width = sent.width
     FROM jsonb_to_recordset(${bound(JSON.stringify(tiles))}::jsonb)
       AS sent (id integer, insight_id integer, position integer, width integer)
     WHERE t.project_id = ${bound(project.id)} AND t.dashboard_id = ${bound(dashboardId)} AND t.id = sent.id`,
  );
  const added = tiles
    .filter(({ id }) => id === null)
    .map(
      ({ insight_id, position, width }) =>
        pgSql`(${bound(project.id)}, ${bound(dashboardId)}, ${bound(insight_id)}, ${bound(position)}, ${bound(width)})`,
    );
  // Inserts by VALUES, because Citus would run a SELECT on its nodes, which have no integers of their own for ids.
  if (added.length > 0)
    await client.query(
      pgSql`INSERT INTO dashboard_tiles (project_id, dashboard_id, insight_id, position, width) VALUES ${joinedSql(added)}`,
    );
};
