import { colorAt } from '../../../charts/palette';
import { axisLabels } from '../answer/days';
import { type Cell, type NumbersTable } from '../answer/numbers-table';
import { type Params } from '../question/params';
import { colorPlaces, hasPoints, nameOf, type TrendsInsight } from './trends';
import { pointOf } from './trends-points';

/** One row for each line, one column for each point. */
export const trendsTable = (insight: TrendsInsight, params: Params): NumbersTable => {
  const { series } = insight;
  const places = colorPlaces(series);
  const axis = series.find(hasPoints);
  const labels = axis ? axisLabels(axis.days, insight) : [];
  const isCumulative = params.display === 'ActionsLineGraphCumulative';
  return {
    caption: 'Trends',
    columns: ['Series', isCumulative ? 'At the end' : 'Total', ...labels],
    rows: series.map((one, at): Cell[] => [
      { value: nameOf(one), color: colorAt(places[at] ?? 0) },
      { value: one.count, point: pointOf(insight, params, at, null) },
      ...(hasPoints(one) ? one.data.map((value, day) => ({ value, point: pointOf(insight, params, at, day) })) : []),
    ]),
  };
};
