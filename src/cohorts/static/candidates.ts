import { type ClientBase } from 'pg';
import { type Candidate, type CandidateKind } from './candidate.js';

const candidatesAtOnce = 5000;

const insert = `
  INSERT INTO cohort_candidates (project_id, cohort_id, position, kind, value)
  SELECT $1, $2, $3 + c.at, c.kind, c.value
  FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS c (kind, value, at)`;

/** Kept until they are held against the persons. The cohort's row is locked, or new. */
export const keepCandidates = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  candidates: AsyncIterable<Candidate> | Iterable<Candidate>,
): Promise<number> => {
  const { rows } = await client.query<{ last: string | null }>(
    'SELECT max(position) AS last FROM cohort_candidates WHERE project_id = $1 AND cohort_id = $2',
    [projectId, cohortId],
  );
  let position = Number(rows[0]?.last ?? 0);
  let kept = 0;
  let held: Candidate[] = [];
  const flush = async () => {
    const values = [projectId, cohortId, position, held.map(({ kind }) => kind), held.map(({ value }) => value)];
    await client.query({ name: 'cohort-candidates', text: insert, values });
    position += held.length;
    kept += held.length;
    held = [];
  };
  for await (const candidate of candidates) {
    held.push(candidate);
    if (held.length === candidatesAtOnce) await flush();
  }
  if (held.length > 0) await flush();
  return kept;
};

/** The next of them, which are then no longer kept. */
export const takeCandidates = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  most: number,
): Promise<Candidate[]> => {
  const { rows } = await client.query<{ kind: CandidateKind; value: string }>(
    `DELETE FROM cohort_candidates
     WHERE project_id = $1 AND cohort_id = $2 AND position IN (
       SELECT position FROM cohort_candidates WHERE project_id = $1 AND cohort_id = $2
       ORDER BY position LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING kind, value`,
    [projectId, cohortId, most],
  );
  return rows;
};
