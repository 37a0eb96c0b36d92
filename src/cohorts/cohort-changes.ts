import { isDeepStrictEqual } from 'node:util';
import { type ActivityChange } from '../activity/record-activity.js';

/** What of a cohort is logged when it changes. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly groups: object[];
  readonly filters: object | null;
  readonly deleted: boolean;
}

const fields = ['name', 'description', 'groups', 'filters', 'deleted'] as const;

/** One for each field that is another than before. */
export const changesOf = (before: Described, after: Described): ActivityChange[] =>
  fields.flatMap((field) =>
    isDeepStrictEqual(before[field], after[field])
      ? []
      : [{ type: 'Cohort', action: 'changed', field, before: before[field], after: after[field] }],
  );
