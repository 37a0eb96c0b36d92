import { Injectable } from '@nestjs/common';
import { required } from '../../platform/errors/problem.js';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { PersonsRepository } from '../../persons/reading/persons.repository.js';
import { GroupsRepository } from '../../groups/reading/groups.repository.js';
import { type Member } from '../../kernel/memberships/record-members.js';
import { type GroupCohortsQuery, type PersonCohortsQuery } from './cohort-queries.dto.js';
import { type CohortDto } from '../cohort.dto.js';
import { assertRecorded, PastMembers, readAsOf } from '../../kernel/memberships/past-members.js';
import { type CohortRow, CohortsRepository } from './cohorts.repository.js';
import { CurrentMembers } from '../../kernel/memberships/current-members.js';

/** Lists the cohorts of one person or one group, or all cohorts. */
@Injectable()
export class PersonCohortsService {
  constructor(
    private readonly rows: CohortsRepository,
    private readonly members: CurrentMembers,
    private readonly persons: PersonsRepository,
    private readonly groups: GroupsRepository,
    private readonly past: PastMembers,
  ) {}

  async list(project: ProjectContext, query: PersonCohortsQuery, now: Date): Promise<Slice<CohortDto>> {
    const personId = await this.persons.idNamed(project, query);
    if (personId === null && query.as_of !== undefined) throw required('person_id');
    return this.slice(project, personId === null ? null : { kind: 'persons', id: personId }, query, now);
  }

  /** Throws 404 for an id of no group. */
  async ofGroup(
    project: ProjectContext,
    groupId: string,
    query: GroupCohortsQuery,
    now: Date,
  ): Promise<Slice<CohortDto>> {
    const { id } = await this.groups.get(project, groupId);
    return this.slice(project, { kind: 'groups', id: String(id) }, query, now);
  }

  private async slice(
    project: ProjectContext,
    member: Member | null,
    query: GroupCohortsQuery,
    now: Date,
  ): Promise<Slice<CohortDto>> {
    const live = await this.rows.live(project);
    const joined = member === null ? null : await this.joined(project, live, member, query.as_of, now);
    const mine = joined === null ? live : live.filter(({ id }) => joined.has(id));
    const dtos = await this.rows.toDtos(project, mine, now);
    const inhabited = dtos.filter(({ count }) => (count ?? 0) > 0);
    return { count: inhabited.length, results: inhabited.slice(query.offset, query.offset + query.limit) };
  }

  private async joined(
    project: ProjectContext,
    live: readonly CohortRow[],
    member: Member,
    asOf: string | undefined,
    now: Date,
  ): Promise<ReadonlySet<number>> {
    if (asOf === undefined) return this.members.cohortsOf(project, live, member, now);
    const at = readAsOf(project, asOf, now);
    assertRecorded(at, now);
    const ids = live.map(({ id }) => id);
    return this.past.cohortsOf(project, ids, member, at);
  }
}
