import { queryOptions } from '@tanstack/react-query';
import { answer, get, keyOf } from '../../api/client';
import { type Schemas } from '../../api/types';
import { requestOf, type InsightRoute, type Params } from '../../insights/question/params';

/** The answers of the page are kept for a while: they are about days, and cost more than a list. */
const kept = { staleTime: 60_000, refetchOnWindowFocus: false } as const;

const asked = <Insight>(route: InsightRoute, projectId: string, params: Params) =>
  queryOptions({
    queryKey: keyOf(route, 'overview', projectId, params),
    queryFn: async ({ signal }) => {
      const { insight } = await get(route, requestOf(projectId, { ...params, include: 'insight' }), signal);
      return insight as unknown as Insight;
    },
    ...kept,
  });

export const trendsQuery = (projectId: string, params: Params) =>
  asked<Schemas['TrendsDto']>('/api/projects/{project_id}/persons/trends', projectId, params);

export const retentionQuery = (projectId: string, params: Params) =>
  asked<Schemas['RetentionDto']>('/api/projects/{project_id}/persons/retention', projectId, params);

/** The most frequent events of the last 30 days. */
export const topEventsQuery = (projectId: string) =>
  answer('/api/projects/{project_id}/event_definitions', { path: { project_id: projectId }, query: { limit: 6 } });

const series = [{ id: null, math: 'dau' }, { id: null, math: 'first_time_for_user' }, { id: null }].map(
  (entity, order) => ({ ...entity, type: 'events', order }),
);

const rangeOf = (days: number): Params => ({ date_from: `-${days}d` });

/** Active persons, new persons and events by day, beside those of the days before. */
export const figuresParams = (days: number): Params => ({ events: series, ...rangeOf(days), compare: true });

/** One of the figures, as the page of insights asks about it. */
export const figureParams = (days: number, order: number): Params => ({
  events: [{ ...series[order], order: 0 }],
  ...rangeOf(days),
  compare: true,
});

/** A person who is active on two days is one active person. */
export const activesParams = (days: number): Params => ({
  events: [series[0]],
  ...rangeOf(days),
  display: 'BoldNumber',
});

/** How many persons opened a page, by a property of the events. */
export const visitsParams = (days: number, property: string): Params => ({
  events: [{ id: '$pageview', type: 'events', order: 0, math: 'dau' }],
  breakdowns: [{ type: 'event', property }],
  breakdown_limit: 6,
  display: 'ActionsBarValue',
  ...rangeOf(days),
});

export const retentionParams: Params = { period: 'Week', total_intervals: 5 };

/** The newest cohorts, whose histories are read too. */
export const cohortsQuery = (projectId: string) =>
  answer('/api/projects/{project_id}/cohorts', { path: { project_id: projectId }, query: { limit: 6 } });
