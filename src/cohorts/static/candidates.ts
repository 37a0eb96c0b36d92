import { type ClientBase } from 'pg';
import { type CohortCandidate } from './cohort-candidate.entity.js';
import { type Candidate } from '../../kernel/memberships/candidate.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** Stores candidates until they are looked up among the persons. Returns their number. The cohort's row must be locked or new. */
export const storeCandidates = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  upload: number | null,
  batches: AsyncIterable<readonly Candidate[]>,
): Promise<number> => {
  const { rows } = await client.query<{ last: string | null }>(
    pgSql`SELECT max(position) AS last FROM cohort_candidates WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)}`,
  );
  const before = Number(rows[0]?.last ?? 0);
  let position = before;
  for await (const batch of batches) {
    const kinds = bound(batch.map(({ kind }) => kind));
    const values = bound(batch.map(({ value }) => value));
    const sources = bound(batch.map(({ origin }) => origin?.source ?? null));
    const indexes = bound(batch.map(({ origin }) => origin?.at ?? null));
    await client.query(
      pgSql`INSERT INTO cohort_candidates (project_id, cohort_id, position, kind, value, upload, source, at)
       SELECT ${bound(projectId)}, ${bound(cohortId)}, ${bound(position)} + c.place, c.kind, c.value, ${bound(upload)},
         c.source, c.at
       FROM unnest(${kinds}::text[], ${values}::text[], ${sources}::text[], ${indexes}::bigint[])
         WITH ORDINALITY AS c (kind, value, source, at, place)`.named('cohort-candidates'),
    );
    position += batch.length;
  }
  return position - before;
};

export interface TakenCandidates {
  /** The candidates of each upload, in the order of their positions; null stands for a copy of a cohort. */
  readonly byUpload: ReadonlyMap<number | null, readonly Candidate[]>;
  /** The position of the last candidate taken; null when there was none after the requested position. */
  readonly last: string | null;
}

/**
 * Takes the next candidates after a position and removes them. Both statements use ranges of the key only: without statistics of
 * the newest rows, the planner would join them one by one, and would read the removed rows again.
 */
export const takeCandidates = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  after: string,
  most: number,
): Promise<TakenCandidates> => {
  const remaining = pgSql`project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND position > ${bound(after)}::bigint`;
  const { rows: range } = await client.query<{ last: string | null }>(
    pgSql`SELECT max(position) AS last FROM (
       SELECT position FROM cohort_candidates WHERE ${remaining} ORDER BY position LIMIT ${bound(most)}
     ) AS next`,
  );
  const last = range[0]?.last ?? null;
  if (last === null) return { byUpload: new Map(), last };
  const { rows } = await client.query<Taken>(
    pgSql`DELETE FROM cohort_candidates WHERE ${remaining} AND position <= ${bound(last)}::bigint
     RETURNING position, kind, value, upload, source, at`,
  );
  rows.sort((a, b) => Number(a.position) - Number(b.position));
  const byUpload = new Map<number | null, Candidate[]>();
  for (const { kind, value, upload, source, at } of rows) {
    const candidate = { kind, value, ...(source && { origin: { source, at: Number(at) } }) };
    const others = byUpload.get(upload);
    if (others) others.push(candidate);
    else byUpload.set(upload, [candidate]);
  }
  return { byUpload, last };
};

export const hasCandidates = async (client: ClientBase, projectId: number, cohortId: number): Promise<boolean> => {
  const { rowCount } = await client.query(
    pgSql`SELECT 1 FROM cohort_candidates WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} LIMIT 1`,
  );
  return rowCount !== 0;
};
type Taken = Stored<Pick<CohortCandidate, 'position' | 'kind' | 'value' | 'upload' | 'source' | 'at'>>;
