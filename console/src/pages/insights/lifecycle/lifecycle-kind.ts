import { insightHeadings } from '../insight-headings';
import { insightKind } from '../kind';
import { lifecycleTable, type LifecycleInsight } from './lifecycle';
import { LifecycleAnswer } from './lifecycle-answer';
import { LifecycleEditor } from './lifecycle-editor';

export const lifecycleKind = insightKind<LifecycleInsight>({
  ...insightHeadings.lifecycle,
  route: 'lifecycle',
  parameters: [],
  maxEntities: 1,
  Editor: LifecycleEditor,
  Answer: LifecycleAnswer,
  tableOf: lifecycleTable,
});
