import { insightKind, type SqlSettings } from '../kind';
import { type Params } from '../question/params';
import { sqlQuestion } from '../sql/question';
import { stickinessStatement } from '../sql/statement';
import { stickinessTable, type StickinessInsight } from './stickiness';
import { StickinessAnswer } from './stickiness-answer';
import { StickinessOptions } from './stickiness-options';

const withoutStatement = ['compare', 'stickiness_criteria', 'interval_count'];

const sqlOf = (insight: StickinessInsight, params: Params, settings: SqlSettings): string | null => {
  if (withoutStatement.some((name) => params[name] !== undefined)) return null;
  const question = sqlQuestion(insight, params, settings);
  return question && stickinessStatement(question);
};

export const stickinessKind = insightKind<StickinessInsight>({
  descriptionOf: (many) => `On how many days, weeks or months of the range the same ${many} are active.`,
  route: '/api/projects/{project_id}/persons/stickiness',
  parameters: ['compare', 'compare_to', 'stickiness_criteria', 'interval_count'],
  Options: StickinessOptions,
  Answer: StickinessAnswer,
  tableOf: stickinessTable,
  sqlOf,
});
