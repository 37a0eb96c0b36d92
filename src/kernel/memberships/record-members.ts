import { type ClientBase } from 'pg';
import { type MemberChange, appendChanges } from './changes.repository.js';
import { type ChangeReason } from './cohort-change.entity.js';
import {
  type Bits,
  type ChangedChunk,
  type Chunks,
  chunkOf,
  chunkSize,
  emptyBits,
  exclude,
  idsIn,
  include,
  lockMembers,
  readChunks,
  readSomeChunks,
  writeChunks,
} from './member-chunks.js';
import { type Move } from '../identity/write.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';
import { lastChange } from './history.js';

/** The changes of a transaction to the members of one cohort. */
interface MemberEdit {
  readonly cohortId: number;
  readonly reason: ChangeReason;
  readonly entering: readonly number[];
  readonly leaving: readonly number[];
}

/**
 * Records, in the caller's transaction, who enters and who leaves cohorts. Persons who are already members do not enter, and
 * persons who are not members do not leave. Call it after everything that takes locks.
 */
export const recordMembers = async (
  client: ClientBase,
  projectId: number,
  edits: readonly MemberEdit[],
): Promise<void> => {
  if (edits.every(({ entering, leaving }) => entering.length + leaving.length === 0)) return;
  await lockMembers(client, projectId);
  await recordLocked(client, projectId, edits);
};

/** Like `recordMembers`, for a caller that has locked the members itself. */
export const recordLocked = async (
  client: ClientBase,
  projectId: number,
  edits: readonly MemberEdit[],
): Promise<void> => {
  const keys = new Map<string, { cohortId: number; chunk: number }>();
  for (const { cohortId, entering, leaving } of edits) {
    for (const person of [...entering, ...leaving]) {
      const chunk = chunkOf(person);
      keys.set(`${cohortId}:${chunk}`, { cohortId, chunk });
    }
  }
  const cohorts = await readSomeChunks(client, projectId, [...keys.values()]);
  const changed = new Map<string, ChangedChunk>();
  const changes: MemberChange[] = [];
  for (const edit of edits) {
    const { cohortId, reason } = edit;
    const chunks: Chunks = cohorts.get(cohortId) ?? new Map<number, Bits>();
    cohorts.set(cohortId, chunks);
    const left = ascending(edit.leaving.filter((person) => exclude(chunks, person)));
    const entered = ascending(edit.entering.filter((person) => include(chunks, person)));
    for (const chunk of new Set([...left, ...entered].map(chunkOf)))
      changed.set(`${cohortId}:${chunk}`, { cohortId, chunk, bits: chunks.get(chunk) as Uint8Array });
    if (left.length > 0) changes.push({ cohortId, reason, entered: false, persons: left });
    if (entered.length > 0) changes.push({ cohortId, reason, entered: true, persons: entered });
  }
  await writeChunks(client, projectId, [...changed.values()]);
  await appendChanges(client, projectId, changes);
};

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/**
 * Departures are read from this much earlier, because their transactions may have committed late. No transaction runs longer.
 */
const longestTransactionMs = 10 * 60_000;

/**
 * Records merged persons: each leaves its cohorts, and the person into which it was merged enters them unless already a member.
 * Call it after everything that takes locks.
 */
export const recordMerged = async (client: ClientBase, projectId: number, moves: readonly Move[]): Promise<void> => {
  const targets = new Map(moves.map(({ source, target }) => [Number(source), Number(target)]));
  const memberships = await depart(client, projectId, [...targets.keys()], 'persons');
  await recordLocked(
    client,
    projectId,
    memberships.map(({ cohortId, persons }) => ({
      cohortId,
      reason: 'merged',
      leaving: persons,
      entering: persons.flatMap((person) => targets.get(person) ?? []),
    })),
  );
};

/** The members of a cohort. Persons and groups have different numbers as ids. */
export type MemberKind = 'persons' | 'groups';

/** A person or a group. */
export interface Member {
  readonly kind: MemberKind;
  readonly id: string;
}

export const memberKindOf = (groupType: number | null): MemberKind => (groupType === null ? 'persons' : 'groups');

/** Records deleted persons or groups: each leaves its cohorts. Call it after everything that takes locks. */
export const recordDeleted = async (
  client: ClientBase,
  projectId: number,
  ids: readonly string[],
  kind: MemberKind = 'persons',
): Promise<void> => {
  const memberships = await depart(client, projectId, ids.map(Number), kind);
  const edits = memberships.map(({ cohortId, persons }): MemberEdit => ({
    cohortId,
    reason: 'deleted',
    leaving: persons,
    entering: [],
  }));
  await recordLocked(client, projectId, edits);
};

interface DepartureTable {
  readonly table: PgSql;
  readonly id: PgSql;
  /** True for the cohorts `c` that can have them as members. */
  readonly isOfCohort: PgSql;
}

const departures: Readonly<Record<MemberKind, DepartureTable>> = {
  persons: {
    table: pgSql`person_departures`,
    id: pgSql`person_id`,
    isOfCohort: pgSql`c.group_type_index IS NULL`,
  },
  groups: { table: pgSql`group_departures`, id: pgSql`group_id`, isOfCohort: pgSql`c.group_type_index IS NOT NULL` },
};

