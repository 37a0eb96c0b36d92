import { keepPreviousData } from '@tanstack/react-query';
import { answer } from '../../../api/client';
import { type Schemas } from '../../../api/types';

export type TimelinePoint = Schemas['TimelinePointDto'];

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
  return {
    ...answer('/api/projects/{project_id}/persons/{id}/properties_timeline', {
      path: { project_id: projectId, id: personId },
      query: {
        date_from,
        date_to,
        events: event === undefined ? undefined : JSON.stringify([{ id: event }]),
        properties: keys.length === 0 ? undefined : JSON.stringify(properties),
      },
    }),
    placeholderData: keepPreviousData,
  };
};

export interface PropertyChange {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the changes from one point to the next; an absent key is undefined. */
export const changesBetween = (
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): readonly PropertyChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((key) => ({ key, before: before[key], after: after[key] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));

export const propertiesOf = (point: TimelinePoint | undefined): Record<string, unknown> => point?.properties ?? {};
