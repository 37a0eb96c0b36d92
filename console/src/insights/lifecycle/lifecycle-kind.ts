import { insightKind } from '../kind';
import { lifecycleTable, type LifecycleInsight } from './lifecycle';
import { LifecycleAnswer } from './lifecycle-answer';

export const lifecycleKind = insightKind<LifecycleInsight>({
  descriptionOf: (many) => `Which active ${many} are new, which came back, and which stopped.`,
  route: '/api/projects/{project_id}/persons/lifecycle',
  parameters: [],
  maxEntities: 1,
  Answer: LifecycleAnswer,
  tableOf: lifecycleTable,
});
