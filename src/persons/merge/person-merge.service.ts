import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Activity, recordActivities } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { applyIdentity } from '../../kernel/identity/apply-identity.js';
import { loadOwners } from '../../kernel/identity/load.js';
import { mergedPersonsOf } from '../../kernel/identity/redirects.js';
import { MovedMembers } from '../../kernel/memberships/moved-members.js';
import { type NamedPerson, requirePersons } from '../reading/named-persons.js';
import { type PersonRef, personRef } from '../../kernel/identity/person-ref.js';
import { PersonsRepository } from '../reading/persons.repository.js';
import { Projection } from '../../kernel/projection/projection.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { RetryTransaction } from '../../platform/postgres/transaction.js';
import { type NormalisedEvent, normalise } from '../../kernel/event-log/normalise/normalise.js';
import { type MergedPersonDto, type MergePersonBody, type MergePersonDto } from './person-merge.dto.js';

/**
 * Merges persons into another one by hand, with the rules and the order of locks of captured merges. Like a split, a merge by
 * hand changes persons only and adds no event.
 */
@Injectable()
export class PersonMergeService {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonsRepository,
    private readonly projection: Projection,
    private readonly members: MovedMembers,
  ) {}

  async merge(project: ProjectContext, ref: PersonRef, body: MergePersonBody, author: Author): Promise<MergePersonDto> {
    const request = readMerge(body);
    const answer = await this.postgres.transaction((client) => this.mergeIn(client, project, ref, request, author), {
      repeat: true,
    });
    this.projection.wake();
    return answer;
  }

  /** Returns the survivor as it is now, with the merged persons except those that were deleted since. */
  async current(project: ProjectContext, { id, merged_person_ids }: IdsOfMerge): Promise<MergePersonDto> {
    const person = await this.persons.get(project, { id: String(id) });
    const sources = merged_person_ids.map(String);
    return { ...person, merged_persons: await mergedPersonsOf(this.postgres, project.id, String(id), sources) };
  }

  private async mergeIn(
    client: ClientBase,
    project: ProjectContext,
    ref: PersonRef,
    request: PersonsToMerge,
    author: Author,
  ): Promise<MergePersonDto> {
    const refs = 'refs' in request ? request.refs : [];
    const [survivor, ...others] = await requirePersons(client, project.id, [ref, ...refs]);
    const itself = others.findIndex(({ id }) => id === survivor.id);
    if (itself >= 0) {
      const attr = `persons.${itself}`;
      throw invalidInput(`${attr} is the person itself, into which the others are merged: leave it out`, attr);
    }
    const mergings = mergingsOf(survivor, request, others, author.now);
    const plan = await planOf(client, project.id, survivor, mergings);
    // An id that moved after the persons were read would name another person.
    if ('refs' in request && !isSame(plan.sources, new Set(others.map(({ id }) => id)))) throw new RetryTransaction();
    const events = mergings.map(({ event }) => event);
    const { members } = this;
    const { merged, warnings } = await applyIdentity(client, project.id, events, author.now, { members, inLog: false });
    const [warning] = warnings;
    if (warning) {
      const attr = mergings.find(({ event }) => event.uuid === warning.eventUuid)?.attr ?? null;
      throw invalidInput(warning.detail, attr);
    }
    const sources = new Set(merged.map(({ source }) => source));
    if (!(await isAsPlanned(client, project.id, survivor, plan, sources))) throw new RetryTransaction();
    const mergedPersons = await mergedPersonsOf(client, project.id, survivor.id, [...sources]);
    await recordMerge(client, project, { survivor, mergedPersons, added: plan.added }, author);
    return { ...(await this.persons.get(project, { id: survivor.id }, client)), merged_persons: mergedPersons };
  }
}

export interface IdsOfMerge {
  readonly id: number;
  readonly merged_person_ids: readonly number[];
}

export const idsOfMerge = ({ id, merged_persons }: MergePersonDto): IdsOfMerge => ({
  id,
  merged_person_ids: merged_persons.map((person) => person.id),
});

/** The persons to merge, given by their distinct ids or by their ids and uuids. */
type PersonsToMerge = { readonly distinctIds: readonly string[] } | { readonly refs: readonly PersonRef[] };

const readMerge = ({ distinct_ids: distinctIds, persons }: MergePersonBody): PersonsToMerge => {
  if (distinctIds && persons) throw invalidInput('Send either distinct_ids or persons, not both', 'persons');
  if (distinctIds) return { distinctIds };
  if (!persons) throw required('distinct_ids');
  return { refs: persons.map((id, at) => refOf(id, `persons.${at}`)) };
};

