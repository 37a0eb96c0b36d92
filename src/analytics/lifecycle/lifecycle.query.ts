import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Interval } from '../../platform/time/intervals.js';
import { type Buckets, type DateRange } from '../../platform/time/range.js';
import { type Filter } from '../../filters/reading/filter.js';
import {
  anyEvent,
  readCommonFilter,
  readGroupType,
  readEventsAndActions,
  readQuestionRange,
} from '../shared/common.parameters.js';
import { type Entity, filtersOf } from '../shared/entity.js';
import { type Params } from '../../filters/asking/questions.js';
import { lifecycleParameters, type states } from './lifecycle.parameters.js';

export type State = (typeof states)[number];

export interface LifecycleQuery {
  readonly entity: Entity;
  readonly interval: Interval;
  readonly range: DateRange;
  readonly filter: Filter;
  /** The index of the type of the groups that the question counts; null: it counts persons. */
  readonly groupType: number | null;
  /** The selected persons. `state` null: in any state; `at` null: at any point. */
  readonly selected: { readonly state: State | null; readonly at: Date | null };
}

export const readLifecycle = (params: Params, project: ProjectContext, now: Date): LifecycleQuery => {
  const read = params.reader(lifecycleParameters);
  const [entity = anyEvent] = readEventsAndActions(params);
  const interval = read('interval');
  return {
    entity,
    interval,
    range: readQuestionRange(params, interval, now, project),
    filter: readCommonFilter(params, project),
    groupType: readGroupType(params),
    selected: {
      state: read('lifecycle_type'),
      at: read('target_date', now, project)?.at.toJSDate() ?? null,
    },
  };
};

export const filtersOfLifecycle = ({ filter, entity }: LifecycleQuery): Filter[] => [filter, ...filtersOf([entity])];

/** The index of the point that contains `target_date`. */
export const targetBucket = (at: Date, { starts, end }: Buckets): number => {
  const bucket = starts.findLastIndex((start) => start <= at);
  if (bucket < 0 || at >= end) {
    throw invalidInput('target_date must lie between date_from and date_to', 'target_date');
  }
  return bucket;
};
