import { isDeepStrictEqual } from 'node:util';
import { type ActivityChange } from '../activity/record-activity.js';

/** The fields of a cohort whose changes are logged. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly groups: object[];
  readonly filters: object | null;
  readonly deleted: boolean;
}

const fields = ['name', 'description', 'groups', 'filters', 'deleted'] as const;

/** Returns one change for each field that differs. */
export const changesOf = (before: Described, after: Described): ActivityChange[] =>
  fields.flatMap((field) =>
    isDeepStrictEqual(before[field], after[field])
      ? []
      : [{ type: 'Cohort', action: 'changed', field, before: before[field], after: after[field] }],
  );
