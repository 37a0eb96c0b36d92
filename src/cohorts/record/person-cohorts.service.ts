import { Injectable } from '@nestjs/common';
import { required } from '../../platform/errors/problem.js';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { PersonsRepository } from '../../persons/reading/persons.repository.js';
import { type PersonCohortsQuery } from './cohort-queries.dto.js';
import { type CohortDto } from '../cohort.dto.js';
import { assertRecorded, PastMembers, readAsOf } from '../../kernel/memberships/past-members.js';
import { type CohortRow, CohortsRepository } from './cohorts.repository.js';
import { CurrentMembers } from '../../kernel/memberships/current-members.js';

/** Lists the cohorts of one person, or all cohorts. */
@Injectable()
export class PersonCohortsService {
  constructor(
    private readonly rows: CohortsRepository,
    private readonly members: CurrentMembers,
    private readonly persons: PersonsRepository,
    private readonly past: PastMembers,
  ) {}

  async list(project: ProjectContext, query: PersonCohortsQuery, now: Date): Promise<Slice<CohortDto>> {
    const personId = await this.persons.idNamed(project, query);
    if (personId === null && query.as_of !== undefined) throw required('person_id');
    const live = await this.rows.live(project);
    const joined = personId === null ? null : await this.joined(project, live, personId, query.as_of, now);
    const mine = joined === null ? live : live.filter(({ id }) => joined.has(id));
    const dtos = await this.rows.toDtos(project, mine, now);
    const inhabited = dtos.filter(({ count }) => (count ?? 0) > 0);
    return { count: inhabited.length, results: inhabited.slice(query.offset, query.offset + query.limit) };
  }

  private async joined(
    project: ProjectContext,
    live: readonly CohortRow[],
    personId: string,
    asOf: string | undefined,
    now: Date,
  ): Promise<ReadonlySet<number>> {
    if (asOf === undefined) return this.members.cohortsOf(project, live, personId, now);
    const at = readAsOf(project, asOf, now);
    assertRecorded(at, now);
    const ids = live.map(({ id }) => id);
    return this.past.cohortsOf(project, ids, personId, at);
  }
}
