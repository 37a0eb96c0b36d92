import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Bits, type Chunks } from './member-bits.js';

/** Any constant: other users of advisory locks with two keys take other ones. */
const lockClass = 0x6b6f_6863;

/**
 * Keeps all others from changing recorded members of the project until the transaction ends. So the ids of changes grow in the
 * order of commits, and rows that are read after this statement stay true. It must be the last lock that the transaction
 * takes: others wait for it while they hold persons and cohorts.
 */
export const lockMembers = async (client: ClientBase, projectId: number): Promise<void> => {
  await client.query(
    pgSql`SELECT pg_advisory_xact_lock(${bound(lockClass)}, ${bound(projectId)})`.named('members-lock'),
  );
};

interface ChunkRow {
  readonly cohort_id: number;
  readonly chunk: string;
  readonly bits: Buffer;
}

/** The members of one cohort. */
export const readChunks = async (reader: Queryable, projectId: number, cohortId: number): Promise<Chunks> => {
  const { rows } = await reader.query<ChunkRow>(
    pgSql`SELECT cohort_id, chunk, bits FROM cohort_member_chunks
     WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)}`,
  );
  return new Map(rows.map(({ chunk, bits }) => [Number(chunk), bits]));
};

/** Some chunks of several cohorts, by cohort. */
export const readSomeChunks = async (
  reader: Queryable,
  projectId: number,
  keys: readonly { readonly cohortId: number; readonly chunk: number }[],
): Promise<Map<number, Chunks>> => {
  const { rows } = await reader.query<ChunkRow>(
    pgSql`SELECT c.cohort_id, c.chunk, c.bits
     FROM unnest(${bound(keys.map(({ cohortId }) => cohortId))}::integer[], ${bound(keys.map(({ chunk }) => chunk))}::bigint[])
       AS place (cohort_id, chunk)
     CROSS JOIN LATERAL (
       SELECT m.cohort_id, m.chunk, m.bits FROM cohort_member_chunks AS m
       WHERE m.project_id = ${bound(projectId)} AND m.cohort_id = place.cohort_id AND m.chunk = place.chunk LIMIT 1
     ) AS c`.named('members-chunks'),
  );
  const cohorts = new Map<number, Chunks>();
  for (const { cohort_id: id, chunk, bits } of rows) {
    const chunks: Chunks = cohorts.get(id) ?? new Map<number, Bits>();
    cohorts.set(id, chunks.set(Number(chunk), bits));
  }
  return cohorts;
};

export interface ChangedChunk {
  readonly cohortId: number;
  readonly chunk: number;
  readonly bits: Bits;
}

export const writeChunks = async (
  client: ClientBase,
  projectId: number,
  chunks: readonly ChangedChunk[],
): Promise<void> => {
  if (chunks.length === 0) return;
  await client.query(
    pgSql`INSERT INTO cohort_member_chunks (project_id, cohort_id, chunk, bits)
     SELECT ${bound(projectId)}, changed.cohort_id, changed.chunk, changed.bits
     FROM unnest(${bound(chunks.map(({ cohortId }) => cohortId))}::integer[],
       ${bound(chunks.map(({ chunk }) => chunk))}::bigint[], ${bound(chunks.map(({ bits }) => Buffer.from(bits)))}::bytea[])
       AS changed (cohort_id, chunk, bits)
     ON CONFLICT (project_id, cohort_id, chunk) DO UPDATE SET bits = excluded.bits`.named('members-write'),
  );
};
