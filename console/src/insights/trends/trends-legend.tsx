import { Button, Group } from '@mantine/core';
import { useState, type CSSProperties } from 'react';
import classes from './trends-legend.module.css';

interface TrendsLegendProps {
  /** The name of each line. */
  readonly names: readonly string[];
  /** The colour of each line that is drawn. */
  readonly colors: ReadonlyMap<number, string>;
  readonly onToggle: (line: number) => void;
  /** Called with the line under the pointer, and with null when it leaves. */
  readonly onPoint: (line: number | null) => void;
}

/** So many names are shown before the others are asked for. */
const mostAtFirst = 12;

/** The names of the lines: a click draws a line or takes it away, and the pointer on one brings it out. */
export function TrendsLegend({ names, colors, onToggle, onPoint }: TrendsLegendProps) {
  const [hasAll, setHasAll] = useState(names.length <= mostAtFirst);
  const listed = hasAll ? names : names.slice(0, mostAtFirst);
  return (
    <Group gap={4} justify="center" role="group" aria-label="Lines of the chart">
      {listed.map((name, line) => (
        <button
          key={line}
          type="button"
          className={`mantine-focus-auto ${classes.line}`}
          aria-pressed={colors.has(line)}
          title={name}
          style={{ '--mark': colors.get(line) } as CSSProperties}
          onClick={() => onToggle(line)}
          onPointerEnter={() => onPoint(line)}
          onPointerLeave={() => onPoint(null)}
          onFocus={() => onPoint(line)}
          onBlur={() => onPoint(null)}
        >
          <span className={classes.mark} aria-hidden />
          <span className={classes.name}>{name}</span>
        </button>
      ))}
      {!hasAll && (
        <Button variant="subtle" size="compact-xs" onClick={() => setHasAll(true)}>
          {names.length - mostAtFirst} more
        </Button>
      )}
    </Group>
  );
}
