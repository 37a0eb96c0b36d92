import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { recordActivities } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { conflict, invalidInput, notFound } from '../../platform/errors/problem.js';
import { isBigId } from '../../platform/values/ids.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { lockPersonsById } from '../../kernel/identity/locked-person.js';
import { mergedPersonsOf, redirect, returnRedirects } from '../../kernel/identity/redirects.js';
import { appendPersonNotices, noticesOfCreated, noticesOfMerged } from '../../kernel/notices/person-notices.js';
import { restorePerson } from '../../kernel/identity/reserve.js';
import { deletePersons, giveIds, movePossessions, patchOf, updatePersons } from '../../kernel/identity/write.js';
import { MovedMembers } from '../../kernel/memberships/moved-members.js';
import { requirePersons } from '../reading/named-persons.js';
import { PersonsRepository, distinctIdsInList } from '../reading/persons.repository.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';
import {
  closeMerge,
  findMerge,
  type ListedMerge,
  listMerges,
  staticCohortsOf,
  undoableDays,
  undoableSince,
} from '../../kernel/identity/merges.repository.js';
import { closeSplit, latestSplit, type OpenSplit } from '../../kernel/identity/splits.repository.js';
import { undoneMerge, undoneSplit, whyNotUndone } from './undo.js';
import { enqueue } from '../../kernel/projection/outbox/outbox.js';
import { Projection } from '../../kernel/projection/projection.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { RetryTransaction } from '../../platform/postgres/transaction.js';
import { entryOf } from '../merge/person-merge.service.js';
import { type PersonMergeDto, type UnmergePersonDto, type UnsplitPersonDto } from './person-undo.dto.js';
import { StoredHistory } from './stored-history.js';

/**
 * Undoes merges and splits. When persons are merged or split, their earlier state is recorded. An undo reads these records and
 * the event log, replays the history since then without the undone change (`undoneMerge`, `undoneSplit`), and writes the
 * resulting persons.
 */
