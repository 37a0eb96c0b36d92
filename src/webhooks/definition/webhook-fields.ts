import { noticeTypes } from '../../kernel/notices/notice.entity.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';

export const allCohorts = '*';
export const maxCohorts = 1000;
export const maxBatchSize = 1000;
export const maxWebhooks = 50;

export const cohortChanged = 'cohort.changed';

/** The types of messages: changes of cohorts, and notices. */
export const webhookEvents = [cohortChanged, ...noticeTypes] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

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
