import { sendJson } from './client';
import { type components } from './schema';

type Schemas = components['schemas'];

/** A question and its parameters, as the routes of insights and `query` take them. */
export interface SavedQuestion {
  readonly type: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type SavedInsight = Omit<Schemas['SavedInsightDto'], 'question'> & { readonly question: SavedQuestion };

export interface NewInsight {
  readonly name: string;
  readonly description: string;
  readonly question: SavedQuestion;
}

export const saveInsight = (projectId: string, insight: NewInsight): Promise<SavedInsight> =>
  sendJson('POST', `/api/projects/${projectId}/insights`, insight);

export type Tile = Omit<Schemas['TileDto'], 'id' | 'position'> & Partial<Schemas['TileDto']>;
export type Dashboard = Schemas['DashboardDto'];
export type TileAnswer = Schemas['TileAnswerDto'];
