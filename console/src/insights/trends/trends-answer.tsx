import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { Chart, type ChartPoint } from '../../charts/chart';
import { dayText } from '../../charts/days';
import { seriesColors } from '../../charts/palette';
import { marksInWords } from '../../charts/marks';
import { EmptyState } from '../../ui/empty-state';
import { formatNumber, formatShare } from '../../ui/format';
import { NumberCell } from '../answer/number-cell';
import { nounBehind, useActors, type Actors } from '../actors';
import { type AnswerProps } from '../kind';
import { type Params } from '../question/params';
import { useDrawnLines } from './drawn-lines';
import {
  colorIndexes,
  displayOf,
  hasPoints,
  isPrevious,
  namesOf,
  type TrendsInsight,
  type TrendsSeries,
} from './trends';
import { SmallCharts } from './small-charts';
import { TrendsLegend } from './trends-legend';
import { trendsOption } from './trends-option';
import { pointsOf } from './trends-points';
import { daysOf, useAnnotations } from './use-annotations';

/** True if each point is 0: points below and above zero may have the sum 0. */
const isEmpty = (series: TrendsSeries): boolean =>
  hasPoints(series) ? series.data.every((value) => value === 0) : series.count === 0;

export function TrendsAnswer(props: AnswerProps<TrendsInsight>) {
  const { insight, params } = props;
  const display = displayOf(params);
  if (insight.series.every(isEmpty)) {
    return (
      <EmptyState kind="chart" title="No events in this range">
        Try another event, a longer range or fewer filters.
      </EmptyState>
    );
  }
  if (display === 'ActionsTable') return null;
  if (display === 'BoldNumber') return <Numbers {...props} />;
  if (display === 'SmallMultiples') return <SmallCharts {...props} />;
  return <Picture {...props} />;
}

/** A file has the names of the lines in the picture. */
const pngLegend = { legend: { type: 'plain', bottom: 0, icon: 'roundRect', itemWidth: 10 }, grid: { bottom: 72 } };

/** So many lines are drawn at first beside those of the previous range. */
const mostCompared = 5;

/** The name of each line, which a line of the previous range shares. */
const lineNames = (insight: TrendsInsight, params: Params, actors: Actors): string[] => {
  const names = namesOf(insight, params, actors);
  const indexes = colorIndexes(insight.series);
  return [...new Set(indexes)].map((line) => names[indexes.indexOf(line)] ?? '');
};

function Picture({ insight, params, openPersons, onPicture }: AnswerProps<TrendsInsight>) {
  const isTotals = displayOf(params) === 'ActionsBarValue';
  const actors = useActors();
  const marks = useAnnotations(insight, !isTotals);
  const names = useMemo(() => lineNames(insight, params, actors), [insight, params, actors]);
  const { colors, toggle } = useDrawnLines(names, insight.series.some(isPrevious) ? mostCompared : seriesColors.length);
  const [pointed, setPointed] = useState<number | null>(null);
  const highlighted = useMemo(() => {
    const indexes = colorIndexes(insight.series);
    return pointed === null ? [] : indexes.flatMap((line, at) => (line === pointed ? [at, at + indexes.length] : []));
  }, [insight, pointed]);
  const option = useMemo(
    () => trendsOption(insight, params, actors, { marks, colors }),
    [insight, params, actors, marks, colors],
  );
  const open = useCallback(
    ({ componentType, seriesIndex, dataIndex }: ChartPoint) => {
      if (componentType === 'markLine') return;
      const pointAt = pointsOf(insight, params, actors);
      const point = isTotals ? pointAt(dataIndex, null) : pointAt(seriesIndex % insight.series.length, dataIndex);
      if (point) openPersons(point);
    },
    [insight, params, actors, isTotals, openPersons],
  );
  const points = insight.series.find(hasPoints)?.days.length;
  const words = marksInWords(marks, (at) => dayText(daysOf(insight)[at] ?? '', insight.interval));
  const hasLegend = !isTotals && names.length > 1;
  const picture = (
    <Chart
      option={option}
      pngOption={hasLegend ? pngLegend : undefined}
      highlighted={highlighted}
      label={`Trends: ${insight.series.length} series${points === undefined ? '' : ` at ${points} points`}. The table below has the numbers.${words}`}
      height={isTotals ? Math.max(160, 40 + insight.series.length * 34) : 360}
      onPoint={open}
      onReady={onPicture}
    />
  );
  if (!hasLegend) return picture;
  return (
    <Stack gap="xs">
      {picture}
      <TrendsLegend key={names.join('\n')} names={names} colors={colors} onToggle={toggle} onPoint={setPointed} />
    </Stack>
  );
}

function Numbers({ insight, params, openPersons }: AnswerProps<TrendsInsight>) {
  const current = insight.series.map((series, at) => ({ series, at })).filter(({ series }) => !isPrevious(series));
  const actors = useActors();
  const names = namesOf(insight, params, actors);
  const pointAt = pointsOf(insight, params, actors);
  const previousOf = (at: number) => insight.series.filter(isPrevious)[current.findIndex((one) => one.at === at)];
  const numberOf = (series: TrendsSeries) => ({
    value: series.count,
    point: pointAt(insight.series.indexOf(series), null),
  });
  return (
    <Group gap={48} py="xl" px="md" justify="center">
      {current.map(({ series, at }) => {
        const previous = previousOf(at);
        const point = pointAt(at, null);
        return (
          <Stack key={at} gap={2} align="center">
            <UnstyledButton
              onClick={() => point && openPersons(point)}
              aria-label={`${formatNumber(series.count)} ${names[at]}: its ${nounBehind(actors, point?.groupType)[1]}`}
            >
              <Text fz={{ base: 44, sm: 64 }} fw={700} lh={1.1} className="numbers">
                {formatNumber(series.count)}
              </Text>
            </UnstyledButton>
            <Text size="sm" c="dimmed" ta="center" maw={320} style={{ overflowWrap: 'anywhere' }}>
              {names[at]}
            </Text>
            {previous && (
              <Text size="sm">
                {previous.count === 0
                  ? 'none in the previous period'
                  : `${series.count >= previous.count ? '▲' : '▼'} ${formatShare(
                      Math.abs(series.count / previous.count - 1),
                    )} from `}
                {previous.count !== 0 && <NumberCell cell={numberOf(previous)} openPersons={openPersons} />}
              </Text>
            )}
          </Stack>
        );
      })}
    </Group>
  );
}
