import { Button, Group, Text } from '@mantine/core';
import { type EChartsCoreOption } from 'echarts/core';
import { useCallback, useMemo } from 'react';
import { Chart, type ChartPoint } from '../../charts/chart';
import { capital } from '../../filters/account-words';
import { colorAt } from '../../charts/palette';
import { formatCount, formatDuration, formatNumber, formatShort, type Noun } from '../../ui/format';
import { useActors } from '../actors';
import { type AnswerProps } from '../kind';
import { betweenOf, binPoint, binText, stepNames, type FunnelTimes } from './funnel';

const optionOf = ({ bins }: FunnelTimes, noun: Noun): EChartsCoreOption => ({
  grid: { left: 8, right: 16, top: 28, bottom: 8, containLabel: true },
  tooltip: {
    trigger: 'axis',
    renderMode: 'richText',
    confine: true,
    axisPointer: { type: 'shadow' },
    valueFormatter: (value: unknown) => (typeof value === 'number' ? formatCount(value, ...noun) : '–'),
  },
  xAxis: {
    type: 'category',
    data: bins.map((bin) => ({ value: binText(bin) })),
    axisTick: { show: false },
    axisLabel: { hideOverlap: true, formatter: (text: string) => `from ${text.split(' to ')[0]}` },
  },
  yAxis: { type: 'value', minInterval: 1, axisLabel: { formatter: (value: number) => formatShort(value) } },
  series: [
    {
      type: 'bar',
      name: capital(noun[1]),
      color: colorAt(0),
      barCategoryGap: '8%',
      data: bins.map(({ count }) => count),
      label: {
        show: bins.length <= 24,
        position: 'top',
        formatter: ({ value }: { value: unknown }) => (typeof value === 'number' ? formatNumber(value) : ''),
      },
    },
  ],
});

/** Persons by the time that they took from one step to another. */
export function TimesPicture({
  insight,
  params,
  openPersons,
  onPicture,
}: Omit<AnswerProps<never>, 'insight'> & { readonly insight: FunnelTimes }) {
  const { noun } = useActors();
  const option = useMemo(() => optionOf(insight, noun), [insight, noun]);
  const open = useCallback(
    ({ dataIndex }: ChartPoint) => {
      const point = binPoint(insight, dataIndex);
      if (point) openPersons(point);
    },
    [insight, openPersons],
  );
  const names = stepNames(params);
  const { from, to } = betweenOf(params, names.length);
  const all = insight.bins.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <Group gap="xs" align="baseline">
        <Text fz={30} fw={700} lh={1.1} className="numbers">
          {insight.average_conversion_time === null ? '–' : formatDuration(insight.average_conversion_time)}
        </Text>
        <Text size="sm" c="dimmed">
          on average from step {from + 1} to step {to + 1}, taken by
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() =>
            openPersons({ title: `Reached step ${to + 1}, ${names[to]}`, params: { funnel_step: to + 1 } })
          }
        >
          {formatCount(all, ...noun)}
        </Button>
      </Group>
      <Chart
        option={option}
        label={`Time to convert: ${formatCount(all, ...noun)} in ${formatCount(insight.bins.length, 'span')} of time. The table below has the numbers.`}
        height={340}
        onPoint={open}
        onReady={onPicture}
      />
    </>
  );
}
