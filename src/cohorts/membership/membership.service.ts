import { Injectable } from '@nestjs/common';
import { invalidInput, required, unavailable } from '../../common/errors/problem.js';
import { readSmallId } from '../../common/ids.js';
import { type ProjectContext } from '../../common/project-context.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { personCandidate } from '../members/candidate.js';
import { membershipsSql } from './memberships.sql.js';
import { type CheckedCohortDto, type MembershipBody, type MembershipsDto } from './membership.dto.js';

interface MembershipRow {
  readonly person_id: number | null;
  readonly cohorts: number[];
}

interface CohortRow {
  readonly id: number;
  readonly is_recorded: boolean;
  readonly last_change: number;
}

interface Checked {
  readonly persons: readonly MembershipRow[];
  readonly cohorts: readonly CohortRow[] | null;
}

/** Answers, fast enough for the path of a request, which persons are in which cohorts. Asks PostgreSQL only. */
@Injectable()
export class MembershipService {
  constructor(private readonly postgres: Postgres) {}

  async check(project: ProjectContext, body: MembershipBody): Promise<MembershipsDto> {
    const { distinct_ids: distinctIds, person_ids: personIds } = body;
    if (distinctIds && personIds) throw invalidInput('Send either distinct_ids or person_ids, not both', 'person_ids');
    const given = distinctIds ?? personIds?.map(checkedPersonId);
    if (!given) throw required('distinct_ids');
    const cohorts = body.cohorts.map(checkedCohortId);
    const statement = membershipsSql(project.id, { distinctIds, personIds: given, cohorts });
    const { rows } = await this.postgres.query<Checked>(statement);
    const [checked] = rows;
    return {
      results: given.map((sent, at) => ({
        given: sent,
        person_id: checked?.persons[at]?.person_id ?? null,
        cohorts: checked?.persons[at]?.cohorts ?? [],
      })),
      cohorts: tagsOf(cohorts, checked?.cohorts ?? []),
    };
  }
}

const tagsOf = (cohorts: readonly number[], rows: readonly CohortRow[]): CheckedCohortDto[] => {
  const known = new Map(rows.map((row) => [row.id, row]));
  cohorts.forEach((id, at) => {
    const cohort = known.get(id);
    if (!cohort) throw invalidInput(`cohorts.${at}: there is no cohort ${id}`, `cohorts.${at}`);
    if (!cohort.is_recorded)
      throw unavailable(`The members of cohort ${id} are recorded by its next calculation: try again later`, 10);
  });
  return rows.map(({ id, last_change: last }) => ({ id, etag: `${id}-${last}` }));
};

const checkedPersonId = (id: unknown, at: number): string | number => {
  if ((typeof id === 'string' || typeof id === 'number') && personCandidate(String(id))) return id;
  throw invalidInput(`person_ids.${at} must be the integer id or the uuid of a person`, `person_ids.${at}`);
};

const checkedCohortId = (sent: unknown, at: number): number => {
  const id = readSmallId(sent);
  if (id === null) throw invalidInput(`cohorts.${at} must be the id of a cohort, an integer`, `cohorts.${at}`);
  return id;
};
