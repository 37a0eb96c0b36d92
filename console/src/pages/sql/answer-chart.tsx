import { Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Chart } from '../../charts/chart';
import { colorAt } from '../../charts/palette';
import { type SqlAnswer } from '../../insights/sql/sql-answer';
import { pointText, type TooltipPoint } from '../../charts/tooltip';
import { Choice } from '../../ui/choice';
import { formatNumber, formatShort } from '../../ui/format';
import { chartData, chartOf, isNumeric, mostPoints, type ChartColumns } from '../../insights/sql/answer-columns';

const none = 'none';

/** An answer with a column of numbers as lines or bars. */
export function AnswerChart({ answer }: { readonly answer: SqlAnswer }) {
  const [chosen, setChosen] = useState<Partial<ChartColumns>>({});
  const suggested = useMemo(() => chartOf(answer), [answer]);
  const drawn = useMemo(() => suggested && { ...suggested, ...chosen }, [suggested, chosen]);
  const data = useMemo(() => drawn && chartData(answer, drawn), [answer, drawn]);
  const option = useMemo(() => (drawn && data ? optionOf(drawn, data) : {}), [drawn, data]);
  if (!drawn || !data) return null;
  const columns = answer.columns.map((label, at) => ({ value: String(at), label }));
  const numbers = columns.filter((_, at) => isNumeric(answer, at));
  const texts = columns.filter((_, at) => !isNumeric(answer, at) && at !== drawn.label);
  return (
    <Paper withBorder p="md">
      <Group gap="sm" mb="sm" align="flex-end">
        <SegmentedControl
          size="xs"
          aria-label="Kind of chart"
          data={[
            { value: 'line', label: 'Line' },
            { value: 'bar', label: 'Bar' },
          ]}
          value={drawn.kind}
          onChange={(kind) => setChosen({ ...chosen, kind: kind })}
        />
        <Labelled label="X axis">
          <Choice
            aria-label="X axis"
            data={columns}
            value={String(drawn.label)}
            onChange={(label) => setChosen({ ...chosen, label: Number(label), split: null })}
          />
        </Labelled>
        <Labelled label="Y axis">
          <Choice
            aria-label="Y axis"
            data={[
              ...(suggested && suggested.values.length > 1 ? [{ value: 'all', label: 'All numbers' }] : []),
              ...numbers,
            ]}
            value={drawn.values.length > 1 ? 'all' : String(drawn.values[0])}
            onChange={(up) => setChosen({ ...chosen, values: up === 'all' ? (suggested?.values ?? []) : [Number(up)] })}
          />
        </Labelled>
        {texts.length > 0 && (
          <Labelled label="Breakdown">
            <Choice
              aria-label="Breakdown"
              data={[{ value: none, label: 'Nothing' }, ...texts]}
              value={drawn.split === null ? none : String(drawn.split)}
              onChange={(split) => setChosen({ ...chosen, split: split === none ? null : Number(split) })}
            />
          </Labelled>
        )}
      </Group>
      <Chart
        option={option}
        height={380}
        label={`${drawn.kind === 'line' ? 'Lines' : 'Bars'} of ${data.series.map(({ name }) => name).join(', ')}; the table has the same numbers as text`}
      />
      {data.omitted > 0 && (
        <Text size="xs" c="dimmed" className="numbers">
          {drawn.split === null
            ? `The first ${formatNumber(mostPoints)} rows are drawn.`
            : `The ${data.series.length} largest of ${formatNumber(data.series.length + data.omitted)} are drawn.`}
        </Text>
      )}
    </Paper>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" c="dimmed" aria-hidden>
        {label}
      </Text>
      {children}
    </Group>
  );
}

/** A time without what is the same in all of them: `2026-11-30 00:00:00.000` is a day. */
const shortTime = (label: string): string => label.replace(/^(\d{4}-\d\d-\d\d)[T ]00:00:00(?:\.0+)?Z?$/, '$1');

const optionOf = ({ kind }: ChartColumns, { labels, series }: ReturnType<typeof chartData>) => ({
  grid: { left: 8, right: 16, top: series.length > 1 ? 40 : 16, bottom: 8, containLabel: true },
  tooltip: {
    trigger: 'axis',
    renderMode: 'richText',
    confine: true,
    formatter: (points: readonly TooltipPoint[]) => pointText(points, formatNumber),
  },
  ...(series.length > 1 && { legend: { type: 'scroll', top: 4, icon: 'roundRect' } }),
  xAxis: { type: 'category', data: labels.map(shortTime), axisTick: { show: false } },
  yAxis: { type: 'value', axisLabel: { formatter: formatShort }, splitNumber: 4 },
  series: series.map(({ name, data }, at) => ({
    type: kind,
    name,
    data,
    color: colorAt(at),
    ...(kind === 'line'
      ? { showSymbol: labels.length < 2, symbolSize: 6, lineStyle: { width: 2 }, connectNulls: true }
      : { barMaxWidth: 48, itemStyle: { borderRadius: [3, 3, 0, 0] } }),
  })),
});
