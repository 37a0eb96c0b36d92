import { type ClientBase } from 'pg';
import { type Candidate, type CandidateKind } from './candidate.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';

const insert = `
  INSERT INTO cohort_candidates (project_id, cohort_id, position, kind, value)
  SELECT $1, $2, $3 + c.at, c.kind, c.value
  FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS c (kind, value, at)`;

/** Kept until they are held against the persons. The cohort's row is locked, or new. */
export const keepCandidates = async (
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
    const values = [projectId, cohortId, position, batch.map(({ kind }) => kind), batch.map(({ value }) => value)];
    await client.query({ name: 'cohort-candidates', text: insert, values });
    position += batch.length;
  }
};

export interface TakenCandidates {
  readonly candidates: readonly Candidate[];
  /** The place of the last; null when none is left behind the place asked for. */
  readonly last: string | null;
}

const next = `
  SELECT max(position) AS last FROM (
    SELECT position FROM cohort_candidates
    WHERE project_id = $1 AND cohort_id = $2 AND position > $3::bigint ORDER BY position LIMIT $4
  ) AS next`;

const take = `
  DELETE FROM cohort_candidates
  WHERE project_id = $1 AND cohort_id = $2 AND position > $3::bigint AND position <= $4::bigint
  RETURNING kind, value`;

/**
 * The next of them behind a place, which are then no longer kept. By ranges of their key alone: a planner that knows
 * nothing of rows which came a moment ago would join them one by one, and would read again those taken before.
 */
export const takeCandidates = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  behind: string,
  most: number,
): Promise<TakenCandidates> => {
  const { rows: found } = await client.query<{ last: string | null }>(next, [projectId, cohortId, behind, most]);
  const last = found[0]?.last ?? null;
  if (last === null) return { candidates: [], last };
  const { rows } = await client.query<{ kind: CandidateKind; value: string }>(take, [
    projectId,
    cohortId,
    behind,
    last,
  ]);
  return { candidates: rows, last };
};
