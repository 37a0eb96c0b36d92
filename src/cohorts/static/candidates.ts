import { type ClientBase } from 'pg';
import { type Candidate, type CandidateKind } from '../members/candidate.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';

/** Stores candidates until they are looked up among the persons. The cohort's row must be locked or new. */
export const storeCandidates = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  batches: AsyncIterable<readonly Candidate[]>,
): Promise<void> => {
  const { rows } = await client.query<{ last: string | null }>(
    pgSql`SELECT max(position) AS last FROM cohort_candidates WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)}`,
  );
  let position = Number(rows[0]?.last ?? 0);
  for await (const batch of batches) {
    const kinds = bound(batch.map(({ kind }) => kind));
    const values = bound(batch.map(({ value }) => value));
    await client.query(
      pgSql`INSERT INTO cohort_candidates (project_id, cohort_id, position, kind, value)
       SELECT ${bound(projectId)}, ${bound(cohortId)}, ${bound(position)} + c.at, c.kind, c.value
       FROM unnest(${kinds}::text[], ${values}::text[]) WITH ORDINALITY AS c (kind, value, at)`.named(
        'cohort-candidates',
      ),
    );
    position += batch.length;
  }
};

export interface TakenCandidates {
  readonly candidates: readonly Candidate[];
  /** The position of the last candidate taken; null when none is left after the requested position. */
  readonly last: string | null;
}

/**
 * Takes the next candidates after a position and removes them. Both statements use ranges of the key only: a planner without
 * statistics of the newest rows would join them one by one, and would read again the rows that were taken before.
 */
export const takeCandidates = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  behind: string,
  most: number,
): Promise<TakenCandidates> => {
  const remaining = pgSql`project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND position > ${bound(behind)}::bigint`;
  const { rows: range } = await client.query<{ last: string | null }>(
    pgSql`SELECT max(position) AS last FROM (
       SELECT position FROM cohort_candidates WHERE ${remaining} ORDER BY position LIMIT ${bound(most)}
     ) AS next`,
  );
  const last = range[0]?.last ?? null;
  if (last === null) return { candidates: [], last };
  const { rows } = await client.query<{ kind: CandidateKind; value: string }>(
    pgSql`DELETE FROM cohort_candidates WHERE ${remaining} AND position <= ${bound(last)}::bigint RETURNING kind, value`,
  );
  return { candidates: rows, last };
};

export const hasCandidates = async (client: ClientBase, projectId: number, cohortId: number): Promise<boolean> => {
  const { rowCount } = await client.query(
    pgSql`SELECT 1 FROM cohort_candidates WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} LIMIT 1`,
  );
  return rowCount !== 0;
};
