import { type User } from './types';

interface Named {
  readonly id: number;
  readonly name: string;
}

export interface CatalogueEntry {
  readonly name: string;
  readonly description: string;
  readonly owner: User | null;
  readonly hidden: boolean;
  readonly volume_30_days: number | null;
  readonly last_seen: string | null;
  /** Of properties only. */
  readonly kind?: 'event' | 'person';
  readonly types?: readonly string[];
  readonly persons?: number | null;
  readonly used_by: {
    readonly cohorts: readonly Named[];
    readonly insights: readonly Named[];
    readonly actions: readonly Named[];
  };
}
