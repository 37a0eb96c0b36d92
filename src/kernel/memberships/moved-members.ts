import { type ClientBase } from 'pg';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';
import {
  type Bits,
  type Chunks,
  chunkOf,
  exclude,
  has,
  include,
  lockMembers,
  readSomeChunks,
  unpackIds,
} from './member-chunks.js';
import { recordDeleted, recordLocked, recordMembers, recordMerged } from './record-members.js';
import { Injectable } from '@nestjs/common';
import { type MemberMoves, type MembersParted } from '../identity/member-moves.js';
import { plannedByKey } from '../../platform/postgres/planned-by-key.js';
import { type Move } from '../identity/write.js';
import { staticMemberKey } from '../projection/cargo/cohorts.cargo.js';
import { enqueue } from '../projection/outbox/outbox.js';

interface CohortRow {
  readonly id: number;
  readonly departed_at_switch: readonly string[];
  readonly replaced_at_switch: readonly string[];
}

interface ChangeRow {
  readonly cohort_id: number;
  readonly entered: boolean;
  readonly persons: Buffer;
}

/**
 * Records what the undo of a merge changes in dynamic cohorts, after the redirects were returned. The current version still has
 * the members that its calculation found, so each of the two persons is a member if the person, or one that was merged into it,
 * was a member when this version began to count. Call it after everything that takes locks.
 */
export const recordParted = async (client: ClientBase, projectId: number, parted: readonly string[]): Promise<void> => {
  await lockMembers(client, projectId);
  const project = bound(projectId);
  const { rows: cohorts } = await client.query<CohortRow>(
    pgSql`SELECT id, departed_at_switch, replaced_at_switch FROM cohorts
     WHERE project_id = ${project} AND group_type_index IS NULL AND NOT is_static AND NOT deleted AND version IS NOT NULL`,
  );
  if (cohorts.length === 0) return;
  const { rows: redirects } = await client.query<{ source: string; target: string }>(
    pgSql`SELECT source, target FROM person_redirects WHERE project_id = ${project} AND target = ANY (${bound(parted)}::bigint[])`,
  );
  const groups = parted.map((id) => [
    Number(id),
    ...redirects.filter(({ target }) => target === id).map(({ source }) => Number(source)),
  ]);
  const concerned = new Set(groups.flat());
  const ids = cohorts.map(({ id }) => id);
  const keys = ids.flatMap((cohortId) =>
    [...new Set([...concerned].map(chunkOf))].map((chunk) => ({ cohortId, chunk })),
  );
  const atSwitch = await readSomeChunks(client, projectId, keys);
  const { rows } = await client.query<ChangeRow>(
    pgSql`SELECT c.cohort_id, c.entered, c.persons FROM cohort_changes AS c
     JOIN cohorts AS k ON k.project_id = ${project} AND k.id = c.cohort_id
     WHERE c.project_id = ${project} AND c.cohort_id = ANY (${bound(ids)}::integer[]) AND c.id > k.last_switch
     ORDER BY c.id DESC`,
  );
  const membersOf = (cohortId: number): Chunks => {
    const members = atSwitch.get(cohortId) ?? new Map<number, Bits>();
    atSwitch.set(cohortId, members);
    return members;
  };
  for (const { cohort_id: cohortId, entered, persons } of rows)
    for (const id of unpackIds(persons)) {
      if (!concerned.has(id)) continue;
      if (entered) exclude(membersOf(cohortId), id);
      else include(membersOf(cohortId), id);
    }
  // A calculation may have found persons who were merged before its members counted: ClickHouse has the merged ones as members.
  for (const { id, departed_at_switch: departed, replaced_at_switch: replaced } of cohorts) {
    for (const person of departed.map(Number)) if (concerned.has(person)) include(membersOf(id), person);
    for (const person of replaced.map(Number)) if (concerned.has(person)) exclude(membersOf(id), person);
  }
  await recordLocked(
    client,
    projectId,
    ids.map((cohortId) => {
      const wasIn = (group: readonly number[]): boolean => group.some((id) => has(membersOf(cohortId), id));
      const entering = groups.filter(wasIn).flatMap(([id]) => id ?? []);
      const leaving = groups.filter((group) => !wasIn(group)).flatMap(([id]) => id ?? []);
      return { cohortId, reason: 'split', entering, leaving };
    }),
  );
};

