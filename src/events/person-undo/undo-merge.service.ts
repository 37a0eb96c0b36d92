import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Activity, recordActivities } from '../../activity/record-activity.js';
import { type Author } from '../../common/author.js';
import { conflict, invalidInput, notFound } from '../../common/errors/problem.js';
import { isBigId } from '../../common/ids.js';
import { type ProjectContext } from '../../common/project-context.js';
import { MemberMoves } from '../../persons/member-moves.js';
import { missingPerson, namedPersons } from '../../persons/named-persons.js';
import { type PersonRef } from '../../persons/person-ref.js';
import { PersonReader } from '../../persons/person-reader.js';
import { type CurrentPerson, lockCurrentPersons } from '../../persons/undo/current-person.js';
import { findMerge, type ListedMerge } from '../../persons/undo/merge-list.js';
import { moveIds, replaceState, restoreRow, returnRedirects, updateRecords } from '../../persons/undo/part-person.js';
import { enqueue } from '../../projection/outbox/outbox.js';
import { Projection } from '../../projection/projection.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { RetryTransaction } from '../../stores/postgres/retry-transaction.js';
import { type UnmergePersonDto } from './person-undo.dto.js';
import { StoredHistory } from './recorded-history.js';
import { refuseUnlessPossible, undoneMerge, type UndoneMerge } from './undone-merge.js';

/** Takes a merge apart: the merged person comes back with its ids, its properties and what was set by its ids since. */
@Injectable()
export class UndoMergeService {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonReader,
    private readonly projection: Projection,
    private readonly members: MemberMoves,
  ) {}

  async undo(project: ProjectContext, ref: PersonRef, mergeId: string, author: Author): Promise<UnmergePersonDto> {
    const answer = await this.postgres.transaction((client) => this.undoIn(client, project, ref, mergeId, author), {
      repeat: true,
    });
    this.projection.wake();
    return answer;
  }

  private async undoIn(
    client: ClientBase,
    project: ProjectContext,
    ref: PersonRef,
    mergeId: string,
    author: Author,
  ): Promise<UnmergePersonDto> {
    const [named] = await namedPersons(client, project.id, [ref]);
    if (!named) throw await missingPerson(client, project.id, ref);
    if (!isBigId(mergeId)) throw invalidInput('merge_id must be the integer id of a merge', 'merge_id');
    const planned = await this.possible(client, project, named.id, mergeId, author.now);
    // The row comes before locks on existing persons, as everywhere.
    const row = { id: planned.merged, uuid: planned.merged_uuid, created_at: planned.merged_at };
    if (!(await restoreRow(client, project.id, row))) {
      await this.possible(client, project, named.id, mergeId, author.now);
      throw conflict(`merge ${mergeId} cannot be undone: another person has the uuid of the merged person now`);
    }
    const [root] = await lockCurrentPersons(client, project.id, [named.id]);
    if (!root) throw new RetryTransaction();
    const merge = await this.possible(client, project, named.id, mergeId, author.now);
    const undone = await undoneMerge(new StoredHistory(client, project.id), root, merge);
    await this.part(client, project, { root, merge, undone }, author.now);
    await recordUndo(client, project, root, merge, author);
    return {
      ...(await this.persons.get(project, { id: root.id }, client)),
      restored_person: await this.persons.get(project, { id: merge.merged }, client),
    };
  }

  private async possible(
    client: ClientBase,
    project: ProjectContext,
    personId: string,
    mergeId: string,
    now: Date,
  ): Promise<ListedMerge> {
    const merge = await findMerge(client, project.id, personId, mergeId);
    if (!merge) throw notFound(`person ${personId} has no merge ${mergeId}: persons/${personId}/merges lists them`);
    refuseUnlessPossible(merge, now);
    return merge;
  }

  private async part(
    client: ClientBase,
    project: ProjectContext,
    { root, merge, undone }: { root: CurrentPerson; merge: ListedMerge; undone: UndoneMerge },
    now: Date,
  ): Promise<void> {
    const move = { source: root.id, target: merge.merged };
    const { distinctIds } = undone;
    await replaceState(client, project.id, root.id, undone.survivor);
    await replaceState(client, project.id, merge.merged, undone.restored);
    await moveIds(client, project.id, move, distinctIds);
    const redirected = await returnRedirects(client, project.id, move, undone.redirects);
    const { retargeted, unbrought } = undone;
    await updateRecords(client, project.id, { undone: merge.id, now, unbrought, retargeted });
    await enqueue(
      client,
      project.id,
      [
        { kind: 'persons', refs: [root.id, merge.merged] },
        { kind: 'distinct_ids', refs: distinctIds },
        { kind: 'redirects', refs: redirected },
      ],
      now,
    );
    await this.changeCohorts(client, project, { ...move, ...undone.cohorts }, now);
  }

  /** The last step of an undone merge: what cohorts learn of the two persons. */
  private async changeCohorts(
    client: ClientBase,
    project: ProjectContext,
    parted: Parameters<MemberMoves['part']>[2],
    now: Date,
  ): Promise<void> {
    await this.members.part(client, project.id, parted, now);
  }
}

const recordUndo = (
  client: ClientBase,
  project: ProjectContext,
  root: CurrentPerson,
  { id, merged, merged_uuid }: ListedMerge,
  author: Author,
): Promise<void> => {
  const entry = (activity: string, itemId: string, name: string, after: object): Activity => ({
    scope: 'Person',
    itemId,
    activity,
    name,
    changes: [
      { type: 'Person', action: 'split', field: null, before: null, after: { merge_id: Number(id), ...after } },
    ],
  });
  return recordActivities(
    client,
    project,
    [
      entry('unmerge_person', root.id, root.uuid, { unmerged_person_id: Number(merged) }),
      entry('unmerged_from', merged, merged_uuid, { unmerged_from: Number(root.id) }),
    ],
    author,
  );
};
