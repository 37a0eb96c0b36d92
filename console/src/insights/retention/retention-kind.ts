import { insightKind } from '../kind';
import { retentionTable, type RetentionInsight } from './retention';
import { RetentionAnswer } from './retention-answer';
import { RetentionOptions } from './retention-options';

export const retentionKind = insightKind<RetentionInsight>({
  descriptionOf: (many) => `How many ${many} start in an interval and come back in later ones.`,
  route: '/api/projects/{project_id}/persons/retention',
  parameters: [
    'target_entity',
    'returning_entity',
    'period',
    'total_intervals',
    'retention_custom_brackets',
    'retention_type',
    'minimum_occurrences',
    'cumulative',
    'mean_retention_calculation',
    'date_to',
  ],
  without: ['events', 'actions', 'date_from', 'interval'],
  hasNoRange: true,
  isTable: true,
  Options: RetentionOptions,
  Answer: RetentionAnswer,
  tableOf: retentionTable,
});
