import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { cohortsOfMember } from '../../kernel/memberships/cohorts-of-member.sql.js';

/**
 * Selects, for each distinct id in the order of the list, the person with its properties and those of the cohorts that have it as
 * a member; and the version of each cohort. One statement reads both, so the answer names the version that it used. A sub-select
 * hides the length of each list from the planner, which would otherwise plan for every length anew.
 */
export const subjectsSql = (projectId: number, distinctIds: readonly string[], cohorts: readonly number[]): PgSql => {
  const project = bound(projectId);
  const named = pgSql`(SELECT ${bound(cohorts)}::integer[])`;
  return pgSql`
  SELECT p.properties, ${cohortsOfMember(project, pgSql`p.id`, named)} AS cohorts, (
    SELECT json_agg(json_build_object('id', c.id, 'version', c.version) ORDER BY c.id) FROM cohorts AS c
    WHERE c.project_id = ${project} AND c.id = ANY (${named}::integer[])) AS versions
  FROM unnest((SELECT ${bound(distinctIds)}::text[])) WITH ORDINALITY AS input (distinct_id, place)
  LEFT JOIN LATERAL (
    SELECT person_id FROM person_distinct_ids
    WHERE project_id = ${project} AND distinct_id = input.distinct_id LIMIT 1
  ) AS d ON true
  LEFT JOIN LATERAL (
    SELECT id, properties FROM persons WHERE project_id = ${project} AND id = d.person_id LIMIT 1
  ) AS p ON true
  ORDER BY input.place`.named('flags-persons');
};

/** Selects the groups with their types. A group that no event has described has no properties. */
export const flagGroupsSql = (
  projectId: number,
  named: readonly { readonly type: string; readonly actor: string }[],
): PgSql => {
  const project = bound(projectId);
  return pgSql`
  SELECT t.name AS type, t.group_type_index AS index, g.properties
  FROM unnest((SELECT ${bound(named.map(({ type }) => type))}::text[]), (SELECT ${bound(named.map(({ actor }) => actor))}::bigint[]))
    AS input (type, actor)
  JOIN group_types AS t ON t.project_id = ${project} AND t.name = input.type
  LEFT JOIN groups AS g ON g.project_id = ${project} AND g.actor = input.actor`.named('flags-groups');
};