const refOf = (id: unknown, attr: string): PersonRef => {
  if (typeof id === 'string' || typeof id === 'number') return personRef(String(id), attr);
  throw invalidInput(`${attr} must be the integer id or the uuid of a person`, attr);
};

/** A requested merge in the form of an event, so that the rules of captured merges decide. */
interface Merging {
  readonly event: NormalisedEvent;
  readonly otherDistinctId: string;
  /** The field that an error names. */
  readonly attr: string;
}

/** Returns null when both ids are the same. Ids that many users share by mistake are refused, as in captured events. */
const mergingOf = (distinctId: string, other: string, attr: string, now: Date): Merging | null => {
  const raw = {
    event: '$merge_dangerously',
    distinct_id: distinctId,
    timestamp: now.toISOString(),
    properties: { alias: other },
  };
  const normalised = normalise(raw, { now, sentAt: null, index: 0, engage: false });
  if (!normalised.ok) throw invalidInput(normalised.rejection.detail, attr);
  const { event } = normalised;
  const [warning] = event.warnings;
  if (warning) throw invalidInput(other === '' ? `${attr} must not be empty` : warning.detail, attr);
  return event.merge && { event, otherDistinctId: event.merge.otherDistinctId, attr };
};

/** Makes a merge for each person or distinct id. The first distinct id of a person stands for it; all its ids move with it. */
const mergingsOf = (
  { firstDistinctId }: NamedPerson,
  request: PersonsToMerge,
  others: readonly NamedPerson[],
  now: Date,
): Merging[] => {
  // Throws if the ids of the person itself cannot be merged.
  mergingOf(firstDistinctId, 'a distinct id', 'id', now);
  const distinctIds = 'refs' in request ? others.map((person) => person.firstDistinctId) : request.distinctIds;
  const field = 'refs' in request ? 'persons' : 'distinct_ids';
  return distinctIds.flatMap((other, at) => mergingOf(firstDistinctId, other, `${field}.${at}`, now) ?? []);
};

interface Plan {
  readonly distinctIds: readonly string[];
  /** The persons that the merges remove. */
  readonly sources: ReadonlySet<string>;
  /** The number of distinct ids that belong to no person yet. */
  readonly added: number;
}

const planOf = async (
  client: ClientBase,
  projectId: number,
  survivor: NamedPerson,
  mergings: readonly Merging[],
): Promise<Plan> => {
  const distinctIds = [...new Set(mergings.map(({ otherDistinctId }) => otherDistinctId))];
  const owners = await loadOwners(client, projectId, distinctIds);
  const sources = new Set(owners.values());
  sources.delete(survivor.id);
  return { distinctIds, sources, added: distinctIds.length - owners.size };
};

/**
 * True if what was merged is what was planned. The plan was made without locks, so an id may have had another owner when it was
 * locked.
 */
const isAsPlanned = async (
  client: ClientBase,
  projectId: number,
  survivor: NamedPerson,
  plan: Plan,
  merged: ReadonlySet<string>,
): Promise<boolean> => {
  if (!isSame(merged, plan.sources)) return false;
  const distinctIds = [survivor.firstDistinctId, ...plan.distinctIds];
  const owners = await loadOwners(client, projectId, distinctIds);
  return distinctIds.every((distinctId) => owners.get(distinctId) === survivor.id);
};

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((item) => b.has(item));

interface Merged {
  readonly survivor: NamedPerson;
  readonly mergedPersons: readonly MergedPersonDto[];
  readonly added: number;
}

/** Records persons and numbers of distinct ids, but no distinct ids, because an activity entry outlives the person. */
const recordMerge = async (
  client: ClientBase,
  project: ProjectContext,
  { survivor, mergedPersons, added }: Merged,
  author: Author,
): Promise<void> => {
  if (mergedPersons.length === 0 && added === 0) return;
  const after = { merged_person_ids: mergedPersons.map(({ id }) => id), distinct_ids_added: added };
  const into = { merged_into: Number(survivor.id) };
  const entries = mergedPersons.map((person) => entryOf('merged', 'merged_into', person, into));
  await recordActivities(client, project, [entryOf('merged', 'merge_persons', survivor, after), ...entries], author);
};

/** Makes an entry about a person that was merged, or whose merge was undone. */
export const entryOf = (
  action: 'merged' | 'split',
  activity: string,
  { id, uuid }: { readonly id: string | number; readonly uuid: string },
  after: object,
): Activity => ({
  scope: 'Person',
  itemId: String(id),
  activity,
  name: uuid,
  changes: [{ type: 'Person', action, field: null, before: null, after }],
});
