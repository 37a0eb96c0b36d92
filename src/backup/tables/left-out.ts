/** Tables that a backup does not contain, with the reason. All others are copied whole. */
export const leftOut: Readonly<Record<string, string>> = {
  arrivals: 'names transactions of one server, and is kept for ten minutes',
  unsealed_events: 'is a queue of work that a walk along the restored log does, too',
  sealing_walks: 'makes the restored log be walked from its beginning',
  leases: 'says which processes work now',
  outbox: 'says what ClickHouse lacks, and a restore fills ClickHouse anew',
  node_outbox: 'the same, on the nodes of Citus',
  project_gates: 'is made anew of projects where Citus needs it',
  outbox_replay: 'the same, while the projection is rebuilt',
  shipments: 'the same, for what is on its way',
  projection_rebuilds: 'a restore makes a request of its own',
  projection_state: 'says how far one ClickHouse is, and a restore fills another one',
  rate_windows: 'counts requests of the present minutes',
  migrations: 'a restore runs the migrations that the manifest names',
};
