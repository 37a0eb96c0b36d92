import { type Notice } from './notice.entity.js';

/** Where the console shows the saved insight that a notice is about; null without PUBLIC_URL, or if the insight is gone. */
export const insightLink = (origin: string | null, projectId: number, data: Notice['data']): string | null =>
  origin === null || typeof data.insight_id !== 'number' || data.reason === 'insight_deleted'
    ? null
    : `${origin}/p/${projectId}/saved?insight=${data.insight_id}`;
