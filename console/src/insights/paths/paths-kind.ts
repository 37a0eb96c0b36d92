import { insightKind } from '../kind';
import { pathsTable, type PathInsight } from './paths';
import { PathsAnswer } from './paths-answer';

export const pathsKind = insightKind<PathInsight>({
  descriptionOf: (many) => `The paths ${many} take from one page or event to the next.`,
  route: '/api/projects/{project_id}/persons/path',
  parameters: [
    'include_event_types',
    'include_custom_events',
    'exclude_events',
    'start_point',
    'end_point',
    'step_limit',
    'edge_limit',
    'min_edge_weight',
    'max_edge_weight',
    'path_groupings',
    'path_replacements',
    'local_path_cleaning_filters',
  ],
  // The events of another kind of insight would leave only themselves in the paths.
  without: ['events', 'actions', 'interval'],
  hasNoInterval: true,
  Answer: PathsAnswer,
  tableOf: pathsTable,
});
