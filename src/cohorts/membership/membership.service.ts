import { Injectable } from '@nestjs/common';
import { invalidInput, required, unavailable } from '../../common/errors/problem.js';
import { readSmallId } from '../../common/ids.js';
import { type ProjectContext } from '../../common/project-context.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';
import { chunkSize } from '../changes/member-bits.js';
import { personCandidate } from '../members/candidate.js';
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

/** Persons by distinct id, in the order of the list. */
const ofDistinctIds = (projectId: number, distinctIds: readonly string[]): PgSql => pgSql`
  SELECT input.place, d.person_id AS id FROM unnest(${bound(distinctIds)}::text[]) WITH ORDINALITY AS input (distinct_id, place)
  LEFT JOIN LATERAL (
    SELECT person_id FROM person_distinct_ids
    WHERE project_id = ${bound(projectId)} AND distinct_id = input.distinct_id LIMIT 1
  ) AS d ON true`;

/** Persons by id or uuid, also those that were merged. */
const ofPersonIds = (projectId: number, ids: readonly (string | number)[]): PgSql => {
  const refs = ids.map((id) => personCandidate(String(id)));
  const project = bound(projectId);
  const [byId, byUuid] = (['id', 'uuid'] as const).map((kind) =>
    bound(refs.map((ref) => (ref?.kind === kind ? ref.value : null))),
  ) as [ReturnType<typeof bound>, ReturnType<typeof bound>];
  return pgSql`
  SELECT input.place, coalesce(p.id, r.target) AS id
  FROM unnest(${byId}::bigint[], ${byUuid}::uuid[]) WITH ORDINALITY AS input (id, uuid, place)
  LEFT JOIN LATERAL (
    SELECT id FROM persons WHERE project_id = ${project} AND id = input.id
    UNION ALL SELECT id FROM persons WHERE project_id = ${project} AND uuid = input.uuid LIMIT 1
  ) AS p ON true
  LEFT JOIN LATERAL (
    SELECT target FROM person_redirects WHERE project_id = ${project} AND source = input.id AND p.id IS NULL
    UNION ALL SELECT target FROM person_redirects WHERE project_id = ${project} AND uuid = input.uuid AND p.id IS NULL LIMIT 1
  ) AS r ON true`;
};

const memberships = (projectId: number, persons: PgSql, cohorts: readonly number[]): PgSql => pgSql`
  SELECT person.place, person.id AS person_id, ARRAY(
    SELECT m.cohort_id FROM cohort_member_chunks AS m
    WHERE m.project_id = ${bound(projectId)} AND m.cohort_id = ANY (${bound(cohorts)}::integer[])
      AND m.chunk = person.id / ${bound(chunkSize)}::integer
      AND get_bit(m.bits, person.id % ${bound(chunkSize)}::integer) = 1
    ORDER BY m.cohort_id) AS cohorts
  FROM (${persons}) AS person`;

const states = (projectId: number, cohorts: readonly number[]): PgSql => pgSql`
  SELECT c.id, c.changes_from IS NOT NULL AS is_recorded, coalesce((
    SELECT h.id FROM cohort_changes AS h WHERE h.project_id = ${bound(projectId)} AND h.cohort_id = c.id
    ORDER BY h.id DESC LIMIT 1), c.forgotten_change) AS last_change
  FROM cohorts AS c
  WHERE c.project_id = ${bound(projectId)} AND c.id = ANY (${bound(cohorts)}::integer[]) AND NOT c.deleted`;

/** One statement for both: each statement is a round trip, and this answer is on the way of other services' requests. */
const together = (persons: PgSql, cohorts: PgSql): PgSql => pgSql`
  SELECT (SELECT json_agg(m ORDER BY m.place) FROM (${persons}) AS m) AS persons,
    (SELECT json_agg(c ORDER BY c.id) FROM (${cohorts}) AS c) AS cohorts`;

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
    const { id } = project;
    const persons = distinctIds ? ofDistinctIds(id, distinctIds) : ofPersonIds(id, given);
    const statement = together(memberships(id, persons, cohorts), states(id, cohorts));
    const name = distinctIds ? 'membership-of-distinct-ids' : 'membership-of-persons';
    const { rows } = await this.postgres.query<Checked>(statement.named(name));
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
