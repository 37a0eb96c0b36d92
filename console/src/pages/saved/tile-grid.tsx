import { ActionIcon } from '@mantine/core';
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
import { type Dashboard } from '../../api/types';
import classes from './tile-grid.module.css';

type Tile = Dashboard['tiles'][number];

const columns = 12;
/** A narrower tile has no room for its picture. */
const narrowest = 3;

interface TileGridProps {
  readonly tiles: readonly Tile[];
  readonly nameOf: (tile: Tile) => string;
  /** Null if the user may not change the dashboard. */
  readonly onChange: ((tiles: readonly Tile[]) => void) | null;
  /** `grip` moves the tile. */
  readonly children: (tile: Tile, index: number, grip: ReactNode) => ReactNode;
}

const moved = (tiles: readonly Tile[], from: number, to: number): Tile[] => {
  const order = [...tiles];
  const [tile] = order.splice(from, 1);
  if (tile) order.splice(Math.max(0, Math.min(to, tiles.length - 1)), 0, tile);
  return order;
};

const stepOf = ({ key }: KeyboardEvent): number | undefined =>
  ({ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 })[key];

/** Tiles beside each other, which are dragged to another place and made wider by their edge, or by the arrow keys. */
export function TileGrid({ tiles, nameOf, onChange, children }: TileGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [sizing, setSizing] = useState<{ readonly id: number; readonly width: number } | null>(null);

  // Two keys may come before the tiles are drawn anew.
  const latest = useRef(tiles);
  useLayoutEffect(() => {
    latest.current = tiles;
  }, [tiles]);
  const change = (changed: readonly Tile[]): void => {
    latest.current = changed;
    onChange?.(changed);
  };
  const resize = (id: number, widthFrom: (width: number) => number): void => {
    const fitting = ({ width }: Tile): number => Math.max(narrowest, Math.min(columns, widthFrom(width)));
    change(latest.current.map((tile) => (tile.id === id ? { ...tile, width: fitting(tile) } : tile)));
  };
  const pull = (event: PointerEvent<HTMLDivElement>, tile: Tile): void => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    const full = grid.current?.getBoundingClientRect().width;
    if (!box || !full) return;
    const widthAt = ({ clientX }: { readonly clientX: number }): number =>
      Math.max(narrowest, Math.min(columns, Math.round(((clientX - box.left) / full) * columns)));
    const edge = event.currentTarget;
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = (move) => setSizing({ id: tile.id, width: widthAt(move) });
    edge.onpointerup = (end) => {
      edge.onpointermove = null;
      edge.onpointerup = null;
      setSizing(null);
      if (widthAt(end) !== tile.width) resize(tile.id, () => widthAt(end));
    };
  };

  return (
    <div ref={grid} className={classes.grid}>
      {tiles.map((tile, index) => {
        const width = sizing?.id === tile.id ? sizing.width : tile.width;
        const grip = onChange && (
          <ActionIcon
            variant="subtle"
            color="gray"
            className={`no-print ${classes.grip}`}
            aria-label={`Move the tile ${nameOf(tile)}: ${index + 1} of ${tiles.length}`}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', String(tile.id));
              setDragged(tile.id);
            }}
            onDragEnd={() => {
              setDragged(null);
              setOver(null);
            }}
            onKeyDown={(event) => {
              const step = stepOf(event);
              if (step === undefined) return;
              event.preventDefault();
              const at = latest.current.findIndex(({ id }) => id === tile.id);
              change(moved(latest.current, at, at + step));
            }}
          >
            <IconGripVertical size={18} />
          </ActionIcon>
        );
        return (
          <div
            key={tile.id}
            className={classes.tile}
            style={{ '--columns': width } as CSSProperties}
            data-dragged={dragged === tile.id || undefined}
            // The place is only marked: a browser ends the drag of an element that moves.
            data-over={(dragged !== null && dragged !== tile.id && over === tile.id) || undefined}
            onDragEnter={() => setOver(tile.id)}
            onDragOver={(event) => {
              if (dragged !== null) event.preventDefault();
            }}
            onDrop={(event) => {
              event.preventDefault();
              const from = tiles.findIndex(({ id }) => id === dragged);
              if (from >= 0 && from !== index) change(moved(tiles, from, index));
            }}
          >
            {children(tile, index, grip)}
            {onChange && (
              <div
                className={classes.edge}
                role="separator"
                aria-orientation="vertical"
                aria-label={`Width of the tile ${nameOf(tile)}`}
                aria-valuenow={width}
                aria-valuemin={narrowest}
                aria-valuemax={columns}
                tabIndex={0}
                onPointerDown={(event) => pull(event, tile)}
                onKeyDown={(event) => {
                  const step = stepOf(event);
                  if (step === undefined) return;
                  event.preventDefault();
                  resize(tile.id, (width) => width + step);
                }}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
