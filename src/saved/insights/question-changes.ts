import { isDeepStrictEqual } from 'node:util';
import { ItemLog } from '../../kernel/activity/item-log.js';
import { type ActivityChange } from '../../kernel/activity/record-activity.js';
import { type SavedQuestion } from '../questions/question.js';
import { derivedName } from './derived-name.js';

export const insightLog = new ItemLog('Insight');

/** Texts that name no person. Of other parameters, such as filters, the log has only that they changed. */
const shownTexts = new Set(['date_from', 'date_to', 'interval', 'period', 'display', 'funnel_viz_type', 'compare_to']);

/** Parameters that the derived name says. */
const named = new Set(['events', 'actions', 'breakdown', 'breakdowns', 'formula', 'target_entity', 'returning_entity']);

const shown = (name: string, value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && shownTexts.has(name))
    ? value
    : null;

/** Returns the changes of a question, without values of filters, which may name persons. */
export const questionChanges = (before: SavedQuestion, after: SavedQuestion): ActivityChange[] => {
  const names = [derivedName(before), derivedName(after)] as const;
  const isRenamed = names[0] !== names[1] || before.type !== after.type;
  const params = [...new Set([...Object.keys(before.params), ...Object.keys(after.params)])].sort();
  const [from, to] = [before, after].map((question) => question.params as Record<string, unknown>);
  const parts = params.flatMap((name) =>
    isDeepStrictEqual(from?.[name], to?.[name]) || (isRenamed && named.has(name))
      ? []
      : [insightLog.changed(`question.${name}`, shown(name, from?.[name]), shown(name, to?.[name]))],
  );
  if (isRenamed) return [insightLog.changed('question', ...names), ...parts];
  return parts.length > 0 ? parts : [insightLog.changed('question', null, null)];
};
