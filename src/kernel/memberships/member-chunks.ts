import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** A chunk has the persons whose ids have the same quotient by this number. */
export const chunkSize = 1024;
const chunkBytes = chunkSize / 8;

export const chunkOf = (personId: number): number => Math.floor(personId / chunkSize);

/** A set of persons, as one bit for each id of a chunk. The lowest bit of the first byte is the first id. */
export type Bits = Uint8Array;

/** Sets of persons by chunk. */
export type Chunks = Map<number, Bits>;

export const emptyBits = (): Bits => new Uint8Array(chunkBytes);

const bitOf = (personId: number) => {
  const at = personId % chunkSize;
  return { byte: at >> 3, mask: 1 << (at & 7) };
};

export const has = (chunks: ReadonlyMap<number, Bits>, personId: number): boolean => {
  const { byte, mask } = bitOf(personId);
  return ((chunks.get(chunkOf(personId))?.[byte] ?? 0) & mask) !== 0;
};

/** Adds a person to the set. Returns true if the person was not in it. */
export const include = (chunks: Chunks, personId: number): boolean => {
  if (has(chunks, personId)) return false;
  const bits = chunks.get(chunkOf(personId)) ?? emptyBits();
  const { byte, mask } = bitOf(personId);
  bits[byte] = (bits[byte] ?? 0) | mask;
  chunks.set(chunkOf(personId), bits);
  return true;
};

/** Removes a person from the set. Returns true if the person was in it. */
export const exclude = (chunks: Chunks, personId: number): boolean => {
  if (!has(chunks, personId)) return false;
  const bits = chunks.get(chunkOf(personId)) ?? emptyBits();
  const { byte, mask } = bitOf(personId);
  bits[byte] = (bits[byte] ?? 0) & ~mask;
  return true;
};

/** The ids that are in `bits` and not in `other`, ascending. */
export const idsIn = (chunk: number, bits: Bits, other?: Bits): number[] => {
  const ids: number[] = [];
  for (let byte = 0; byte < chunkBytes; byte += 1) {
    const value = (bits[byte] ?? 0) & ~(other?.[byte] ?? 0);
    for (let bit = 0; value >> bit !== 0; bit += 1)
      if ((value >> bit) & 1) ids.push(chunk * chunkSize + byte * 8 + bit);
  }
  return ids;
};

/** An arbitrary constant, which no other user of advisory locks with two keys takes. */
const lockClass = 0x6b6f_6863;

/**
 * Keeps all other transactions from changing recorded members of the project until this one ends. So the ids of changes grow in
 * the order of commits, and rows that are read after this statement stay true. It must be the last lock that the transaction
 * takes: other transactions wait for it while they hold persons and cohorts.
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

/** Reads the members of one cohort. */
export const readChunks = async (reader: Queryable, projectId: number, cohortId: number): Promise<Chunks> => {
  const { rows } = await reader.query<ChunkRow>(
    pgSql`SELECT cohort_id, chunk, bits FROM cohort_member_chunks
     WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)}`,
  );
  return new Map(rows.map(({ chunk, bits }) => [Number(chunk), bits]));
};

/** Reads some chunks of several cohorts, and returns them by cohort. */
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

/**
 * Packs ascending ids of persons: each as its distance from the id before, seven bits a byte. Most ids of a change need one or
 * two bytes, where PostgreSQL's own array needs eight.
 */
export const packIds = (ids: readonly number[]): Buffer => {
  const bytes: number[] = [];
  let before = 0;
  for (const id of ids) {
    let distance = id - before;
    before = id;
    for (; distance > 127; distance = Math.floor(distance / 128)) bytes.push((distance % 128) + 128);
    bytes.push(distance);
  }
  return Buffer.from(bytes);
};

export const unpackIds = (packed: Uint8Array): number[] => {
  const ids: number[] = [];
  let before = 0;
  let distance = 0;
  let factor = 1;
  for (const byte of packed) {
    distance += (byte % 128) * factor;
    factor *= 128;
    if (byte > 127) continue;
    before += distance;
    ids.push(before);
    distance = 0;
    factor = 1;
  }
  return ids;
};
