import { type Schemas } from '../../api/types';
import { textOf, type Question } from '../../address/search';
import { formatShare } from '../../ui/format';
import { axisLabels, dayText, unfinishedAt } from '../../charts/days';
import { type Cell, type NumbersTable, type Point } from '../kind';

export type RetentionInsight = Schemas['RetentionDto'];

export const periods = ['Hour', 'Day', 'Week', 'Month'] as const;

export const periodOf = ({ period }: Question): string => textOf(period) ?? 'Day';

export const isOfCounts = ({ retention_reference }: Question): boolean => retention_reference === 'count';

/** The distance from the interval of the row to the last interval that a cell counts. */
const lastOf = ({ brackets }: RetentionInsight, later: number): number =>
  brackets === null ? later : brackets.slice(0, later).reduce((sum, size) => sum + size, 0);

/** The last interval may still be going on, or a bracket may reach beyond it: its numbers grow. */
export const isUnfinished = (insight: RetentionInsight, row: number, later: number): boolean => {
  const unfinished = unfinishedAt(insight.dates, insight);
  return unfinished >= 0 && row + lastOf(insight, later) >= unfinished;
};

export const rowLabels = (insight: RetentionInsight): string[] => axisLabels(insight.dates, insight);

export const cellTitle = ({ dates, interval, labels }: RetentionInsight, row: number, later: number): string =>
  `Began ${dayText(dates[row] ?? '', interval)}, ${labels[later]}`;

/** The persons who began in the row and count in the cell. */
export const cellPoint = (insight: RetentionInsight, row: number, later: number): Point => ({
  title: cellTitle(insight, row, later),
  intervals: insight.labels.slice(0, insight.matrix[row]?.length),
  params: { selected_interval: row, return_interval: later },
});

/** How often in all rows persons came back, at most: the darkest cell of the picture. */
export const highestRate = ({ rates }: RetentionInsight): number =>
  Math.max(0, ...rates.flatMap((row) => row.slice(1)));

/** The exact numbers for the CSV file. */
export const retentionTable = (insight: RetentionInsight): NumbersTable => {
  const labels = rowLabels(insight);
  return {
    caption: 'Retention',
    columns: ['Began', ...insight.labels],
    rows: [
      ...insight.matrix.map((row, at): Cell[] => [
        { value: labels[at] ?? '' },
        ...row.map((value, later) => ({ value, text: `${value} (${formatShare(insight.rates[at]?.[later] ?? 0)})` })),
      ]),
      ...(insight.mean === null ? [] : [[{ value: 'Mean of the rates' }, ...insight.mean.map((value) => ({ value }))]]),
    ],
  };
};
