import { Paper, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { EmptyState } from '../../ui/empty-state';
import { cellText, isNumeric } from './answer-columns';
import { type SqlAnswer } from './sql-answer';
import classes from './answer-grid.module.css';

const rowHeight = 32;

/** Only the rows in view are drawn, so that a thousand rows scroll as smoothly as ten. */
export function AnswerGrid({ answer }: { readonly answer: SqlAnswer }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, results } = answer;
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are used here only
  const rows = useVirtualizer({
    count: results.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  if (results.length === 0) return <EmptyState title="No rows">The question returned no rows.</EmptyState>;
  const template = columns
    .map((_, index) => (isNumeric(answer, index) ? 'minmax(110px, 1fr)' : 'minmax(170px, 2fr)'))
    .join(' ');
  return (
    <Paper withBorder ref={scroller} className={classes.scroller} tabIndex={0} role="region" aria-label="The answer">
      <div role="table" aria-rowcount={results.length + 1} className={classes.table}>
        <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
          {columns.map((name, index) => (
            <Text
              key={index}
              role="columnheader"
              size="sm"
              fw={600}
              truncate
              title={name}
              ta={isNumeric(answer, index) ? 'right' : 'left'}
            >
              {name}
            </Text>
          ))}
        </div>
        <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: rowHeight }}
            >
              {results[index]?.map((value, column) => {
                const isNull = value === null;
                const text = isNull ? 'null' : cellText(value);
                return (
                  <Text
                    key={column}
                    role="cell"
                    size="sm"
                    truncate
                    title={text}
                    c={isNull ? 'dimmed' : undefined}
                    className="numbers"
                    ta={isNumeric(answer, column) ? 'right' : 'left'}
                  >
                    {text}
                  </Text>
                );
              })}
            </div>
          ))}
        </div>
      </div>
    </Paper>
  );
}
