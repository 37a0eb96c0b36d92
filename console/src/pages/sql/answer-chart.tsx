import { Paper } from '@mantine/core';
import { useMemo } from 'react';
import { Chart } from '../../charts/chart';
import { cellText, isNumeric, type SqlAnswer } from '../../insights/sql/sql-answer';

interface Drawn {
  readonly label: number;
  readonly values: readonly number[];
  readonly isLine: boolean;
}

/** The first column that is not a number names the points, each column of numbers is a series; null if there is none. */
export const chartOf = (answer: SqlAnswer): Drawn | null => {
  const indexes = answer.columns.map((_, index) => index);
  const values = indexes.filter((index) => isNumeric(answer, index));
  if (values.length === 0 || answer.results.length === 0) return null;
  const label = indexes.find((index) => !isNumeric(answer, index)) ?? values[0] ?? 0;
  const drawn = values.filter((index) => index !== label);
  if (drawn.length === 0) return null;
  return { label, values: drawn, isLine: /Date/.test(answer.types[label]?.[1] ?? '') };
};

const mostPoints = 200;

export function AnswerChart({ answer }: { readonly answer: SqlAnswer }) {
  const option = useMemo(() => {
    const drawn = chartOf(answer);
    if (!drawn) return {};
    const rows = answer.results.slice(0, mostPoints);
    return {
      grid: { left: 8, right: 16, top: 40, bottom: 8, containLabel: true },
      tooltip: { trigger: 'axis', renderMode: 'richText' },
      legend: { type: 'scroll', top: 4 },
      xAxis: { type: 'category', data: rows.map((row) => cellText(row[drawn.label])) },
      yAxis: { type: 'value' },
      series: drawn.values.map((column) => ({
        type: drawn.isLine ? 'line' : 'bar',
        name: answer.columns[column],
        data: rows.map((row) => Number(row[column] ?? 0)),
      })),
    };
  }, [answer]);
  return (
    <Paper withBorder p="sm">
      <Chart
        option={option}
        height={380}
        label={`The first ${mostPoints} rows of the answer, which the table has as text`}
      />
    </Paper>
  );
}
