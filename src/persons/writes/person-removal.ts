import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Activity, recordActivities } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { enqueue } from '../../kernel/projection/outbox/outbox.js';
import { Projection } from '../../kernel/projection/projection.js';
import { DeletionRecorder, type RequestedDeletion } from '../../kernel/deletions/deletion-recorder.js';
import { loadOwners } from '../../kernel/identity/load.js';
import {
  distinctIdsOfPersons,
  type LockedPerson,
  lockPerson,
  lockPersonsById,
} from '../../kernel/identity/locked-person.js';
import { forgetRedirects } from '../../kernel/identity/redirects.js';
import { appendPersonNotices, noticesOfDeleted } from '../../kernel/notices/person-notices.js';
import { forgetRecords } from '../../kernel/identity/forget-records.js';
import { RetryTransaction } from '../../platform/postgres/transaction.js';
import { deletePersons } from '../../kernel/identity/write.js';
import { MovedMembers } from '../../kernel/memberships/moved-members.js';
import { mergedInto, missingPerson } from '../reading/named-persons.js';
import { type MergedInto, type PersonRef } from '../../kernel/identity/person-ref.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

export interface RemovedPerson {
  readonly id: string;
  readonly uuid: string;
  /** Null when the events are kept. */
  readonly deletionRequest: RequestedDeletion | null;
}

/** The result of a removal, by the references of the request. */
export interface RemovedByRefs {
  readonly removed: ReadonlyMap<string, RemovedPerson>;
  /** The persons into which referenced persons had been merged. Such a reference removes nothing. */
  readonly merged: ReadonlyMap<string, MergedInto>;
}

export interface RemovalOptions {
  readonly delete_events: boolean;
}

/** Deletes persons. Their distinct ids can be used again at once; past events of an id belong to no person until then. */
@Injectable()
export class PersonRemoval {
  constructor(
    private readonly postgres: Postgres,
    private readonly projection: Projection,
    private readonly eventDeletions: DeletionRecorder,
    private readonly members: MovedMembers,
  ) {}

  async remove(
    project: ProjectContext,
    ref: PersonRef,
    options: RemovalOptions,
    author: Author,
  ): Promise<{ location: string | null }> {
    const { removed } = await this.commit(async (client) => {
      const person = await lockPerson(client, project.id, ref);
      if (!person) throw await missingPerson(client, project.id, ref);
      return { removed: await this.removeLocked(client, project, [person], options, author) };
    });
    const request = [...removed.values()][0]?.deletionRequest?.id ?? null;
    return { location: request && `/api/projects/${project.id}/deletion_requests/${request}` };
  }

  /** Removes all persons or, on an error, none. References to no person are left out of the result. */
  removeByRefs(
    project: ProjectContext,
    refs: ReadonlyMap<string, PersonRef>,
    options: RemovalOptions,
    author: Author,
  ): Promise<RemovedByRefs> {
    return this.commit(async (client) => {
      const ids = await idsOf(client, project.id, refs);
      const locked = await lockPersonsById(client, project.id, [...ids.values()]);
      const removed = byInput(ids, await this.removeLocked(client, project, locked, options, author));
      return { removed, merged: await mergedAmong(client, project.id, refs, removed) };
    });
  }

  /** Returns the removed persons by the given distinct ids; ids of no person are left out. */
  async removeByDistinctIds(
    project: ProjectContext,
    distinctIds: readonly string[],
    options: RemovalOptions,
    author: Author,
  ): Promise<ReadonlyMap<string, RemovedPerson>> {
    const { removed } = await this.commit(async (client) => {
      const candidates = await loadOwners(client, project.id, distinctIds);
      const locked = await lockPersonsById(client, project.id, [...candidates.values()]);
      const owners = await loadOwners(client, project.id, distinctIds);
      const lockedIds = new Set(locked.map(({ id }) => id));
      for (const owner of owners.values()) if (!lockedIds.has(owner)) throw new RetryTransaction();
      const ownerIds = new Set(owners.values());
      const persons = locked.filter(({ id }) => ownerIds.has(id));
      return { removed: byInput(owners, await this.removeLocked(client, project, persons, options, author)) };
    });
    return removed;
  }

  /** Requests the deletion of all events that the person has received until now. The person itself stays. */
  async removeEvents(project: ProjectContext, ref: PersonRef, author: Author): Promise<RequestedDeletion> {
    const request = await this.postgres.transaction(
      async (client) => {
        const person = await lockPerson(client, project.id, ref);
        if (!person) throw await missingPerson(client, project.id, ref);
        const { id, uuid } = person;
        const distinctIds = (await distinctIdsOfPersons(client, project.id, [id])).get(id) ?? [];
        await recordActivities(client, project, [eventsDeletion(person)], author);
        return this.eventDeletions.request(client, project, { id, uuid, distinctIds }, author);
      },
      { repeat: true },
    );
    await this.eventDeletions.untilLaterEvents(request.createdAt);
    return request;
  }

