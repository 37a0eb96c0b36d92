import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import {
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { type Tile } from '../../../api/types';
import { columns, maxHeight, placeOf, smallest, stepped, withPlace, type Place } from './grid';
import classes from './tile-grid.module.css';

interface TileGridProps {
  readonly tiles: readonly Tile[];
  readonly nameOf: (tile: Tile) => string;
  /** Null if the user may not change the dashboard. */
  readonly onChange: ((places: readonly Place[]) => void) | null;
  /** `grip` moves the tile. */
  readonly children: (tile: Tile, index: number, grip: ReactNode) => ReactNode;
}

/** A tile under way: where it will be, and how far the pointer has taken it. */
interface Drag {
  readonly place: Place;
  readonly by: readonly [x: number, y: number] | null;
}

const styleOf = ({ x, y, w, h }: Place): CSSProperties => ({ '--x': x, '--y': y, '--w': w, '--h': h }) as CSSProperties;

/** Where a pointer near the edge of the window takes the page. */
const scrollAt = (y: number): number => (y < 60 ? -14 : y > window.innerHeight - 40 ? 14 : 0);

/** Tiles in rows and columns, which are dragged to other places and made larger by their edges, or by the arrow keys. */
export function TileGrid({ tiles, nameOf, onChange, children }: TileGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [said, say] = useState('');
  // Two keys may come before the tiles are drawn anew.
  const latest = useRef<readonly Place[]>([]);
  useLayoutEffect(() => {
    latest.current = tiles.map(placeOf);
  }, [tiles]);

  const change = (changed: readonly Place[], id: number): void => {
    latest.current = changed;
    onChange?.(changed);
    const place = changed.find((one) => one.id === id);
    if (place) say(`Column ${place.x + 1}, row ${place.y + 1}, ${place.w} by ${place.h}`);
  };
  const sized = (tile: Tile, { w, h, ...place }: Place): Place => {
    const least = smallest(tile);
    return {
      ...place,
      w: Math.max(least.w, Math.min(columns - place.x, w)),
      h: Math.max(least.h, Math.min(maxHeight, h)),
    };
  };
  const resize = (tile: Tile, by: { readonly w?: number; readonly h?: number }): void => {
    const place = latest.current.find(({ id }) => id === tile.id);
    if (!place) return;
    const next = sized(tile, { ...place, w: place.w + (by.w ?? 0), h: place.h + (by.h ?? 0) });
    change(withPlace(latest.current, next), tile.id);
  };

  /** Follows the pointer until it is released; Escape gives up. */
  const follow = (
    event: PointerEvent<HTMLElement>,
    tile: Tile,
    at: (place: Place, cells: readonly [x: number, y: number]) => Place,
    isMove: boolean,
  ): void => {
    const start = latest.current.find(({ id }) => id === tile.id);
    if (!start || !grid.current || event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.focus();
    const { width } = grid.current.getBoundingClientRect();
    const style = getComputedStyle(grid.current);
    const gap = parseFloat(style.columnGap);
    const [column, row] = [(width + gap) / columns, parseFloat(style.gridAutoRows) + gap];
    const [fromX, fromY] = [event.pageX, event.pageY];
    const placeAt = (move: globalThis.PointerEvent): Drag => {
      const by = [move.pageX - fromX, move.pageY - fromY] as const;
      return {
        place: at(start, [Math.round(by[0] / column), Math.round(by[1] / row)]),
        by: isMove ? by : null,
      };
    };
    const listeners = new AbortController();
    const options = { signal: listeners.signal };
    const end = (): void => {
      listeners.abort();
      setDrag(null);
    };
    window.addEventListener(
      'pointermove',
      (move) => {
        window.scrollBy(0, scrollAt(move.clientY));
        setDrag(placeAt(move));
      },
      options,
    );
    window.addEventListener(
      'pointerup',
      (up) => {
        end();
        const { place } = placeAt(up);
        if (JSON.stringify(place) !== JSON.stringify(start)) change(withPlace(latest.current, place), tile.id);
      },
      options,
    );
    window.addEventListener('pointercancel', end, options);
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), options);
  };

  const pull = (tile: Tile, sides: { readonly w: 0 | 1; readonly h: 0 | 1 }) => (event: PointerEvent<HTMLElement>) =>
    follow(
      event,
      tile,
      (place, [x, y]) => sized(tile, { ...place, w: place.w + x * sides.w, h: place.h + y * sides.h }),
      false,
    );
  const places = tiles.map(placeOf);
  const shown = drag ? withPlace(places, drag.place) : places;
  const placeIn = (list: readonly Place[], tile: Tile): Place => list.find(({ id }) => id === tile.id) ?? placeOf(tile);
  const target = drag?.by && shown.find(({ id }) => id === drag.place.id);

  return (
    <div ref={grid} className={classes.grid} data-busy={drag !== null || undefined}>
      {tiles.map((tile, index) => {
        const isDragged = drag?.by && drag.place.id === tile.id;
        const place = placeIn(isDragged ? places : shown, tile);
        const name = nameOf(tile);
        const grip = onChange && (
          <ActionIcon
            variant="subtle"
            color="gray"
            className={`no-print ${classes.grip}`}
            aria-label={`Move the tile ${name}: ${index + 1} of ${tiles.length}`}
            onPointerDown={(event) =>
              follow(event, tile, (from, [x, y]) => ({ ...from, x: from.x + x, y: from.y + y }), true)
            }
            onKeyDown={(event) => {
              const changed = stepped(latest.current, tile.id, event.key);
              if (!changed) return;
              event.preventDefault();
              change(changed, tile.id);
            }}
          >
            <IconGripVertical size={18} />
          </ActionIcon>
        );
        return (
          <div
            key={tile.id}
            className={classes.tile}
            style={{
              ...styleOf(place),
              ...(isDragged && drag.by ? { transform: `translate(${drag.by.map((by) => `${by}px`).join(', ')})` } : {}),
            }}
            data-text={tile.insight_id === 0 || undefined}
            data-dragged={isDragged ? true : undefined}
          >
            {children(tile, index, grip)}
            {onChange && (
              <>
                <Edge
                  side="right"
                  label={`Width of the tile ${name}`}
                  value={place.w}
                  bounds={[smallest(tile).w, columns]}
                  onPull={pull(tile, { w: 1, h: 0 })}
                  onStep={(step) => resize(tile, { w: step })}
                />
                <Edge
                  side="bottom"
                  label={`Height of the tile ${name}`}
                  value={place.h}
                  bounds={[smallest(tile).h, maxHeight]}
                  onPull={pull(tile, { w: 0, h: 1 })}
                  onStep={(step) => resize(tile, { h: step })}
                />
                <div className={classes.corner} data-corner onPointerDown={pull(tile, { w: 1, h: 1 })} />
              </>
            )}
          </div>
        );
      })}
      {target && <div className={classes.target} style={styleOf(target)} />}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </div>
  );
}

interface EdgeProps {
  readonly side: 'right' | 'bottom';
  readonly label: string;
  readonly value: number;
  readonly bounds: readonly [least: number, most: number];
  readonly onPull: (event: PointerEvent<HTMLElement>) => void;
  readonly onStep: (step: -1 | 1) => void;
}

const steps: Partial<Readonly<Record<string, -1 | 1>>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

function Edge({ side, label, value, bounds: [least, most], onPull, onStep }: EdgeProps) {
  return (
    <div
      className={classes.edge}
      data-side={side}
      role="separator"
      aria-orientation={side === 'right' ? 'vertical' : 'horizontal'}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={onPull}
      onKeyDown={(event: KeyboardEvent) => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        onStep(step);
      }}
    />
  );
}
