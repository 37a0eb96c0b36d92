import { ScrollArea, Table, Text, UnstyledButton } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { Chart, type ChartPoint } from '../../charts/chart';
import { useQuestion } from '../../address/search';
import { capital } from '../../filters/account-words';
import { EmptyState } from '../../ui/empty-state';
import { formatCount, formatNumber, formatShare } from '../../ui/format';
import { NumberCell } from '../answer/number-cell';
import { useActors } from '../actors';
import { type AnswerProps } from '../kind';
import { curveOption, firstDrawn, rowOfLine } from './curve-option';
import classes from './heat-map.module.css';
import {
  cellPoint,
  cellTitle,
  highestRate,
  isOfCounts,
  isUnfinished,
  rowLabels,
  type RetentionInsight,
} from './retention';

/** One row for each interval in which persons began; each cell is darker the more of them came back. */
export function RetentionAnswer({ insight, openPersons, onPicture }: AnswerProps<RetentionInsight>) {
  const [question] = useQuestion();
  const [one, many] = useActors().noun;
  const labels = rowLabels(insight);
  const highest = highestRate(insight);
  const hasCounts = isOfCounts(question);
  if (insight.matrix.every((row) => row[0] === 0)) {
    return (
      <EmptyState title={`No ${one} started in these intervals`}>
        Try another first event, more intervals or fewer filters.
      </EmptyState>
    );
  }
  const hasUnfinished = insight.matrix.some((row, at) => isUnfinished(insight, at, row.length - 1));
  return (
    <>
      <ScrollArea type="auto" offsetScrollbars="present">
        <Table className={`${classes.table} numbers`} fz="sm" withRowBorders={false} aria-label="Retention">
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.first}>Began</Table.Th>
              <Table.Th ta="right">{capital(many)}</Table.Th>
              {insight.labels.map((label) => (
                <Table.Th key={label} ta="center" className={classes.cell}>
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {insight.mean && (
              <Table.Tr>
                <Table.Th scope="row" className={classes.first}>
                  Mean
                </Table.Th>
                <Table.Td />
                {insight.labels.map((label, later) => {
                  const isOver = !isUnfinished(insight, 0, later);
                  const rate = isOver ? insight.mean?.[later] : undefined;
                  return (
                    <Table.Td
                      key={label}
                      className={classes.cell}
                      fw={600}
                      title={isOver ? undefined : 'This interval is not over in any row'}
                    >
                      {rate === undefined ? '–' : formatShare(rate)}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            )}
            {insight.matrix.map((row, at) => (
              <Table.Tr key={at}>
                <Table.Th scope="row" fw={500} className={classes.first}>
                  {labels[at]}
                </Table.Th>
                <Table.Td ta="right">
                  <NumberCell
                    cell={{ value: row[0] ?? 0, point: cellPoint(insight, at, 0) }}
                    openPersons={openPersons}
                  />
                </Table.Td>
                {row.map((count, later) => (
                  <Table.Td key={later} className={classes.cell}>
                    <HeatCell
                      count={count}
                      rate={insight.rates[at]?.[later] ?? 0}
                      highest={later === 0 ? null : highest}
                      hasCounts={hasCounts}
                      isEmpty={row[0] === 0}
                      isUnfinished={isUnfinished(insight, at, later)}
                      title={cellTitle(insight, at, later)}
                      onOpen={() => openPersons(cellPoint(insight, at, later))}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      {hasUnfinished && (
        <Text size="xs" c="dimmed">
          A dashed border marks an interval that is still running: its numbers can grow.
        </Text>
      )}
      {insight.labels.length > 1 && <Curve insight={insight} openPersons={openPersons} onPicture={onPicture} />}
    </>
  );
}

function Curve({
  insight,
  openPersons,
  onPicture,
}: Pick<AnswerProps<RetentionInsight>, 'insight' | 'openPersons' | 'onPicture'>) {
  const [, many] = useActors().noun;
  const option = useMemo(() => curveOption(insight), [insight]);
  const open = useCallback(
    ({ seriesIndex, dataIndex }: ChartPoint) => {
      const row = rowOfLine(insight, seriesIndex);
      if (row !== undefined) openPersons(cellPoint(insight, row, dataIndex + firstDrawn));
    },
    [insight, openPersons],
  );
  return (
    <Chart
      option={option}
      label={`The share of ${many} that came back in each later interval. The table below has the numbers.`}
      height={260}
      onPoint={open}
      onReady={onPicture}
    />
  );
}

function HeatCell({
  count,
  rate,
  highest,
  hasCounts,
  isEmpty,
  isUnfinished: isGrowing,
  title,
  onOpen,
}: {
  readonly count: number;
  readonly rate: number;
  /** Null: the cell is not shaded. */
  readonly highest: number | null;
  readonly hasCounts: boolean;
  /** No person began in the row, so there is no share. */
  readonly isEmpty: boolean;
  readonly isUnfinished: boolean;
  readonly title: string;
  readonly onOpen: () => void;
}) {
  const counted = formatCount(count, ...useActors().noun);
  const shade = highest === null || highest === 0 || rate === 0 ? 0 : 0.08 + 0.6 * (rate / highest);
  const share = isEmpty ? '–' : formatShare(rate);
  const text = hasCounts ? formatNumber(count) : share;
  return (
    <UnstyledButton
      className={isGrowing ? `${classes.open} ${classes.unfinished}` : classes.open}
      style={{ background: `rgb(91 99 233 / ${shade.toFixed(3)})` }}
      disabled={count === 0}
      title={`${counted} (${share}), ${title}${isGrowing ? ', so far' : ''}`}
      aria-label={`${text}: ${counted}, ${title}`}
      onClick={onOpen}
    >
      {text}
    </UnstyledButton>
  );
}
