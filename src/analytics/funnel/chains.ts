import { type Sql } from '../../stores/clickhouse/sql.js';

/** Rows with a column `chains`: for each of the `events`, the times of the steps from there on, then those of the next exclusions. */
export interface Chains {
  readonly rows: Sql;
  /** The position of each exclusion in the tuple of a chain; the steps have the first positions, from 1. */
  readonly exclusionAt: readonly number[];
}
