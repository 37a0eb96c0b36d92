import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { cohortLog } from '../saving/cohort-changes.js';
import { type Author } from '../../kernel/access/author.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { personRef } from '../../kernel/identity/person-ref.js';
import { GroupsRepository } from '../../groups/reading/groups.repository.js';
import { PersonsRepository } from '../../persons/reading/persons.repository.js';
import { type AddPersonsBody, type RemovePersonBody } from '../cohort-bodies.dto.js';
import { type CohortDto, type DoneDto } from '../cohort.dto.js';
import { type CohortRow, CohortsRepository, refuseOneTooMany } from '../record/cohorts.repository.js';
import { lockCohort } from '../record/cohort-lock.js';
import { insertCohort, refuseOtherMembers } from '../saving/store-cohort.js';
import { CohortWrites } from '../cohort-writes.js';
import { CurrentMembers } from '../../kernel/memberships/current-members.js';
import { type Candidate } from '../../kernel/memberships/candidate.js';
import { candidatesOf, readGroupCandidate, readPersonCandidate, refuseMergedCandidates, spooled } from './sources.js';
import { StaticMembers } from './static-members.js';
import { StaticSources } from './static-sources.js';
import { deletedCohort } from '../../kernel/memberships/cohort-id.js';

/** The largest number of persons that one request may add. */
const maxAdded = 1000;
/** Up to this many members are copied while the caller waits. */
const fewMembers = 1000;

/** Adds, removes and copies members of static cohorts. */
@Injectable()
export class StaticCohortsService {
  constructor(
    private readonly rows: CohortsRepository,
    private readonly cohorts: CohortWrites,
    private readonly members: StaticMembers,
    private readonly sources: StaticSources,
    private readonly readers: CurrentMembers,
    private readonly persons: PersonsRepository,
    private readonly groups: GroupsRepository,
  ) {}

  async add(project: ProjectContext, id: number, body: AddPersonsBody, author: Author): Promise<DoneDto> {
    const cohort = await this.staticCohort(project, id);
    const { group_type_index: groupType } = cohort;
    refuseOtherMembers(body, groupType);
    const [names, ids] =
      groupType === null ? (['distinct_ids', 'person_ids'] as const) : (['group_keys', 'group_ids'] as const);
    const attr = body[names] ? names : ids;
    const candidates = await candidatesOf(body);
    if (candidates.length === 0) throw required(attr);
    if (candidates.length > maxAdded) throw invalidInput(`${attr} must hold at most ${maxAdded} entries`, attr);
    await this.cohorts.commit(async (client) => {
      await lockCohort(client, project.id, id);
      await refuseMergedCandidates(client, project.id, candidates);
      const filled = { id, groupType };
      const known = await this.members.membersNamed(client, project.id, filled, candidates);
      if (known.flat().length === 0) throw invalidInput(`${attr} names no ${nounOf(groupType)} of this project`, attr);
      const addition = { now: author.now, upload: null, reason: 'added' } as const;
      const added = await this.members.add(client, project.id, filled, candidates, addition);
      await record(
        client,
        project,
        cohort,
        `${nounOf(groupType)}s_added_manually`,
        null,
        added.map(Number).sort((a, b) => a - b),
        author,
      );
    });
    return { success: true };
  }

  async remove(project: ProjectContext, id: number, body: RemovePersonBody, author: Author): Promise<DoneDto> {
    const cohort = await this.staticCohort(project, id);
    const { group_type_index: groupType } = cohort;
    const member =
      groupType === null ? await this.personMeant(project, body) : await this.groupMeant(project, groupType, body);
    await this.cohorts.commit(async (client) => {
      await lockCohort(client, project.id, id);
      const wasMember = await this.members.remove(client, project.id, { id, groupType }, String(member), author.now);
      const activity = `${nounOf(groupType)}_removed_manually`;
      if (wasMember) await record(client, project, cohort, activity, [member], null, author);
    });
    return { success: true };
  }

