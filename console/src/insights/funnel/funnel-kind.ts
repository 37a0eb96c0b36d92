import { insightKind } from '../kind';
import { type FunnelInsight } from './funnel';
import { FunnelAnswer } from './funnel-answer';
import { FunnelOptions } from './funnel-options';
import { funnelParameters } from './funnel-parameters';
import { funnelTable } from './funnel-table';

export const funnelKind = insightKind<FunnelInsight>({
  descriptionOf: (many) => `How many ${many} complete each step, and where they drop off.`,
  route: '/api/projects/{project_id}/persons/funnel',
  parameters: [
    ...funnelParameters,
    'funnel_viz_type',
    'funnel_from_step',
    'funnel_to_step',
    'bin_count',
    'breakdowns',
    'breakdown_limit',
    'breakdown_normalize_url',
    'breakdown_histogram_bin_count',
    'breakdown_attribution_type',
    'breakdown_attribution_value',
  ],
  hasNoInterval: true,
  Options: FunnelOptions,
  Answer: FunnelAnswer,
  tableOf: funnelTable,
});
