import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../../api/client';
import { type LiveSummary } from '../../api/types';

export const liveSummaryQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['live-summary', projectId],
    queryFn: ({ signal }) => getJson<LiveSummary>(`/api/projects/${projectId}/events/live/summary`, signal),
  });

/** Whether the project has an event at all. */
export const hasEventsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['has-events', projectId],
    queryFn: ({ signal }) => getJson<{ count: number }>(`/api/projects/${projectId}/events/names?limit=1`, signal),
  });
