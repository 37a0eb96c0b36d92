import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type ClientBase } from 'pg';
import { recordActivity } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { enqueue } from '../../kernel/projection/outbox/outbox.js';
import { Projection } from '../../kernel/projection/projection.js';
import { distinctIdsOfPersons, lockPerson } from '../../kernel/identity/locked-person.js';
import { type PersonRef, personUuid } from '../../kernel/identity/person-ref.js';
import { insertPersons } from '../../kernel/identity/reserve.js';
import { appendPersonNotices, noticesOfCreated } from '../../kernel/notices/person-notices.js';
import { giveIds } from '../../kernel/identity/write.js';
import { RetryTransaction } from '../../platform/postgres/transaction.js';
import { PersonsRepository } from '../reading/persons.repository.js';
import { recordSplit } from '../../kernel/identity/splits.repository.js';
import { leavingIds, readSplit, type SplitRequest } from './leaving-ids.js';
import { type SplitPersonBody, type SplitPersonDto } from './person-writes.dto.js';
import { Postgres } from '../../platform/postgres/postgres.js';

/** Splits distinct ids off a person: each becomes a person of its own, and its past events move to that person. */
@Injectable()
export class PersonSplit {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonsRepository,
    private readonly projection: Projection,
  ) {}

  async split(project: ProjectContext, ref: PersonRef, body: SplitPersonBody, author: Author): Promise<SplitPersonDto> {
    const request = readSplit(body);
    const answer = await this.postgres.transaction((client) => this.splitIn(client, project, ref, request, author), {
      repeat: true,
    });
    this.projection.wake();
    return answer;
  }

  private async splitIn(
    client: ClientBase,
    project: ProjectContext,
    ref: PersonRef,
    request: SplitRequest,
    author: Author,
  ): Promise<SplitPersonDto> {
    const original = await this.persons.get(project, ref, client);
    const id = String(original.id);
    const had = await allIds(client, project.id, id);
    // The person was deleted or merged after it was read. Then the answer is "not found", whatever the request says about
    // distinct ids.
    if (had.length === 0) await this.persons.get(project, ref, client);
    const leaving = leavingIds(had, request);
    if (leaving.length === 0) return { ...original, split_persons: [] };

    // New persons are inserted before existing ones are locked: every transaction keeps this order. The plan is valid only if the
    // ids are still the same after the lock.
    const made = await makePersons(client, project.id, leaving, author.now);
    const locked = await lockPerson(client, project.id, { id });
    if (!locked) throw new RetryTransaction();
    const ids = await allIds(client, project.id, id);
    if (!isSameList(leavingIds(ids, request), leaving)) throw new RetryTransaction();

    await recordSplit(client, project.id, id, made, author.now);
    await giveIds(client, project.id, id, made);
    const newIds = leaving.map((distinctId) => made.get(distinctId) ?? '');
    await enqueue(
      client,
      project.id,
      [
        { kind: 'persons', refs: [id, ...newIds] },
        { kind: 'distinct_ids', refs: leaving },
      ],
      author.now,
    );
    await recordEntry(client, project, { id, uuid: locked.uuid, before: ids, newIds }, author);
    await appendPersonNotices(client, project.id, [noticesOfCreated(newIds)], author.now);
    return {
      ...(await this.persons.get(project, { id }, client)),
      split_persons: await this.persons.byIds(project, newIds, client),
    };
  }
}

const allIds = async (client: ClientBase, projectId: number, personId: string): Promise<readonly string[]> =>
  (await distinctIdsOfPersons(client, projectId, [personId])).get(personId) ?? [];

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, at) => item === b[at]);

/**
 * Makes a person for each distinct id, with the uuid of that id, or with a random one when that uuid is taken, for example by the
 * original person.
 */
const makePersons = async (
  client: ClientBase,
  projectId: number,
  distinctIds: readonly string[],
  createdAt: Date,
): Promise<ReadonlyMap<string, string>> => {
  const planned = distinctIds.map((distinctId) => ({ distinctId, properties: {}, isIdentified: false, createdAt }));
  const { made } = await insertPersons(client, projectId, planned, ({ distinctId }) =>
    personUuid(projectId, distinctId),
  );
  const refused = planned.filter(({ distinctId }) => !made.has(distinctId));
  if (refused.length === 0) return made;
  const others = await insertPersons(client, projectId, refused, () => randomUUID());
  return new Map([...made, ...others.made]);
};

const recordEntry = (
  client: ClientBase,
  project: ProjectContext,
  { id, uuid, before, newIds }: { id: string; uuid: string; before: readonly string[]; newIds: readonly string[] },
  author: Author,
): Promise<void> => {
  // Numbers of distinct ids are recorded instead of the ids, which may be e-mail addresses, because an entry outlives the person.
  const after = {
    distinct_ids: before.length,
    distinct_ids_to_split: newIds.length,
    split_person_ids: newIds.slice(0, loggedPersons).map(Number),
  };
  return recordActivity(
    client,
    project,
    {
      scope: 'Person',
      itemId: id,
      activity: 'split_person',
      name: uuid,
      changes: [{ type: 'Person', action: 'split', field: null, before: {}, after }],
    },
    author,
  );
};

/** One activity entry names at most this many persons, because humans read it. */
const loggedPersons = 1000;