  private async personMeant(project: ProjectContext, body: RemovePersonBody): Promise<number> {
    refuseGiven(body, ['group_id', 'group_key'], 'the cohort has persons: send person_id');
    if (body.person_id === undefined || body.person_id === null) throw required('person_id');
    const { value } = readPersonCandidate(body.person_id, 'person_id');
    return (await this.persons.get(project, personRef(value, 'person_id'))).id;
  }

  private async groupMeant(project: ProjectContext, groupType: number, body: RemovePersonBody): Promise<number> {
    refuseGiven(body, ['person_id'], 'the cohort has groups: send group_id or group_key');
    const { group_id: id, group_key: key } = body;
    if (id !== undefined && id !== null) {
      const { kind, value } = readGroupCandidate(id, 'group_id');
      const group = await (kind === 'id' ? this.groups.get(project, value) : this.groups.withUuid(project, value));
      if (group.group_type_index === groupType) return group.id;
      throw invalidInput(`group_id must be that of a group of the type ${groupType}`, 'group_id');
    }
    if (key === undefined || key === null) throw required('group_id', 'or group_key');
    return (await this.groups.find(project, groupType, key)).id;
  }

  /** Copies the current members into a static cohort. */
  async duplicate(project: ProjectContext, id: number, author: Author, wait: number): Promise<CohortDto> {
    const source = await this.rows.find(project, id);
    if (source.deleted) throw deletedCohort(id);
    const count = await this.readers.count(project, source, author.now);
    await this.cohorts.assertRoom(project);
    // Members are read from ClickHouse, so they are read before the transaction starts.
    const sources = count > fewMembers ? { many: await spooled(this.readers.all(project, source)) } : null;
    const few = sources ? [] : await collected(this.readers.all(project, source));
    const name = `${source.name.slice(0, 400 - suffix.length)}${suffix}`;
    const made = await this.cohorts
      .commit(async (client) => {
        const { group_type_index: groupType } = source;
        const made = { name, description: '', groupType, definition: null };
        const copy = { id: await insertCohort(client, project, made, author), groupType };
        if (sources) await this.sources.add(client, project.id, copy, sources, { now: author.now });
        else
          for (let from = 0; from < Math.max(1, few.length); from += fewMembers)
            await this.sources.add(
              client,
              project.id,
              copy,
              { few: few.slice(from, from + fewMembers) },
              { now: author.now },
            );
        await refuseOneTooMany(client, project);
        return this.rows.find(project, copy.id, client);
      })
      .finally(() => sources?.many.remove());
    return this.cohorts.answer(project, made, author.now, wait);
  }

  private async staticCohort(project: ProjectContext, id: number): Promise<CohortRow> {
    const row = await this.rows.find(project, id);
    if (row.deleted) throw deletedCohort(id);
    if (!row.is_static)
      throw invalidInput('Members of a dynamic cohort follow from its definition: this one is not static');
    return row;
  }
}

const nounOf = (groupType: number | null): 'person' | 'group' => (groupType === null ? 'person' : 'group');

const refuseGiven = (body: RemovePersonBody, names: readonly (keyof RemovePersonBody)[], instead: string): void => {
  const field = names.find((name) => body[name] !== undefined && body[name] !== null);
  if (field !== undefined) throw invalidInput(`${field} is not possible here, because ${instead}`, field);
};

const collected = async (members: AsyncIterable<Candidate>): Promise<Candidate[]> => {
  const all: Candidate[] = [];
  for await (const member of members) all.push(member);
  return all;
};

const suffix = ' (static copy)';

const record = async (
  client: ClientBase,
  project: ProjectContext,
  { id, name, group_type_index: groupType }: CohortRow,
  activity: string,
  before: readonly number[] | null,
  after: readonly number[] | null,
  author: Author,
): Promise<void> => {
  if ((before ?? after ?? []).length === 0) return;
  const changes = [cohortLog.changed(`${nounOf(groupType)}_ids`, before, after)];
  await cohortLog.record(client, project, { id, activity, name, changes }, author);
};