@Injectable()
export class PersonUndoService {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonsRepository,
    private readonly projection: Projection,
    private readonly members: MovedMembers,
  ) {}

  async listMerges(
    project: ProjectContext,
    ref: PersonRef,
    query: PageQuery,
    now: Date,
  ): Promise<Slice<PersonMergeDto>> {
    const { id } = await this.persons.get(project, ref);
    const page = { ...query, idsShown: distinctIdsInList };
    const { count, merges } = await listMerges(this.postgres, project.id, String(id), page);
    return { count, results: merges.map((merge) => toDto(merge, now)) };
  }

  /** Restores the merged person with its ids, its properties and the changes that its ids have made since. */
  undoMerge(project: ProjectContext, ref: PersonRef, mergeId: string, author: Author): Promise<UnmergePersonDto> {
    return this.transaction((client) => this.undoMergeIn(client, project, ref, mergeId, author));
  }

  /** Merges the persons that the latest split made back into the person. */
  undoSplit(project: ProjectContext, ref: PersonRef, author: Author): Promise<UnsplitPersonDto> {
    return this.transaction((client) => this.undoSplitIn(client, project, ref, author));
  }

  private async transaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const answer = await this.postgres.transaction(work, { repeat: true });
    this.projection.wake();
    return answer;
  }

  private async undoMergeIn(
    client: ClientBase,
    project: ProjectContext,
    ref: PersonRef,
    mergeId: string,
    author: Author,
  ): Promise<UnmergePersonDto> {
    const [{ id }] = await requirePersons(client, project.id, [ref]);
    if (!isBigId(mergeId)) throw invalidInput('merge_id must be the integer id of a merge', 'merge_id');
    const planned = await undoableMerge(client, project.id, id, mergeId, author.now);
    // The person is restored before existing persons are locked: every transaction keeps this order.
    const row = { id: planned.merged, uuid: planned.merged_uuid, created_at: planned.merged_at };
    if (!(await restorePerson(client, project.id, row))) {
      await undoableMerge(client, project.id, id, mergeId, author.now);
      throw conflict(`merge ${mergeId} cannot be undone: another person has the uuid of the merged person now`);
    }
    const [root] = await lockPersonsById(client, project.id, [id]);
    if (!root) throw new RetryTransaction();
    const merge = await undoableMerge(client, project.id, id, mergeId, author.now);

    const current = { ...root, cohorts: await staticCohortsOf(client, project.id, id) };
    const undone = await undoneMerge(new StoredHistory(client, project.id), current, merge);
    const move = { source: id, target: merge.merged };
    await updatePersons(client, project.id, [
      patchOf(id, root.properties, undone.survivor),
      patchOf(merge.merged, {}, undone.restored),
    ]);
    await giveIds(client, project.id, id, new Map(undone.distinctIds.map((distinctId) => [distinctId, merge.merged])));
    const redirected = await returnRedirects(client, project.id, move, undone.redirects);
    await closeMerge(client, project.id, { ...undone, id: merge.id, now: author.now });
    await enqueue(
      client,
      project.id,
      [
        { kind: 'persons', refs: [id, merge.merged] },
        { kind: 'distinct_ids', refs: undone.distinctIds },
        { kind: 'redirects', refs: redirected },
      ],
      author.now,
    );
    await this.members.part(client, project.id, { ...move, ...undone.cohorts }, author.now);
    await appendPersonNotices(client, project.id, [noticesOfCreated([merge.merged])], author.now);
    const [survivor, restored] = [Number(id), Number(merge.merged)];
    const about = { merge_id: Number(merge.id) };
    await recordActivities(
      client,
      project,
      [
        entryOf('split', 'unmerge_person', root, { ...about, unmerged_person_id: restored }),
        entryOf(
          'split',
          'unmerged_from',
          { id: merge.merged, uuid: merge.merged_uuid },
          { ...about, unmerged_from: survivor },
        ),
      ],
      author,
    );
    return {
      ...(await this.persons.get(project, { id }, client)),
      restored_person: await this.persons.get(project, { id: merge.merged }, client),
    };
  }

  private async undoSplitIn(
    client: ClientBase,
    project: ProjectContext,
    ref: PersonRef,
    author: Author,
  ): Promise<UnsplitPersonDto> {
    const [{ id }] = await requirePersons(client, project.id, [ref]);
    const planned = await undoableSplit(client, project.id, id, author.now);
    const locked = await lockPersonsById(client, project.id, [id, ...planned.separate]);
    const split = await undoableSplit(client, project.id, id, author.now);
    const root = locked.find((person) => person.id === id);
    const separate = locked.filter((person) => person.id !== id);
    const numbers = new Set([separate, planned.separate, split.separate].map(({ length }) => length));
    if (!root || split.id !== planned.id || numbers.size > 1) throw new RetryTransaction();

    const state = await undoneSplit(new StoredHistory(client, project.id), root, separate, split);
    await updatePersons(client, project.id, [patchOf(id, root.properties, state)]);
    const merged = split.separate;
    await closeSplit(client, project.id, { id: split.id, root: id, merged, now: author.now });
    // From here on, the steps are those of a merge.
    const moves = merged.map((source) => ({ source, target: id }));
    const moved = await movePossessions(client, project.id, moves);
    const redirected = await redirect(client, project.id, moves);
    await enqueue(
      client,
      project.id,
      [
        { kind: 'persons', refs: [id, ...merged] },
        { kind: 'distinct_ids', refs: moved },
        { kind: 'redirects', refs: redirected },
      ],
      author.now,
    );
    // The first statement of `members.move` must run before the persons are deleted. The rows of members are locked last.
    await Promise.all([this.members.move(client, project.id, moves), deletePersons(client, project.id, merged)]);
    await appendPersonNotices(client, project.id, [noticesOfMerged(moves)], author.now);
    const after = { merged_person_ids: merged.slice(0, loggedPersons).map(Number) };
    const entries = separate.map((person) => entryOf('merged', 'merged_into', person, { merged_into: Number(id) }));
    await recordActivities(client, project, [entryOf('merged', 'undo_split', root, after), ...entries], author);
    const mergedPersons = await mergedPersonsOf(client, project.id, id, merged);
    return { ...(await this.persons.get(project, { id }, client)), merged_persons: mergedPersons };
  }
}

/** One activity entry names at most this many persons, because humans read it. */
const loggedPersons = 1000;

const undoableMerge = async (
  client: ClientBase,
  projectId: number,
  personId: string,
  mergeId: string,
  now: Date,
): Promise<ListedMerge> => {
  const merge = await findMerge(client, projectId, personId, mergeId);
  if (!merge) throw notFound(`person ${personId} has no merge ${mergeId}: persons/${personId}/merges lists them`);
  const reason = whyNotUndone(merge, now);
  if (reason !== null) throw conflict(`merge ${merge.id} cannot be undone: ${reason}`);
  return merge;
};

const undoableSplit = async (
  client: ClientBase,
  projectId: number,
  personId: string,
  now: Date,
): Promise<OpenSplit> => {
  const split = await latestSplit(client, projectId, personId, undoableSince(now));
  if (!split) throw notFound(`person ${personId} has no split of the last ${undoableDays} days that is not undone`);
  if (split.separate.length === 0) {
    throw conflict('the split cannot be undone: the persons that it made were deleted or merged since');
  }
  if (split.grown.length > 0) {
    throw conflict(
      `the split cannot be undone: other persons were merged since into person ${split.grown[0] ?? ''}; ` +
        'undo these merges first, or merge by hand',
    );
  }
  return split;
};

const toDto = (merge: ListedMerge, now: Date): PersonMergeDto => {
  const whyNot = whyNotUndone(merge, now);
  return {
    id: Number(merge.id),
    merged: {
      id: Number(merge.merged),
      uuid: merge.merged_uuid,
      distinct_ids: [...merge.first_ids],
      distinct_id_count: merge.distinct_ids,
    },
    survivor_id: Number(merge.survivor),
    merged_at: merge.merged_at.toISOString(),
    reason: merge.reason,
    undone_at: merge.undone_at?.toISOString() ?? null,
    can_undo: whyNot === null,
    why_not: whyNot,
  };
};