// The memberships of the sources are deleted with the sources. ClickHouse finds a moved member by its redirect.
const move = `
  INSERT INTO static_cohort_members (project_id, cohort_id, person_id, added_at, upload, query_run)
  SELECT $1, m.cohort_id, move.target, min(m.added_at), max(m.upload), max(m.query_run)
  FROM jsonb_to_recordset($2::jsonb) AS move (source bigint, target bigint)
  JOIN static_cohort_members AS m ON m.project_id = $1 AND m.person_id = move.source
  WHERE ${plannedByKey('move.source')}
  GROUP BY m.cohort_id, move.target
  ON CONFLICT (project_id, cohort_id, person_id) DO UPDATE SET query_run = excluded.query_run
  WHERE static_cohort_members.query_run < excluded.query_run`;

const giveBack = (projectId: number, { source, target, back }: MembersParted): PgSql => {
  const project = bound(projectId);
  return pgSql`
    INSERT INTO static_cohort_members (project_id, cohort_id, person_id, added_at, upload, query_run)
    SELECT ${project}, m.cohort_id, ${bound(target)}::bigint, m.added_at, m.upload, m.query_run
    FROM static_cohort_members AS m
    WHERE m.project_id = ${project} AND m.person_id = ${bound(source)}::bigint
      AND m.cohort_id = ANY (${bound(back)}::integer[])
    ON CONFLICT DO NOTHING
    RETURNING cohort_id`;
};

const takeOut = (projectId: number, { source, out }: MembersParted): PgSql => pgSql`
  DELETE FROM static_cohort_members
  WHERE project_id = ${bound(projectId)} AND person_id = ${bound(source)}::bigint
    AND cohort_id = ANY (${bound(out)}::integer[])
  RETURNING cohort_id`;

/**
 * Moves the memberships of persons: in the lists of static cohorts, which name persons one by one, and in the recorded members
 * of every cohort.
 */
@Injectable()
export class MovedMembers implements MemberMoves {
  async move(client: ClientBase, projectId: number, moves: readonly Move[]): Promise<void> {
    await client.query({ name: 'identity-members', text: move, values: [projectId, JSON.stringify(moves)] });
    // All other statements about these persons have been sent by now, so these locks are the last.
    await recordMerged(client, projectId, moves);
  }

  async remove(client: ClientBase, projectId: number, personIds: readonly string[]): Promise<void> {
    await recordDeleted(client, projectId, personIds);
  }

  async part(client: ClientBase, projectId: number, parted: MembersParted, now: Date): Promise<void> {
    const { source, target, back, out } = parted;
    if (back.length + out.length > 0) await partStatic(client, projectId, parted, now);
    await recordParted(client, projectId, [source, target]);
  }
}

const partStatic = async (client: ClientBase, projectId: number, parted: MembersParted, now: Date): Promise<void> => {
  const { source, target, back, out } = parted;
  const entered = await client.query<{ cohort_id: number }>(giveBack(projectId, parted));
  const left = await client.query<{ cohort_id: number }>(takeOut(projectId, parted));
  const refs = [
    ...back.map((cohort) => staticMemberKey(cohort, target)),
    ...[...back, ...out].map((cohort) => staticMemberKey(cohort, source)),
  ];
  await enqueue(client, projectId, [{ kind: 'static_cohorts', refs: [...new Set(refs)] }], now);
  const reason = 'split' as const;
  await recordMembers(client, projectId, [
    ...left.rows.map(({ cohort_id: cohortId }) => ({ cohortId, reason, entering: [], leaving: [Number(source)] })),
    ...entered.rows.map(({ cohort_id: cohortId }) => ({ cohortId, reason, entering: [Number(target)], leaving: [] })),
  ]);
};
