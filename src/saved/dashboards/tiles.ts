import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { isFields, readInteger, requireObject, type Fields } from '../../platform/fields/values.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { bound, joinedSql, pgSql } from '../../platform/postgres/sql.js';
import { defaultTileHeight, defaultTileWidth } from '../saved.dto.js';
import { type TileBody } from './dashboard.dto.js';
import { arranged, columns, maxHeight, maxRow, maxTileText, type Placed, type Unplaced } from './grid.js';

/** A tile shows a saved question, or a text. */
export type TileContent =
  | { readonly insight_id: number; readonly body: null }
  | { readonly insight_id: null; readonly body: string };

type Tile = TileContent & Unplaced & { readonly id: number | null };

/** A tile in its place, before it has an id. */
export type PlacedTile = Placed<Tile>;

export type StoredTile = PlacedTile & { readonly id: number };

interface SentTile {
  readonly tile: Tile;
  /** True if `layouts` has another place or size than was read. */
  readonly isMoved: boolean;
  /** True if the fields beside `layouts` have another size, or are all that was sent of a tile that was there. */
  readonly isOther: boolean;
}

/**
 * Gives tiles their places. Those of `layouts` count, unless they are as they were read while the order or the sizes beside them
 * changed: then the tiles follow each other.
 */
export const placedTiles = (sent: readonly TileBody[], before: readonly StoredTile[]): PlacedTile[] => {
  const read = sent.map((tile, at) => readTile(tile, at, before.find(({ id }) => id === tile.id) ?? null));
  const ids = [...read].sort((a, b) => a.tile.position - b.tile.position).flatMap(({ tile: { id } }) => id ?? []);
  const isOtherOrder = !isDeepStrictEqual(
    ids,
    before.map(({ id }) => id).filter((id) => ids.includes(id)),
  );
  const keepsPlaces = read.some(({ isMoved }) => isMoved) || !(isOtherOrder || read.some(({ isOther }) => isOther));
  return arranged(read.map(({ tile }) => (keepsPlaces ? tile : { ...tile, x: null, y: null })));
};

const readTile = (sent: TileBody, at: number, before: StoredTile | null): SentTile => {
  const attr = `tiles.${at}`;
  const layout = readLayout(sent.layouts, `${attr}.layouts`);
  const width = sent.width ?? layout?.w ?? defaultTileWidth;
  const height = sent.height ?? before?.height ?? layout?.h ?? defaultTileHeight;
  const position = sent.position ?? sent.order ?? at;
  const own = { id: sent.id ?? null, ...readContent(sent, attr), position, width, height };
  if (!layout) return { tile: { ...own, x: null, y: null }, isMoved: false, isOther: before !== null };
  const { x, y, w, h } = layout;
  if (!before || x !== before.x || y !== before.y || w !== before.width || h !== before.height)
    return { tile: { ...own, x, y, width: w, height: h }, isMoved: true, isOther: false };
  return { tile: { ...own, x, y }, isMoved: false, isOther: width !== w || height !== h };
};

const readContent = ({ insight_id: insight, text }: TileBody, attr: string): TileContent => {
  if (!text) {
    if (!insight) throw required(`${attr}.insight_id`);
    return { insight_id: insight, body: null };
  }
  if (insight) throw invalidInput(`${attr} must have insight_id or text, not both`, attr);
  const { body } = requireObject(text, `${attr}.text`);
  if (typeof body !== 'string' || body.trim() === '' || body.length > maxTileText || body.includes('\0'))
    throw invalidInput(`${attr}.text.body must be a text of 1 to ${maxTileText} characters`, `${attr}.text.body`);
  return { insight_id: null, body };
};

/** The place of a tile on a wide screen: others have one column. */
const readLayout = (layouts: Fields | null | undefined, attr: string) => {
  const sm = layouts?.sm;
  if (sm === undefined || sm === null) return null;
  if (!isFields(sm))
    throw invalidInput(`${attr}.sm must be an object such as {"x": 0, "y": 0, "w": 6, "h": 5}`, `${attr}.sm`);
  const read = (name: string, min: number, max: number): number => {
    if (sm[name] === undefined || sm[name] === null) throw required(`${attr}.sm.${name}`);
    return readInteger(sm[name], `${attr}.sm.${name}`, { min, max });
  };
  return {
    x: read('x', 0, columns - 1),
    y: read('y', 0, maxRow),
    w: read('w', 1, columns),
    h: read('h', 1, maxHeight),
  };
};

