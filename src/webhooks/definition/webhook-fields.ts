import { matchType, noticeTypes, shownType } from '../../kernel/notices/notice.entity.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';

export const allCohorts = '*';
export const maxCohorts = 1000;
export const maxBatchSize = 1000;
export const maxWebhooks = 50;

export const cohortChanged = 'cohort.changed';

export const actionMatched = 'action.matched';

/** The types of messages: changes of cohorts, and notices. */
export const webhookEvents = [cohortChanged, actionMatched, ...noticeTypes] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

/** Returns the events as they are stored: matches have the id of their action. */
export const storedEvents = (events: readonly WebhookEvent[], action: number | null): string[] => {
  if (action !== null && !events.includes(actionMatched))
    throw invalidInput(`action must be null, unless events name ${actionMatched}`, 'action');
  if (action === null && events.includes(actionMatched))
    throw invalidInput(
      `action must be the id of the action whose matches are sent, because events name ${actionMatched}`,
      'action',
    );
  return events.map((event) => (event === actionMatched ? matchType(action ?? '') : event));
};

export const shownEvents = (stored: readonly string[]): WebhookEvent[] => stored.map(shownType) as WebhookEvent[];

/** The action whose matches are sent; null for none. */
export const actionIn = (stored: readonly string[]): number | null => {
  const match = stored.find((event) => event.startsWith(matchType('')));
  return match === undefined ? null : Number(match.slice(matchType('').length));
};

export const cohortsSchema = {
  oneOf: [
    { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: maxCohorts },
    { type: 'string', enum: [allCohorts] },
  ],
};

/** Returns the ids in ascending order; null for all cohorts. */
export const readCohorts = (value: unknown): number[] | null => {
  if (value === allCohorts) return null;
  if (!Array.isArray(value) || value.length === 0)
    throw invalidInput(`cohorts must be "${allCohorts}" for all, or a list of ids such as [3]`, 'cohorts');
  if (value.length > maxCohorts) throw invalidInput(`cohorts must name at most ${maxCohorts} cohorts`, 'cohorts');
  const ids = value.map((id: unknown, at) => {
    const read = typeof id === 'number' ? readSmallId(id) : null;
    if (read === null) throw invalidInput(`cohorts.${at} must be the id of a cohort`, `cohorts.${at}`);
    return read;
  });
  return [...new Set(ids)].sort((a, b) => a - b);
};
