import { sendJson } from './client';

/** A saved question, as the routes of insights answer it. */
export interface SavedInsight {
  readonly id: number;
  readonly name: string;
}

export interface NewInsight {
  readonly name: string;
  readonly description: string;
  readonly question: { readonly type: string; readonly params: Readonly<Record<string, unknown>> };
}

export const saveInsight = (projectId: string, insight: NewInsight): Promise<SavedInsight> =>
  sendJson('POST', `/api/projects/${projectId}/insights`, insight);