/** Refuses ids of tiles that the dashboard does not have, or that are sent twice, and unknown insights. */
export const assertKnownTiles = async (
  client: ClientBase,
  project: ProjectContext,
  sent: readonly TileBody[],
  before: readonly StoredTile[],
): Promise<void> => {
  const known = new Map(before.map((tile) => [tile.id, tile]));
  for (const [at, { id, text }] of sent.entries()) {
    if (id === undefined || id === null) continue;
    const isText = text !== undefined && text !== null;
    const found = known.get(id);
    const attr = `tiles.${at}.id`;
    if (found && (found.body !== null) !== isText)
      throw invalidInput(`${attr} is that of a tile with ${isText ? 'an insight' : 'a text'}: leave it out`, attr);
    if (!known.delete(id))
      throw invalidInput(`${attr} must be the id of a tile of this dashboard, once, or be left out`, attr);
  }
  const ids = sent.flatMap(({ insight_id: id }) => (id ? [id] : []));
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT id FROM insights WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(ids)}::integer[])`,
  );
  const insights = new Set(rows.map(({ id }) => id));
  const missing = sent.findIndex(({ insight_id: id }) => id && !insights.has(id));
  if (missing < 0) return;
  const attr = `tiles.${missing}.insight_id`;
  const id = sent[missing]?.insight_id;
  throw invalidInput(`${attr} must be the id of an insight of this project: there is no insight ${id}`, attr);
};

/** Replaces all tiles of a dashboard; tiles with an id keep it. */
export const storeTiles = async (
  client: ClientBase,
  project: ProjectContext,
  dashboardId: number,
  tiles: readonly PlacedTile[],
): Promise<void> => {
  await storeTexts(
    client,
    project,
    dashboardId,
    tiles.filter(({ body }) => body !== null),
  );
  const shown = tiles.filter(({ body }) => body === null);
  const ids = shown.flatMap(({ id }) => (id === null ? [] : [id]));
  await client.query(
    pgSql`DELETE FROM dashboard_tiles
     WHERE project_id = ${bound(project.id)} AND dashboard_id = ${bound(dashboardId)} AND id <> ALL (${bound(ids)}::integer[])`,
  );
  await client.query(
    pgSql`UPDATE dashboard_tiles AS t SET insight_id = sent.insight_id, position = sent.position, width = sent.width,
       x = sent.x, y = sent.y, height = sent.height
     FROM jsonb_to_recordset(${bound(JSON.stringify(shown))}::jsonb)
       AS sent (id integer, insight_id integer, position integer, width integer, x integer, y integer, height integer)
     WHERE t.project_id = ${bound(project.id)} AND t.dashboard_id = ${bound(dashboardId)} AND t.id = sent.id`,
  );
  const added = shown
    .filter(({ id }) => id === null)
    .map(
      ({ insight_id, position, width, x, y, height }) =>
        pgSql`(${bound(project.id)}, ${bound(dashboardId)}, ${bound(insight_id)}, ${bound(position)}, ${bound(width)},
          ${bound(x)}, ${bound(y)}, ${bound(height)})`,
    );
  // Inserts by VALUES, because Citus would run a SELECT on its nodes, which have no integers of their own for ids.
  if (added.length > 0)
    await client.query(
      pgSql`INSERT INTO dashboard_tiles (project_id, dashboard_id, insight_id, position, width, x, y, height) VALUES ${joinedSql(added)}`,
    );
};

/** Texts are kept beside the dashboard, because the release before expects an insight in each row of a tile. */
const storeTexts = async (
  client: ClientBase,
  project: ProjectContext,
  dashboardId: number,
  texts: readonly PlacedTile[],
): Promise<void> => {
  const made = texts.filter(({ id }) => id === null).length;
  // The ids are those of tiles, so that no two tiles of a dashboard have the same one.
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT nextval(pg_get_serial_sequence('dashboard_tiles', 'id'))::integer AS id FROM generate_series(1, ${bound(made)}::integer)`,
  );
  const ids = rows.map(({ id }) => id);
  const stored = texts.map(({ id, body, position, x, y, width, height }) => ({
    ...{ id: id ?? ids.shift(), body, position, x, y, width, height },
  }));
  await client.query(
    pgSql`UPDATE dashboards SET texts = ${bound(JSON.stringify(stored))}::jsonb
     WHERE project_id = ${bound(project.id)} AND id = ${bound(dashboardId)}`,
  );
};
