import { type Notice } from './notice.entity.js';

/** Where the console shows a dashboard; null without PUBLIC_URL. */
export const dashboardLink = (origin: string | null, projectId: number, dashboardId: number): string | null =>
  origin === null ? null : `${origin}/p/${projectId}/dashboards/${dashboardId}`;

/** Where the console shows what a notice is about; null without PUBLIC_URL, or if it is gone or has no page. */
export const noticeLink = (origin: string | null, projectId: number, data: Notice['data']): string | null => {
  if (typeof data.dashboard_id === 'number') return dashboardLink(origin, projectId, data.dashboard_id);
  return origin === null || typeof data.insight_id !== 'number' || data.reason === 'insight_deleted'
    ? null
    : `${origin}/p/${projectId}/saved?insight=${data.insight_id}`;
};
