import { funnelParameters } from '../funnel/funnel-parameters';
import { insightKind } from '../kind';
import { correlationTable, type CorrelationInsight } from './correlation';
import { CorrelationAnswer } from './correlation-answer';

export const correlationKind = insightKind<CorrelationInsight>({
  descriptionOf: (many) => `What ${many} that complete a funnel do more often than the others.`,
  route: '/api/projects/{project_id}/persons/funnel/correlation',
  parameters: [
    ...funnelParameters,
    'funnel_correlation_type',
    'funnel_correlation_names',
    'funnel_correlation_exclude_names',
    'funnel_correlation_event_names',
    'funnel_correlation_event_exclude_property_names',
    'funnel_correlation_exclude_event_names',
  ],
  hasNoInterval: true,
  Answer: CorrelationAnswer,
  tableOf: correlationTable,
});
