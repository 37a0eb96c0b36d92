import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { cohortsOfMember } from '../../kernel/memberships/cohorts-of-member.sql.js';
import { idCandidate } from '../../kernel/memberships/candidate.js';

// A sub-select hides the length of each list from the planner. With visible lists, a prepared plan assumes ten entries, so a new
// plan for a list of one looks cheaper every time, and planning takes longer than the answer.

type Bound = ReturnType<typeof bound>;

/** Selects persons by distinct id, in the order of the list. */
const ofDistinctIds = (project: Bound, distinctIds: readonly string[]): PgSql => pgSql`
  SELECT input.place, d.person_id AS id
  FROM unnest((SELECT ${bound(distinctIds)}::text[])) WITH ORDINALITY AS input (distinct_id, place)
  LEFT JOIN LATERAL (
    SELECT person_id FROM person_distinct_ids
    WHERE project_id = ${project} AND distinct_id = input.distinct_id LIMIT 1
  ) AS d ON true`;

/** Selects persons by id or uuid. The id or uuid of a merged person stands for the person into which it was merged. */
const ofPersonIds = (project: Bound, ids: readonly (string | number)[]): PgSql => {
  const refs = ids.map((id) => idCandidate(String(id)));
  const valuesOf = (kind: 'id' | 'uuid'): Bound => bound(refs.map((ref) => (ref?.kind === kind ? ref.value : null)));
  return pgSql`
  SELECT input.place, coalesce(p.id, r.target) AS id
  FROM unnest((SELECT ${valuesOf('id')}::bigint[]), (SELECT ${valuesOf('uuid')}::uuid[]))
    WITH ORDINALITY AS input (id, uuid, place)
  LEFT JOIN LATERAL (
    SELECT id FROM persons WHERE project_id = ${project} AND id = input.id
    UNION ALL SELECT id FROM persons WHERE project_id = ${project} AND uuid = input.uuid LIMIT 1
  ) AS p ON true
  LEFT JOIN LATERAL (
    SELECT target FROM person_redirects WHERE project_id = ${project} AND source = input.id AND p.id IS NULL
    UNION ALL SELECT target FROM person_redirects WHERE project_id = ${project} AND uuid = input.uuid AND p.id IS NULL LIMIT 1
  ) AS r ON true`;
};

/** Selects groups by their actors, in the order of the list. */
const ofActors = (project: Bound, actors: readonly string[]): PgSql => pgSql`
  SELECT input.place, g.id
  FROM unnest((SELECT ${bound(actors)}::bigint[])) WITH ORDINALITY AS input (actor, place)
  LEFT JOIN LATERAL (SELECT id FROM groups WHERE project_id = ${project} AND actor = input.actor LIMIT 1) AS g ON true`;

const ofGroupIds = (project: Bound, ids: readonly string[]): PgSql => pgSql`
  SELECT input.place, g.id
  FROM unnest((SELECT ${bound(ids)}::bigint[])) WITH ORDINALITY AS input (id, place)
  LEFT JOIN LATERAL (SELECT id FROM groups WHERE project_id = ${project} AND id = input.id LIMIT 1) AS g ON true`;

const memberships = (project: Bound, members: PgSql, cohorts: PgSql): PgSql => {
  const ofMember = cohortsOfMember(project, pgSql`member.id`, cohorts);
  return pgSql`SELECT member.place, member.id, ${ofMember} AS cohorts FROM (${members}) AS member`;
};

const states = (project: Bound, cohorts: PgSql): PgSql => pgSql`
  SELECT c.id, c.group_type_index, coalesce((
    SELECT h.id FROM cohort_changes AS h WHERE h.project_id = ${project} AND h.cohort_id = c.id
    ORDER BY h.id DESC LIMIT 1), c.forgotten_change) AS last_change
  FROM cohorts AS c
  WHERE c.project_id = ${project} AND c.id = ANY (${cohorts}::integer[]) AND NOT c.deleted`;

/** How the ids of a question name persons or groups. */
export type IdKind = 'distinct ids' | 'persons' | 'groups' | 'actors of groups';

export interface MembershipQuestion {
  readonly idsAre: IdKind;
  readonly ids: readonly (string | number)[];
  readonly cohorts: readonly number[];
}

export const isOfGroups = (idsAre: IdKind): boolean => idsAre === 'groups' || idsAre === 'actors of groups';

const membersNamed = (project: Bound, { idsAre, ids }: MembershipQuestion): PgSql => {
  switch (idsAre) {
    case 'distinct ids':
      return ofDistinctIds(project, ids.map(String));
    case 'persons':
      return ofPersonIds(project, ids);
    case 'groups':
      return ofGroupIds(project, ids.map(String));
    case 'actors of groups':
      return ofActors(project, ids.map(String));
  }
};

/**
 * Selects the cohorts of each person or group and the state of each cohort. The cohorts must have members of this kind.
 * One statement reads both, because other services wait for the answer and each statement costs a round trip.
 */
export const membershipsSql = (projectId: number, question: MembershipQuestion): PgSql => {
  const project = bound(projectId);
  const { idsAre, cohorts } = question;
  const list = pgSql`(SELECT ${bound(cohorts)}::integer[])`;
  const found = memberships(project, membersNamed(project, question), list);
  return pgSql`
  SELECT (SELECT json_agg(m ORDER BY m.place) FROM (${found}) AS m) AS members,
    (SELECT json_agg(c ORDER BY c.id) FROM (${states(project, list)}) AS c) AS cohorts`.named(
    `membership-of-${idsAre.replaceAll(' ', '-')}`,
  );
};
