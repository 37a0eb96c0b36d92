import { insightKind } from '../kind';
import { type TrendsInsight } from './trends';
import { TrendsAnswer } from './trends-answer';
import { TrendsEditor, TrendsOptions } from './trends-editor';
import { trendsTable } from './trends-table';

export const trendsKind = insightKind<TrendsInsight>({
  name: 'trends',
  label: 'Trends',
  description: 'How often events happen, and how many persons do them.',
  route: 'trends',
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
  Editor: TrendsEditor,
  Options: TrendsOptions,
  Answer: TrendsAnswer,
  tableOf: trendsTable,
});
