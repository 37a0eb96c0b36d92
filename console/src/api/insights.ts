import { sendJson } from './client';
import { type Problem } from './problem-error';
import { type User } from './types';

/** A question and its parameters, as the routes of insights and `query` take them. */
export interface SavedQuestion {
  readonly type: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Saved {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly favourite: boolean;
  readonly created_by: User | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A saved question, as the routes of insights answer it. */
export interface SavedInsight extends Saved {
  readonly question: SavedQuestion;
  readonly dashboards: readonly { readonly id: number; readonly name: string }[];
}

export interface NewInsight {
  readonly name: string;
  readonly description: string;
  readonly question: SavedQuestion;
}

export const saveInsight = (projectId: string, insight: NewInsight): Promise<SavedInsight> =>
  sendJson('POST', `/api/projects/${projectId}/insights`, insight);

export interface Tile {
  readonly id?: number;
  readonly insight_id: number;
  readonly position?: number;
  /** Columns of a grid of twelve. */
  readonly width: number;
}

export interface Dashboard extends Saved {
  readonly date_from: string | null;
  readonly date_to: string | null;
  readonly tiles: readonly (Tile & { readonly id: number })[];
}

export interface TileAnswer {
  readonly tile_id: number;
  readonly insight_id: number;
  readonly as_of?: string;
  readonly is_cached?: boolean;
  readonly answer?: unknown;
  readonly problem?: Problem;
}
