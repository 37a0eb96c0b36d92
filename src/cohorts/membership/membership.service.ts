import { Injectable } from '@nestjs/common';
import { TickBatcher } from '../../platform/work/shared-work.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { personCandidate } from '../../kernel/memberships/candidate.js';
import { membershipsSql } from './memberships.sql.js';
import { type CheckedCohortDto, type MembershipBody, type MembershipsDto } from './membership.dto.js';

interface MembershipRow {
  readonly person_id: number | null;
  readonly cohorts: number[];
}

interface CohortRow {
  readonly id: number;
  readonly last_change: number;
}

interface Answer {
  readonly persons: readonly MembershipRow[];
  readonly cohorts: readonly CohortRow[] | null;
}

type GivenId = string | number;

/** Everything of a question except its ids. */
interface Subject {
  readonly projectId: number;
  readonly idsAre: 'distinct ids' | 'persons';
  readonly cohorts: readonly number[];
}

interface Found {
  readonly persons: ReadonlyMap<GivenId, MembershipRow>;
  readonly cohorts: readonly CohortRow[];
}

/** A request for more ids is not combined with others. */
const maxGatheredIds = 10;

/**
 * Answers which persons are in which cohorts, from PostgreSQL only, fast enough for services that ask during their own requests.
 */
@Injectable()
export class MembershipService {
  /**
   * Combines questions about the same cohorts: clients ask for one id after the other, and a statement for many ids costs little
   * more than one for a single id.
   */
  private readonly together = new TickBatcher<string, GivenId, Found>((subject, ids) =>
    this.find(JSON.parse(subject) as Subject, ids),
  );

  constructor(private readonly postgres: Postgres) {}

  async check(project: ProjectContext, body: MembershipBody): Promise<MembershipsDto> {
    const { distinct_ids: distinctIds, person_ids: personIds } = body;
    if (distinctIds && personIds) throw invalidInput('Send either distinct_ids or person_ids, not both', 'person_ids');
    const given = distinctIds ?? personIds?.map(checkedPersonId);
    if (!given) throw required('distinct_ids');
    const cohorts = body.cohorts.map(checkedCohortId);
    const subject: Subject = { projectId: project.id, idsAre: distinctIds ? 'distinct ids' : 'persons', cohorts };
    const found = await (given.length > maxGatheredIds ? this.find(subject, given) : this.findTogether(subject, given));
    return {
      results: given.map((sent) => ({
        given: sent,
        person_id: found.persons.get(sent)?.person_id ?? null,
        cohorts: found.persons.get(sent)?.cohorts ?? [],
      })),
      cohorts: tagsOf(cohorts, found.cohorts),
    };
  }

  private async findTogether(subject: Subject, given: readonly GivenId[]): Promise<Found> {
    const key = JSON.stringify(subject);
    // One statement finds all ids, so every result is the same.
    const [found] = await Promise.all(given.map((id) => this.together.load(key, id)));
    return found ?? this.find(subject, given);
  }

  private async find({ projectId, idsAre, cohorts }: Subject, ids: readonly GivenId[]): Promise<Found> {
    const distinctIds = idsAre === 'distinct ids' ? ids.map(String) : undefined;
    const statement = membershipsSql(projectId, { distinctIds, personIds: ids, cohorts });
    const { rows } = await this.postgres.query<Answer>(statement);
    const persons = rows[0]?.persons ?? [];
    return {
      persons: new Map(ids.flatMap((id, at) => (persons[at] ? [[id, persons[at]]] : []))),
      cohorts: rows[0]?.cohorts ?? [],
    };
  }
}

const tagsOf = (cohorts: readonly number[], rows: readonly CohortRow[]): CheckedCohortDto[] => {
  const known = new Set(rows.map(({ id }) => id));
  cohorts.forEach((id, at) => {
    if (!known.has(id)) throw invalidInput(`cohorts.${at}: there is no cohort ${id}`, `cohorts.${at}`);
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
