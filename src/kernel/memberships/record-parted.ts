import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Bits, chunkOf, type Chunks, exclude, has, include } from './member-bits.js';
import { lockMembers, readSomeChunks } from './member-chunks.js';
import { unpackIds } from './person-ids.js';
import { recordLocked } from './record-members.js';

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
 * Records what the undo of a merge changes in dynamic cohorts, after the redirects were returned. The current version still
 * has the members that its calculation found, so each of the two persons is a member if it, or a person that was merged into
 * it, was one at the switch. Call it after everything that takes locks.
 */
export const recordParted = async (client: ClientBase, projectId: number, parted: readonly string[]): Promise<void> => {
  await lockMembers(client, projectId);
  const project = bound(projectId);
  const { rows: cohorts } = await client.query<CohortRow>(
    pgSql`SELECT id, departed_at_switch, replaced_at_switch FROM cohorts
     WHERE project_id = ${project} AND NOT is_static AND NOT deleted AND version IS NOT NULL`,
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
  // A calculation may have found persons who were merged before its members counted: ClickHouse has these.
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
