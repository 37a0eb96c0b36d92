import { insightKind } from '../kind';
import { lifecycleTable, type LifecycleInsight } from './lifecycle';
import { LifecycleAnswer } from './lifecycle-answer';

export const lifecycleKind = insightKind<LifecycleInsight>({
  description: 'Which active persons are new, which came back, and which have stopped.',
  route: '/api/projects/{project_id}/persons/lifecycle',
  parameters: [],
  maxEntities: 1,
  Answer: LifecycleAnswer,
  tableOf: lifecycleTable,
});
