import { insightKind, type SqlSettings } from '../kind';
import { type Params } from '../question/params';
import { sqlQuestion } from '../sql/question';
import { trendsStatement } from '../sql/statement';
import { displayOf, hasPoints, type TrendsInsight } from './trends';
import { TrendsAnswer } from './trends-answer';
import { TrendsOptions } from './trends-options';
import { trendsTable } from './trends-table';

const withoutStatement = ['formula', 'compare', 'smoothing_intervals', 'breakdowns'];

const sqlOf = (insight: TrendsInsight, params: Params, settings: SqlSettings): string | null => {
  const display = displayOf(params);
  if (display === 'ActionsLineGraphCumulative' || withoutStatement.some((name) => params[name] !== undefined))
    return null;
  const axis = insight.series.find(hasPoints);
  // The first week or month counts as a whole.
  const isWhole = insight.interval === 'week' || insight.interval === 'month';
  const question = sqlQuestion(insight, params, settings, isWhole ? (axis?.days[0] ?? null) : null);
  return question && trendsStatement(question, !axis);
};

export const trendsKind = insightKind<TrendsInsight>({
  descriptionOf: (many) => `How often events happen, and how many ${many} do them.`,
  route: '/api/projects/{project_id}/persons/trends',
  parameters: [
    'display',
    'formula',
    'compare',
    'compare_to',
    'smoothing_intervals',
    'breakdowns',
    'breakdown_limit',
    'breakdown_normalize_url',
    'breakdown_histogram_bin_count',
  ],
  Options: TrendsOptions,
  Answer: TrendsAnswer,
  tableOf: trendsTable,
  sqlOf,
});