/** Records that persons or groups departed. Returns the cohorts that have any of them as members, each with these members. */
const depart = async (
  client: ClientBase,
  projectId: number,
  ids: readonly number[],
  kind: MemberKind,
): Promise<{ readonly cohortId: number; readonly persons: number[] }[]> => {
  if (ids.length === 0) return [];
  await lockMembers(client, projectId);
  const project = bound(projectId);
  const departing = bound(ids);
  const { table: departureTable, id, isOfCohort } = departures[kind];
  await client.query(
    pgSql`INSERT INTO ${departureTable} (project_id, ${id}, departed_at)
     SELECT ${project}, input.id, clock_timestamp() FROM unnest(${departing}::bigint[]) AS input (id)
     ON CONFLICT (project_id, ${id}) DO UPDATE SET departed_at = excluded.departed_at`.named(`members-depart-${kind}`),
  );
  const { rows } = await client.query<{ cohort_id: number; persons: string[] }>(
    pgSql`SELECT m.cohort_id, array_agg(input.id) AS persons
     FROM unnest(${departing}::bigint[]) AS input (id)
     JOIN cohort_member_chunks AS m ON m.project_id = ${project} AND m.chunk = input.id / ${bound(chunkSize)}::integer
     JOIN cohorts AS c ON c.project_id = ${project} AND c.id = m.cohort_id AND ${isOfCohort}
     WHERE get_bit(m.bits, input.id % ${bound(chunkSize)}::integer) = 1
     GROUP BY m.cohort_id ORDER BY m.cohort_id`.named(`members-of-departing-${kind}`),
  );
  return rows.map(({ cohort_id: cohortId, persons: members }) => ({ cohortId, persons: members.map(Number) }));
};

interface Departed {
  readonly id: number;
  /** The person into which it was merged; null for a deleted one. */
  readonly into: number | null;
}

/** The groups that were deleted at or after a moment. */
const deletedGroupsSince = async (reader: Queryable, projectId: number, since: Date): Promise<Departed[]> => {
  const project = bound(projectId);
  const { rows } = await reader.query<{ group_id: string }>(
    pgSql`SELECT group_id FROM group_departures
     WHERE project_id = ${project} AND departed_at >= ${bound(new Date(since.getTime() - longestTransactionMs))}`,
  );
  return rows.map(({ group_id: id }) => ({ id: Number(id), into: null }));
};

/** The persons who departed at or after a moment: what was read from ClickHouse as of that moment may contain them. */
const departedSince = async (reader: Queryable, projectId: number, since: Date): Promise<Departed[]> => {
  const project = bound(projectId);
  const { rows } = await reader.query<{ person_id: string; target: string | null }>(
    pgSql`SELECT d.person_id, r.target FROM person_departures AS d
     LEFT JOIN person_redirects AS r ON r.project_id = ${project} AND r.source = d.person_id
     WHERE d.project_id = ${project} AND d.departed_at >= ${bound(new Date(since.getTime() - longestTransactionMs))}
       AND NOT EXISTS (SELECT FROM persons AS p WHERE p.project_id = ${project} AND p.id = d.person_id)`,
  );
  return rows.map(({ person_id: id, target }) => ({ id: Number(id), into: target === null ? null : Number(target) }));
};

/** The members that a calculation has found. */
export interface CalculatedMembers {
  readonly members: Chunks;
  /** The calculation knew of every merge and deletion before this moment. */
  readonly asOf: Date;
}

const chunksPerStatement = 1000;

/**
 * Records that the calculated members are from now on the members of the cohort, in the transaction that makes them count.
 * Call it after everything that takes locks.
 */
export const recordSwitch = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  { reason, kind }: { readonly reason: ChangeReason; readonly kind: MemberKind },
  { members, asOf }: CalculatedMembers,
): Promise<void> => {
  await lockMembers(client, projectId);
  const departed: number[] = [];
  const replaced: number[] = [];
  const gone = kind === 'persons' ? departedSince : deletedGroupsSince;
  for (const { id, into } of await gone(client, projectId, asOf)) {
    if (!exclude(members, id)) continue;
    departed.push(id);
    if (into !== null && include(members, into)) replaced.push(into);
  }
  const before = await readChunks(client, projectId, cohortId);
  const chunks = [...new Set([...before.keys(), ...members.keys()])].sort((a, b) => a - b);
  for (const entered of [false, true]) {
    let persons: number[] = [];
    for (const chunk of chunks) {
      const [old, now] = [before.get(chunk) ?? emptyBits(), members.get(chunk) ?? emptyBits()];
      for (const id of entered ? idsIn(chunk, now, old) : idsIn(chunk, old, now)) persons.push(id);
      if (persons.length < 100_000) continue;
      await appendChanges(client, projectId, [{ cohortId, reason, entered, persons }]);
      persons = [];
    }
    if (persons.length > 0) await appendChanges(client, projectId, [{ cohortId, reason, entered, persons }]);
  }
  const changed = chunks
    .filter((chunk) => !isEqual(before.get(chunk), members.get(chunk)))
    .map((chunk): ChangedChunk => ({ cohortId, chunk, bits: members.get(chunk) ?? emptyBits() }));
  for (let from = 0; from < changed.length; from += chunksPerStatement)
    await writeChunks(client, projectId, changed.slice(from, from + chunksPerStatement));
  const last = await lastChange(client, projectId, cohortId);
  await client.query(
    pgSql`UPDATE cohorts SET is_redefined = false, last_switch = ${bound(last)},
       departed_at_switch = ${bound(departed)}::bigint[], replaced_at_switch = ${bound(replaced)}::bigint[]
     WHERE project_id = ${bound(projectId)} AND id = ${bound(cohortId)}`,
  );
};

const isEqual = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  Buffer.compare(one ?? emptyBits(), other ?? emptyBits()) === 0;
