import { type ClientBase } from 'pg';
import { type MemberChange, appendChanges } from './changes.repository.js';
import { type ChangeReason } from './cohort-change.entity.js';
import {
  type Bits,
  type ChangedChunk,
  type Chunks,
  chunkOf,
  exclude,
  include,
  lockMembers,
  readSomeChunks,
  writeChunks,
} from './member-chunks.js';

/** The changes of a transaction to the members of one cohort. */
export interface MemberEdit {
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
