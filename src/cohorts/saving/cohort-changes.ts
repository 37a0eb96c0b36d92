import { isDeepStrictEqual } from 'node:util';
import { ItemLog } from '../../kernel/activity/item-log.js';
import { type UpdateCohortBody } from '../cohort-bodies.dto.js';

/** The fields of a cohort whose changes are logged. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly groups: object[];
  readonly filters: object | null;
  readonly query: string | object | null;
  readonly deleted: boolean;
}

export const cohortLog = new ItemLog('Cohort');

type SentDefinition = Pick<UpdateCohortBody, 'filters' | 'groups'>;

/**
 * Returns the definition in a body if it differs from the stored one; null if the body contains no definition or the stored one.
 * Changed groups with unchanged filters are a new definition in the oldest form.
 */
export const changedDefinition = (
  stored: Pick<Described, 'filters' | 'groups'>,
  { filters, groups }: SentDefinition,
): SentDefinition | null => {
  const hasSameFilters = isNoChange(filters, stored.filters);
  if (hasSameFilters && isNoChange(groups, stored.groups)) return null;
  return hasSameFilters && groups && groups.length > 0 ? { groups } : { filters, groups };
};

/** Returns the query with which a body replaces the stored one; null if it contains no query or the stored one. */
export const newQuery = (
  stored: Described['query'],
  sent: UpdateCohortBody['query'],
): NonNullable<Described['query']> | null =>
  sent === undefined || sent === null || isDeepStrictEqual(sent, stored) ? null : sent;

const isNoChange = (sent: object | null | undefined, stored: object | null): boolean =>
  sent === undefined || sent === null || isDeepStrictEqual(sent, stored);
