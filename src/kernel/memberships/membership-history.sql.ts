import { type Sql, identifier, sql } from '../../platform/clickhouse/sql.js';

/**
 * The alias of the joined rows that hold the changes of an actor's membership in a cohort: `changes`, pairs of a moment and 1
 * or -1.
 */
export const historyAlias = (cohortId: number): Sql => identifier(`history_${cohortId}`);

/** True if the actor was in the cohort at a moment. The statement must join the history of the cohort. */
export const wasMember = (cohortId: number, at: Sql): Sql =>
  sql`arraySum(change -> if(change.1 <= ${at}, change.2, 0), ${historyAlias(cohortId)}.changes) > 0`;
