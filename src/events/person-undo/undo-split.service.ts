import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Activity, recordActivities } from '../../activity/record-activity.js';
import { type Author } from '../../common/author.js';
import { conflict, notFound } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { redirect } from '../../persons/identity/redirects.js';
import { deletePersons, movePossessions } from '../../persons/identity/write.js';
import { MemberMoves } from '../../persons/member-moves.js';
import { missingPerson, namedPersons } from '../../persons/named-persons.js';
import { type PersonRef } from '../../persons/person-ref.js';
import { PersonReader } from '../../persons/person-reader.js';
import { type CurrentPerson, lockCurrentPersons } from '../../persons/undo/current-person.js';
import { undoableDays, undoableSince } from '../../persons/undo/merge-records.js';
import { replaceState } from '../../persons/undo/part-person.js';
import { closeSplit, latestSplit, type OpenSplit } from '../../persons/undo/split-records.js';
import { enqueue } from '../../projection/outbox/outbox.js';
import { Projection } from '../../projection/projection.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { RetryTransaction } from '../../stores/postgres/retry-transaction.js';
import { mergedPersonsOf } from '../person-merge/merged-persons.js';
import { type UnsplitPersonDto } from './person-undo.dto.js';
import { StoredHistory } from './recorded-history.js';
import { undoneSplit } from './undone-split.js';

/** Makes the persons of a split part of the person again. */
@Injectable()
export class UndoSplitService {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonReader,
    private readonly projection: Projection,
    private readonly members: MemberMoves,
  ) {}

  async undo(project: ProjectContext, ref: PersonRef, author: Author): Promise<UnsplitPersonDto> {
    const answer = await this.postgres.transaction((client) => this.undoIn(client, project, ref, author), {
      repeat: true,
    });
    this.projection.wake();
    return answer;
  }

  private async undoIn(
    client: ClientBase,
    project: ProjectContext,
    ref: PersonRef,
    author: Author,
  ): Promise<UnsplitPersonDto> {
    const [named] = await namedPersons(client, project.id, [ref]);
    if (!named) throw await missingPerson(client, project.id, ref);
    const { id } = named;
    const planned = await this.possible(client, project, id, author.now);
    const locked = await lockCurrentPersons(client, project.id, [id, ...planned.separate]);
    const split = await this.possible(client, project, id, author.now);
    const root = locked.find((person) => person.id === id);
    const separate = locked.filter((person) => person.id !== id);
    if (!root || separate.length !== planned.separate.length || split.id !== planned.id) throw new RetryTransaction();
    if (split.separate.length !== separate.length) throw new RetryTransaction();

    const state = await undoneSplit(new StoredHistory(client, project.id), root, separate, split);
    await replaceState(client, project.id, id, state);
    await closeSplit(client, project.id, { id: split.id, root: id, merged: split.separate, now: author.now });
    await this.join(client, project, { root, sources: separate.map((person) => person.id) }, author.now);
    const mergedPersons = await mergedPersonsOf(client, project.id, id, split.separate);
    await recordUndo(client, project, root, separate, author);
    return { ...(await this.persons.get(project, { id }, client)), merged_persons: mergedPersons };
  }

  private async possible(client: ClientBase, project: ProjectContext, id: string, now: Date): Promise<OpenSplit> {
    const split = await latestSplit(client, project.id, id, undoableSince(now));
    if (!split) throw notFound(`person ${id} has no split of the last ${undoableDays} days that is not undone`);
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
  }

  /** As a merge does. The last step is what cohorts learn of the persons. */
  private async join(
    client: ClientBase,
    project: ProjectContext,
    { root, sources }: { root: CurrentPerson; sources: readonly string[] },
    now: Date,
  ): Promise<void> {
    const moves = sources.map((source) => ({ source, target: root.id }));
    const moved = await movePossessions(client, project.id, moves);
    const redirected = await redirect(client, project.id, moves);
    await enqueue(
      client,
      project.id,
      [
        { kind: 'persons', refs: [root.id, ...sources] },
        { kind: 'distinct_ids', refs: moved },
        { kind: 'redirects', refs: redirected },
      ],
      now,
    );
    // The first statement about members runs before the persons are gone, and their locks are the last.
    await Promise.all([this.members.move(client, project.id, moves), deletePersons(client, project.id, sources)]);
  }
}

const recordUndo = (
  client: ClientBase,
  project: ProjectContext,
  root: CurrentPerson,
  separate: readonly CurrentPerson[],
  author: Author,
): Promise<void> => {
  const entry = (activity: string, itemId: string, name: string, after: object): Activity => ({
    scope: 'Person',
    itemId,
    activity,
    name,
    changes: [{ type: 'Person', action: 'merged', field: null, before: null, after }],
  });
  const after = { merged_person_ids: separate.slice(0, loggedPersons).map(({ id }) => Number(id)) };
  const entries = separate.map(({ id, uuid }) => entry('merged_into', id, uuid, { merged_into: Number(root.id) }));
  return recordActivities(client, project, [entry('undo_split', root.id, root.uuid, after), ...entries], author);
};

/** At most this many person ids go into one activity entry, because people read it. */
const loggedPersons = 1000;
