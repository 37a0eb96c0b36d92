import { answer } from '../../api/client';

export const liveSummaryQuery = (projectId: string) =>
  answer('/api/projects/{project_id}/events/live/summary', { path: { project_id: projectId } });

/** Asks if the project has an event at all. */
export const hasEventsQuery = (projectId: string) =>
  answer('/api/projects/{project_id}/events/names', { path: { project_id: projectId }, query: { limit: 1 } });
