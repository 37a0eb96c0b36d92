import { insightKind } from '../kind';
import { stickinessTable, type StickinessInsight } from './stickiness';
import { StickinessAnswer } from './stickiness-answer';
import { StickinessEditor, StickinessOptions } from './stickiness-editor';

export const stickinessKind = insightKind<StickinessInsight>({
  name: 'stickiness',
  label: 'Stickiness',
  description: 'In how many intervals of the range the same persons are active.',
  route: 'stickiness',
  parameters: ['compare', 'compare_to', 'stickiness_criteria', 'interval_count'],
  Editor: StickinessEditor,
  Options: StickinessOptions,
  Answer: StickinessAnswer,
  tableOf: stickinessTable,
});
