import { type Tile } from '../../../api/types';

export const columns = 12;
export const maxHeight = 50;

/** Where a tile is in the grid, in columns and rows. */
export interface Place {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const placeOf = ({ id, layouts: { sm } }: Tile): Place => ({ id, ...sm });

/** A smaller tile has no room for what it shows. */
export const smallest = ({ insight_id: insight }: Tile): { readonly w: number; readonly h: number } =>
  insight === 0 ? { w: 2, h: 1 } : { w: 3, h: 3 };

const sharesColumns = (one: Place, other: Place): boolean => one.x < other.x + other.w && other.x < one.x + one.w;

const overlap = (one: Place, other: Place): boolean =>
  sharesColumns(one, other) && one.y < other.y + other.h && other.y < one.y + one.h;

const inOrder = (places: readonly Place[]): Place[] => [...places].sort((a, b) => a.y - b.y || a.x - b.x);

/** Lets each tile rise as far as nothing is in its way, in this order. */
const risen = (places: readonly Place[]): Place[] => {
  const done: Place[] = [];
  for (const place of places) {
    const isFree = (y: number): boolean => !done.some((other) => overlap({ ...place, y }, other));
    let { y } = place;
    while (y > 0 && isFree(y - 1)) y -= 1;
    while (!isFree(y)) y += 1;
    done.push({ ...place, y });
  }
  return inOrder(done);
};

/**
 * The grid with one tile at another place or of another size; the others make room. A tile that goes down changes with one below
 * it as soon as it covers half of it.
 */
export const withPlace = (places: readonly Place[], moved: Place): Place[] => {
  const w = Math.min(moved.w, columns);
  const place = { ...moved, w, x: Math.max(0, Math.min(moved.x, columns - w)), y: Math.max(0, moved.y) };
  const before = places.find(({ id }) => id === moved.id);
  const goesDown = before !== undefined && place.y > before.y;
  const isBefore = (other: Place): boolean =>
    goesDown && sharesColumns(other, place) ? other.y + other.h / 2 <= place.y + place.h : other.y < place.y;
  const others = inOrder(places.filter(({ id }) => id !== moved.id));
  return risen([...others.filter(isBefore), place, ...others.filter((other) => !isBefore(other))]);
};

const isSame = (one: readonly Place[], other: readonly Place[]): boolean =>
  one.every((place) => other.some(({ id, x, y }) => id === place.id && x === place.x && y === place.y));

/** A column to the side, or as many rows as change something. */
export const stepped = (places: readonly Place[], id: number, key: string): Place[] | null => {
  const place = places.find((one) => one.id === id);
  if (!place) return null;
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return withPlace(places, { ...place, x: place.x + (key === 'ArrowLeft' ? -1 : 1) });
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const last = Math.max(...places.map(({ y, h }) => y + h));
  for (let y = place.y; y >= 0 && y <= last; y += key === 'ArrowUp' ? -1 : 1) {
    const changed = withPlace(places, { ...place, y });
    if (!isSame(places, changed)) return changed;
  }
  return [...places];
};

/** Lets two tiles that follow each other change places. */
export const swapped = (places: readonly Place[], index: number, by: -1 | 1): Place[] => {
  const [one, other] = [places[index], places[index + by]];
  if (!one || !other) return [...places];
  const at = (place: Place, { x, y }: Place): Place => ({ ...place, x: Math.min(x, columns - place.w), y });
  const changed = places.map((place) => (place === one ? at(one, other) : place === other ? at(other, one) : place));
  return risen(inOrder(changed));
};
