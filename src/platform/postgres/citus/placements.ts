/** Small tables of which every node of Citus has a copy: rows of projects refer to them, or are read together with them. */
export const referenceTables = ['users', 'projects', 'project_members', 'invitations'] as const;

/** Tables that only the coordinator has: those that belong to no project, and queues. */
export const coordinatorTables = [
  'personal_api_keys',
  'sessions',
  'one_time_links',
  'provider_accounts',
  'migrations',
  'account_activity',
  'project_deletions',
  'project_costs',
  'sign_on_attempts',
  'outbox',
  'outbox_replay',
  'shipments',
  'leases',
  'projection_state',
  'projection_rebuilds',
  'deletion_runs',
  'rate_windows',
  'cookieless_salts',
  'arrivals',
  'unsealed_events',
  'sealing_walks',
] as const;

export type Placement = 'distributed' | 'reference' | 'coordinator';

const placements = new Map<string, Placement>([
  ...referenceTables.map((name) => [name, 'reference'] as const),
  ...coordinatorTables.map((name) => [name, 'coordinator'] as const),
]);

/** Every other table belongs to projects and is distributed by `project_id`. */
export const placementOf = (table: string): Placement => placements.get(table) ?? 'distributed';
