import { insightKind, type SqlSettings } from '../kind';
import { type Params } from '../question/params';
import { sqlQuestion } from '../sql/question';
import { stickinessStatement } from '../sql/statement';
import { stickinessTable, type StickinessInsight } from './stickiness';
import { StickinessAnswer } from './stickiness-answer';
import { StickinessEditor, StickinessOptions } from './stickiness-editor';

const withoutStatement = ['compare', 'stickiness_criteria', 'interval_count'];

const sqlOf = (insight: StickinessInsight, params: Params, settings: SqlSettings): string | null => {
  if (withoutStatement.some((name) => params[name] !== undefined)) return null;
  const question = sqlQuestion(insight, params, settings);
  return question && stickinessStatement(question);
};

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
  sqlOf,
});
