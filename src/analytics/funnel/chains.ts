import { type Sql } from '../../stores/clickhouse/sql.js';

/** Rows with `chains`, one for each of their `events`: the times of the steps from there, then of the next exclusions. */
export interface Chains {
  readonly rows: Sql;
  /** Where in a chain the next exclusion stands, by the exclusion's place; the steps come first, from 1. */
  readonly exclusionAt: readonly number[];
}