  private async removeLocked(
    client: ClientBase,
    project: ProjectContext,
    persons: readonly LockedPerson[],
    { delete_events: deleteEvents }: RemovalOptions,
    author: Author,
  ): Promise<Map<string, RemovedPerson>> {
    const ids = persons.map(({ id }) => id);
    const idsOfPersons = await distinctIdsOfPersons(client, project.id, ids);
    const removed = new Map<string, RemovedPerson>();
    for (const { id, uuid } of persons) {
      const distinctIds = idsOfPersons.get(id) ?? [];
      const request = deleteEvents
        ? await this.eventDeletions.request(client, project, { id, uuid, distinctIds }, author)
        : null;
      removed.set(id, { id, uuid, deletionRequest: request });
    }
    await forgetRecords(client, project.id, ids, [...idsOfPersons.values()].flat());
    const redirected = await forgetRedirects(client, project.id, persons);
    await deletePersons(client, project.id, ids);
    await enqueue(
      client,
      project.id,
      [
        { kind: 'persons', refs: ids },
        { kind: 'distinct_ids', refs: [...idsOfPersons.values()].flat() },
        { kind: 'redirects', refs: redirected },
      ],
      author.now,
    );
    await recordActivities(client, project, [...removed.values()].map(deletion), author);
    await this.members.remove(client, project.id, ids);
    await appendPersonNotices(client, project.id, [noticesOfDeleted(ids)], author.now);
    return removed;
  }

  private async commit<T extends { readonly removed: ReadonlyMap<string, RemovedPerson> }>(
    work: (client: ClientBase) => Promise<T>,
  ): Promise<T> {
    const result = await this.postgres.transaction(work, { repeat: true });
    this.projection.wake();
    // The moments of the requests differ only if the tolerance between clocks has changed meanwhile.
    const moments = [...result.removed.values()].map(
      ({ deletionRequest }) => deletionRequest?.createdAt.getTime() ?? 0,
    );
    const latest = Math.max(0, ...moments);
    if (latest > 0) await this.eventDeletions.untilLaterEvents(new Date(latest));
    return result;
  }
}

const idsByUuid = (projectId: number, uuids: readonly string[]): PgSql => pgSql`
  SELECT input.uuid, p.id FROM unnest(${bound(uuids)}::uuid[]) AS input (uuid)
  CROSS JOIN LATERAL (SELECT id FROM persons WHERE project_id = ${bound(projectId)} AND uuid = input.uuid LIMIT 1) AS p`;

/** Maps each reference to the id of the person, which may not exist. */
const idsOf = async (
  client: ClientBase,
  projectId: number,
  refs: ReadonlyMap<string, PersonRef>,
): Promise<Map<string, string>> => {
  const uuids = [...refs.values()].flatMap((ref) => ('uuid' in ref ? [ref.uuid] : []));
  const { rows } = await client.query<{ uuid: string; id: string }>(idsByUuid(projectId, uuids));
  const byUuid = new Map(rows.map(({ uuid, id }) => [uuid, id]));
  return new Map(
    [...refs].flatMap(([input, ref]) => {
      const id = 'id' in ref ? String(BigInt(ref.id)) : byUuid.get(ref.uuid);
      return id === undefined ? [] : [[input, id] as const];
    }),
  );
};

const mergedAmong = async (
  client: ClientBase,
  projectId: number,
  refs: ReadonlyMap<string, PersonRef>,
  removed: ReadonlyMap<string, RemovedPerson>,
): Promise<ReadonlyMap<string, MergedInto>> => {
  const missing = [...refs].filter(([input]) => !removed.has(input));
  const into = await mergedInto(
    client,
    projectId,
    missing.map(([, ref]) => ref),
  );
  return new Map(missing.flatMap(([input], at) => (into[at] ? [[input, into[at]] as const] : [])));
};

const byInput = (
  ids: ReadonlyMap<string, string>,
  removed: ReadonlyMap<string, RemovedPerson>,
): Map<string, RemovedPerson> =>
  new Map(
    [...ids].flatMap(([input, id]) => {
      const person = removed.get(id);
      return person ? [[input, person] as const] : [];
    }),
  );

const deletion = ({ id, uuid }: RemovedPerson): Activity => ({
  scope: 'Person',
  itemId: id,
  activity: 'deleted',
  name: uuid,
  changes: [{ type: 'Person', action: 'deleted', field: null, before: null, after: null }],
});

const eventsDeletion = ({ id, uuid }: LockedPerson): Activity => ({
  scope: 'Person',
  itemId: id,
  activity: 'updated',
  name: uuid,
  changes: [{ type: 'Person', action: 'deleted', field: 'events', before: null, after: null }],
});
