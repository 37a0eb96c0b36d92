/** A grid has so many columns, and as many rows as its tiles need. */
export const columns = 12;

export const maxRow = 1000;
export const maxHeight = 50;
/** Of a text in place of a question. */
export const maxTileText = 4000;

/** A tile on its way into the grid; without a place it follows those before it. */
export interface Unplaced {
  readonly position: number;
  readonly x: number | null;
  readonly y: number | null;
  readonly width: number;
  readonly height: number;
}

export type Placed<Tile> = Tile & { readonly x: number; readonly y: number };

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const isFree = (box: Box, others: readonly Box[]): boolean => !others.some((other) => overlap(box, other));

/** Moves a box up as far as nothing is in its way, or else down to the first free row. */
const risen = (box: Box, others: readonly Box[]): number => {
  let { y } = box;
  while (y > 0 && isFree({ ...box, y: y - 1 }, others)) y -= 1;
  while (!isFree({ ...box, y }, others)) y += 1;
  return y;
};

/** The first place, row by row, that is not before that of the last tile. */
const nextPlace = ({ width, height }: Pick<Box, 'width' | 'height'>, others: readonly Box[]): Box => {
  const last = others.at(-1) ?? { x: 0, y: 0 };
  for (let { y } = last, from = last.x; ; y += 1, from = 0)
    for (let x = from; x + width <= columns; x += 1)
      if (isFree({ x, y, width, height }, others)) return { x, y, width, height };
};

const byPlace = (one: Box, other: Box): number => one.y - other.y || one.x - other.x;

/**
 * Gives each tile a place in which it covers no other one and has no empty rows above it, and numbers the tiles from the upper
 * left to the lower right. Tiles that have such places keep them.
 */
export const arranged = <Tile extends Unplaced>(tiles: readonly Tile[]): Placed<Tile>[] => {
  const isPlaced = (tile: Tile): tile is Placed<Tile> => tile.x !== null && tile.y !== null;
  const done: Placed<Tile>[] = [];
  const add = (tile: Tile, box: Box): number => done.push({ ...tile, x: box.x, y: risen(box, done) });
  for (const tile of tiles.filter(isPlaced).sort(byPlace))
    add(tile, { ...tile, x: Math.max(0, Math.min(tile.x, columns - tile.width)) });
  const others = tiles.filter((tile) => !isPlaced(tile)).sort((a, b) => a.position - b.position);
  for (const tile of others) add(tile, nextPlace(tile, done));
  return done.sort(byPlace).map((tile, position) => ({ ...tile, position }));
};
