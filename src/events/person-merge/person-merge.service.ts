import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Activity, recordActivities } from '../../activity/record-activity.js';
import { type Author } from '../../common/author.js';
import { invalidInput } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { applyIdentity } from '../../persons/identity/apply-identity.js';
import { loadOwners } from '../../persons/identity/load.js';
import { MemberMoves } from '../../persons/member-moves.js';
import { missingPerson, type NamedPerson, namedPersons } from '../../persons/named-persons.js';
import { type PersonRef } from '../../persons/person-ref.js';
import { PersonReader } from '../../persons/person-reader.js';
import { Projection } from '../../projection/projection.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { RetryTransaction } from '../../stores/postgres/retry-transaction.js';
import { mergedPersonsOf } from './merged-persons.js';
import { type Merging, mergingOf, type PersonsToMerge, readMerge } from './merge-request.js';
import { type MergedPersonDto, type MergePersonBody, type MergePersonDto } from './person-merge.dto.js';

/**
 * Merges persons into another one by hand. The rules, the locks and their order are those of captured merges. A merge is no
 * event: like a split, it changes persons only.
 */
@Injectable()
export class PersonMergeService {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonReader,
    private readonly projection: Projection,
    private readonly members: MemberMoves,
  ) {}

  async merge(project: ProjectContext, ref: PersonRef, body: MergePersonBody, author: Author): Promise<MergePersonDto> {
    const request = readMerge(body);
    const answer = await this.postgres.transaction((client) => this.mergeIn(client, project, ref, request, author), {
      repeat: true,
    });
    this.projection.wake();
    return answer;
  }

  /** The merged persons are without those that were deleted since. */
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
    const [survivor, ...others] = await existing(
      client,
      project.id,
      'refs' in request ? [ref, ...request.refs] : [ref],
    );
    if (!survivor) throw await missingPerson(client, project.id, ref);
    const itself = others.findIndex(({ id }) => id === survivor.id);
    if (itself >= 0) {
      const attr = `persons.${itself}`;
      throw invalidInput(`${attr} is the person itself, into which the others are merged: leave it out`, attr);
    }
    const mergings = mergingsOf(survivor, request, others, author.now);
    const plan = await planOf(client, project.id, survivor, mergings);
    // An id that moved since the persons were read would name another person.
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

/** The first error is that of the first reference. */
const existing = async (
  client: ClientBase,
  projectId: number,
  refs: readonly PersonRef[],
): Promise<readonly NamedPerson[]> => {
  const persons = await namedPersons(client, projectId, refs);
  const missing = refs.find((_, at) => persons[at] === undefined);
  if (missing) throw await missingPerson(client, projectId, missing);
  return persons.flatMap((person) => person ?? []);
};

/** A person is named to the rules by its first distinct id. All its ids go with it. */
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
  /** The persons that will be merged. */
  readonly sources: ReadonlySet<string>;
  /** The number of ids without a person. */
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

/** The plan was made without locks. The locks may have shown other owners of the ids, and then others were merged. */
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

/** The entries name persons and numbers of distinct ids only, because an entry outlives the person. */
const recordMerge = async (
  client: ClientBase,
  project: ProjectContext,
  { survivor, mergedPersons, added }: Merged,
  author: Author,
): Promise<void> => {
  if (mergedPersons.length === 0 && added === 0) return;
  const after = { merged_person_ids: mergedPersons.map(({ id }) => id), distinct_ids_added: added };
  const entries = mergedPersons.map(({ id, uuid }) =>
    entryOf('merged_into', String(id), uuid, { merged_into: Number(survivor.id) }),
  );
  await recordActivities(
    client,
    project,
    [entryOf('merge_persons', survivor.id, survivor.uuid, after), ...entries],
    author,
  );
};

const entryOf = (activity: string, itemId: string, name: string, after: object): Activity => ({
  scope: 'Person',
  itemId,
  activity,
  name,
  changes: [{ type: 'Person', action: 'merged', field: null, before: null, after }],
});
