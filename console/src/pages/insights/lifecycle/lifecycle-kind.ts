import { insightKind } from '../kind';
import { lifecycleTable, type LifecycleInsight } from './lifecycle';
import { LifecycleAnswer } from './lifecycle-answer';
import { LifecycleEditor } from './lifecycle-editor';

export const lifecycleKind = insightKind<LifecycleInsight>({
  name: 'lifecycle',
  label: 'Lifecycle',
  description: 'Which active persons are new, which came back, and which have stopped.',
  route: 'lifecycle',
  parameters: [],
  maxEntities: 1,
  Editor: LifecycleEditor,
  Answer: LifecycleAnswer,
  tableOf: lifecycleTable,
});
