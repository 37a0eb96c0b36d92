import { invalidInput } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { demandDate } from '../../common/time/dates.js';
import { intervals, type Interval } from '../../common/time/intervals.js';
import { readRange, type Buckets, type DateRange } from '../../common/time/range.js';
import { type Filter } from '../../filters/filter.js';
import { anyEvent, readCommonFilter } from '../asking/common.js';
import { filtersOf, readEntities, type Entity } from '../asking/entity.js';
import { type Params } from '../asking/question-params.js';

/** What a person is at a point: active for the first time, still, again, or no longer. */
export const states = ['new', 'returning', 'resurrecting', 'dormant'] as const;

export type State = (typeof states)[number];

export interface LifecycleQuery {
  readonly entity: Entity;
  readonly interval: Interval;
  readonly range: DateRange;
  readonly filter: Filter;
  /** Whose persons: in any state unless one is named, at any point unless a moment of it is. */
  readonly selected: { readonly state: State | null; readonly at: Date | null };
}

export const readLifecycle = (params: Params, project: ProjectContext, now: Date): LifecycleQuery => {
  const [entity = anyEvent] = readEntities(params.json('events'), 'events');
  const interval = params.choice('interval', intervals, 'day');
  const target = params.text('target_date');
  return {
    entity,
    interval,
    range: readRange({ date_from: params.text('date_from'), date_to: params.text('date_to') }, interval, now, project),
    filter: readCommonFilter(params, project),
    selected: {
      state: params.optionalChoice('lifecycle_type', states) ?? null,
      at: target === undefined ? null : demandDate(target, 'target_date', now, project).at.toJSDate(),
    },
  };
};

export const filtersOfLifecycle = ({ filter, entity }: LifecycleQuery): Filter[] => [filter, ...filtersOf([entity])];

/** The place of the point that `target_date` lies in. */
export const targetBucket = (at: Date, { starts, end }: Buckets): number => {
  const place = starts.findLastIndex((start) => start <= at);
  if (place < 0 || at >= end) {
    throw invalidInput('target_date must lie between date_from and date_to', 'target_date');
  }
  return place;
};
