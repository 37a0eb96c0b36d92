import { type ClientBase } from 'pg';
import { type Move } from '../identity/write.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { chunkSize, lockMembers } from './member-chunks.js';
import { type MemberEdit, recordLocked } from './record-members.js';

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
  const memberships = await depart(client, projectId, [...targets.keys()]);
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

/** Records deleted persons: each leaves its cohorts. Call it after everything that takes locks. */
export const recordDeleted = async (client: ClientBase, projectId: number, ids: readonly string[]): Promise<void> => {
  const memberships = await depart(client, projectId, ids.map(Number));
  const edits = memberships.map(({ cohortId, persons }): MemberEdit => ({
    cohortId,
    reason: 'deleted',
    leaving: persons,
    entering: [],
  }));
  await recordLocked(client, projectId, edits);
};

/** Records that the persons departed. Returns the cohorts that have any of them as members, each with these members. */
const depart = async (
  client: ClientBase,
  projectId: number,
  ids: readonly number[],
): Promise<{ readonly cohortId: number; readonly persons: number[] }[]> => {
  if (ids.length === 0) return [];
  await lockMembers(client, projectId);
  const project = bound(projectId);
  const persons = bound(ids);
  await client.query(
    pgSql`INSERT INTO person_departures (project_id, person_id, departed_at)
     SELECT ${project}, input.id, clock_timestamp() FROM unnest(${persons}::bigint[]) AS input (id)
     ON CONFLICT (project_id, person_id) DO UPDATE SET departed_at = excluded.departed_at`.named('members-depart'),
  );
  const { rows } = await client.query<{ cohort_id: number; persons: string[] }>(
    pgSql`SELECT m.cohort_id, array_agg(input.id) AS persons
     FROM unnest(${persons}::bigint[]) AS input (id)
     JOIN cohort_member_chunks AS m ON m.project_id = ${project} AND m.chunk = input.id / ${bound(chunkSize)}::integer
     WHERE get_bit(m.bits, input.id % ${bound(chunkSize)}::integer) = 1
     GROUP BY m.cohort_id ORDER BY m.cohort_id`.named('members-of-departing'),
  );
  return rows.map(({ cohort_id: cohortId, persons: members }) => ({ cohortId, persons: members.map(Number) }));
};

export interface Departed {
  readonly id: number;
  /** The person into which it was merged; null for a deleted one. */
  readonly into: number | null;
}

/** The persons who departed at or after a moment: what was read from ClickHouse as of that moment may contain them. */
export const departedSince = async (reader: Queryable, projectId: number, since: Date): Promise<Departed[]> => {
  const project = bound(projectId);
  const { rows } = await reader.query<{ person_id: string; target: string | null }>(
    pgSql`SELECT d.person_id, r.target FROM person_departures AS d
     LEFT JOIN person_redirects AS r ON r.project_id = ${project} AND r.source = d.person_id
     WHERE d.project_id = ${project} AND d.departed_at >= ${bound(new Date(since.getTime() - longestTransactionMs))}
       AND NOT EXISTS (SELECT FROM persons AS p WHERE p.project_id = ${project} AND p.id = d.person_id)`,
  );
  return rows.map(({ person_id: id, target }) => ({ id: Number(id), into: target === null ? null : Number(target) }));
};
