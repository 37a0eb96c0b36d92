import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { appendChanges } from './changes.repository.js';
import { type ChangeReason } from './cohort-change.entity.js';
import { departedSince } from './departures.js';
import { lastChange } from './history.js';
import {
  type ChangedChunk,
  type Chunks,
  emptyBits,
  exclude,
  idsIn,
  include,
  lockMembers,
  readChunks,
  writeChunks,
} from './member-chunks.js';

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
  reason: ChangeReason,
  { members, asOf }: CalculatedMembers,
): Promise<void> => {
  await lockMembers(client, projectId);
  const departed: number[] = [];
  const replaced: number[] = [];
  for (const { id, into } of await departedSince(client, projectId, asOf)) {
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
