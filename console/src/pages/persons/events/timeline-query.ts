import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client';
import { type components } from '../../../api/schema';
import { personKey } from '../requests';

export type TimelinePoint = components['schemas']['TimelinePointDto'];

export interface TimelineQuestion {
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
  /** Only these events are relevant; all, if there is none. */
  readonly event?: string | undefined;
  /** Only changes of these properties make a point; of all, if there is none. */
  readonly keys?: readonly string[];
}

export const timelineQuery = (projectId: string, personId: string, question: TimelineQuestion) => {
  const { date_from = 'all', date_to, event, keys = [] } = question;
  const properties = keys.map((key) => ({ key, operator: 'is_set', type: 'person' }));
  return queryOptions({
    queryKey: [...personKey(projectId, personId), 'timeline', { date_from, date_to, event, keys }],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/projects/{project_id}/persons/{id}/properties_timeline', {
          params: {
            path: { project_id: projectId, id: personId },
            query: {
              date_from,
              ...(date_to === undefined ? {} : { date_to }),
              ...(event === undefined ? {} : { events: JSON.stringify([{ id: event }]) }),
              ...(keys.length === 0 ? {} : { properties: JSON.stringify(properties) }),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
};

export interface PropertyChange {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What changed from one point to the next; an absent key is undefined. */
export const changesBetween = (
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): readonly PropertyChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((key) => ({ key, before: before[key], after: after[key] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));

export const propertiesOf = (point: TimelinePoint | undefined): Record<string, unknown> => point?.properties ?? {};
