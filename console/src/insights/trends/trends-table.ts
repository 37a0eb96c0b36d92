import { seriesColors } from '../../charts/palette';
import { axisLabels } from '../../charts/days';
import { type Cell, type NumbersTable } from '../kind';
import { type Actors } from '../actors';
import { type Params } from '../question/params';
import { colorIndexes, hasPoints, namesOf, type TrendsInsight } from './trends';
import { pointsOf } from './trends-points';

/** One row for each line, one column for each point. */
export const trendsTable = (insight: TrendsInsight, params: Params, actors: Actors): NumbersTable => {
  const { series } = insight;
  const indexes = colorIndexes(series);
  const pointAt = pointsOf(insight, params, actors);
  const names = namesOf(insight, params, actors);
  const axis = series.find(hasPoints);
  const labels = axis ? axisLabels(axis.days, insight) : [];
  const total = params.display === 'ActionsLineGraphCumulative' ? 'At the end' : 'Total';
  return {
    caption: 'Trends',
    columns: ['Series', total, ...labels],
    csvColumns: ['Series', total, ...(axis?.days ?? [])],
    rows: series.map((one, at): Cell[] => [
      { value: names[at] ?? one.label, color: seriesColors[indexes[at] ?? 0] },
      { value: one.count, point: pointAt(at, null) },
      ...(hasPoints(one) ? one.data.map((value, day) => ({ value, point: pointAt(at, day) })) : []),
    ]),
  };
};
