import { seriesColors } from '../../charts/palette';
import { axisLabels, unfinishedAt } from '../../charts/days';
import { formatChange } from '../../ui/format';
import { type Cell, type NumbersTable } from '../kind';
import { type Actors } from '../actors';
import { type Params } from '../question/params';
import { growthOf } from './growth';
import { colorIndexes, displayOf, hasPoints, namesOf, type TrendsInsight, type TrendsSeries } from './trends';
import { pointsOf } from './trends-points';

/** One row for each line, one column for each point. */
export const trendsTable = (insight: TrendsInsight, params: Params, actors: Actors): NumbersTable => {
  const { series } = insight;
  const indexes = colorIndexes(series);
  const pointAt = pointsOf(insight, params, actors);
  const names = namesOf(insight, params, actors);
  const axis = series.find(hasPoints);
  const labels = axis ? axisLabels(axis.days, insight) : [];
  const isGrowth = displayOf(params) === 'GrowthRate';
  const unfinished = axis ? unfinishedAt(axis.days, insight) : -1;
  /** A rate opens the persons of its point, whose number the title says. */
  const cellsOf = (one: TrendsSeries, at: number): Cell[] => {
    if (!hasPoints(one)) return [];
    const rates = isGrowth ? growthOf(one.data, unfinished) : [];
    return one.data.map((value, day) => {
      const point = pointAt(at, day);
      if (!isGrowth) return { value, point };
      const rate = rates[day] ?? null;
      return { value: rate, text: rate === null ? '–' : formatChange(rate), point: rate === null ? undefined : point };
    });
  };
  const total = params.display === 'ActionsLineGraphCumulative' ? 'At the end' : 'Total';
  return {
    caption: 'Trends',
    columns: ['Series', total, ...labels],
    csvColumns: ['Series', total, ...(axis?.days ?? [])],
    rows: series.map((one, at): Cell[] => [
      { value: names[at] ?? one.label, color: seriesColors[indexes[at] ?? 0] },
      { value: one.count, point: pointAt(at, null) },
      ...cellsOf(one, at),
    ]),
  };
};
