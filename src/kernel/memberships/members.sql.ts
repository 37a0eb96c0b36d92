import { type Sql, empty, instant, integer, join, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { historyAlias } from './membership-history.sql.js';
import { type MemberHistory } from './member-histories.js';
import { actorsInSql } from './members-then.sql.js';

/** A cohort and one version of its members. */
export interface Membership {
  readonly id: number;
  readonly version: number;
  /** The index of the type of the groups that are its members; null: its members are persons. */
  readonly groupType: number | null;
}

/** A cohort as it is stored; `version` is null before the first version. */
export interface Versioned {
  readonly id: number;
  readonly version: number | null;
  readonly group_type_index: number | null;
}

export const membershipsOf = (cohorts: readonly Versioned[]): Membership[] =>
  cohorts.flatMap(({ id, version, group_type_index: groupType }) =>
    version === null ? [] : [{ id, version, groupType }],
  );

/** Sends two lists, however many cohorts there are, because a server accepts a thousand values with a statement. */
const oneOf = (memberships: readonly Membership[]): Sql => {
  const ids = list(
    unsigned,
    memberships.map(({ id }) => id),
  );
  const versions = list(
    unsigned,
    memberships.map(({ version }) => version),
  );
  return sql`(cohort_id, version) IN (SELECT arrayJoin(arrayZip(${ids}, ${versions})))`;
};

const redirects = (projectId: number): Sql =>
  sql`SELECT source, target FROM person_redirects FINAL WHERE project_id = ${unsigned(projectId)}`;

/**
 * Selects members of several cohorts of persons and, for merged members, also the persons they were merged into. Members can
 * occur twice, and some no longer exist.
 */
const personsIn = (projectId: number, memberships: readonly Membership[]): Sql => {
  const named = oneOf(memberships);
  return sql`
  SELECT cohort_id, actor FROM cohort_members WHERE project_id = ${unsigned(projectId)} AND ${named}
  UNION ALL
  SELECT m.cohort_id AS cohort_id, r.target AS actor
  FROM (
    SELECT cohort_id, actor FROM cohort_members
    WHERE project_id = ${unsigned(projectId)} AND ${named}
      AND actor GLOBAL IN (SELECT source FROM (${redirects(projectId)}))
  ) AS m
  GLOBAL INNER JOIN (${redirects(projectId)}) AS r ON r.source = m.actor`;
};

const livePersons = (projectId: number): Sql =>
  sql`SELECT id FROM persons FINAL WHERE project_id = ${unsigned(projectId)}`;

/**
 * Selects the members that exist now, as `cohort_id` and `actor`, which is the id of a person or of a group. Members can occur
 * twice.
 */
const liveMembers = (projectId: number, memberships: readonly Membership[]): Sql => {
  const ofPersons = memberships.filter(({ groupType }) => groupType === null);
  const ofGroups = memberships.filter(({ groupType }) => groupType !== null);
  const persons = sql`
  SELECT cohort_id, actor FROM (${personsIn(projectId, ofPersons)}) WHERE actor GLOBAL IN (${livePersons(projectId)})`;
  const groups = sql`
  SELECT cohort_id, actor FROM cohort_members
  WHERE project_id = ${unsigned(projectId)} AND ${oneOf(ofGroups)}
    AND actor GLOBAL IN (SELECT id FROM groups FINAL WHERE project_id = ${unsigned(projectId)})`;
  const both = [...(ofPersons.length > 0 ? [persons] : []), ...(ofGroups.length > 0 ? [groups] : [])];
  return both.length === 0
    ? sql`SELECT toUInt32(0) AS cohort_id, toInt64(0) AS actor WHERE false`
    : join(both, sql` UNION ALL `);
};

/** Counts the members of each cohort that exist now. */
export const memberCountsSql = (projectId: number, memberships: readonly Membership[]): Sql => sql`
  SELECT cohort_id, uniqExact(actor) AS count FROM (${liveMembers(projectId, memberships)})
  GROUP BY cohort_id`;

/** Selects the cohorts that have a person as a member. */
export const cohortsOfPersonSql = (projectId: number, memberships: readonly Membership[], personId: string): Sql => sql`
  SELECT DISTINCT cohort_id FROM cohort_members
  WHERE project_id = ${unsigned(projectId)} AND ${oneOf(memberships)} AND actor GLOBAL IN (
    SELECT ${integer(BigInt(personId))} AS actor
    UNION ALL
    SELECT source AS actor FROM (${redirects(projectId)}) WHERE target = ${integer(BigInt(personId))})`;

/** Selects the cohorts of groups that have a group as a member. */
export const cohortsOfGroupSql = (projectId: number, memberships: readonly Membership[], groupId: string): Sql => sql`
  SELECT DISTINCT cohort_id FROM cohort_members
  WHERE project_id = ${unsigned(projectId)} AND ${oneOf(memberships)} AND actor = ${integer(BigInt(groupId))}`;

/** Selects the members after one, in the order of ids. */
export const membersAfterSql = (projectId: number, membership: Membership, after: string, limit: number): Sql => sql`
  SELECT toString(actor) AS member FROM (
    SELECT DISTINCT actor FROM (${liveMembers(projectId, [membership])})
    WHERE actor > ${integer(BigInt(after))}
    ORDER BY actor LIMIT ${unsigned(limit)})
  ORDER BY toInt64(member)`;

/** Selects each current member of several cohorts once, as `cohort_id` and `actor`. */
export const memberRowsSql = (projectId: number, memberships: readonly Membership[]): Sql =>
  sql`SELECT DISTINCT cohort_id, actor FROM (${liveMembers(projectId, memberships)})`;

/**
 * Joins rows with the histories of their actors in cohorts, for `wasMember`; `actor` is the person of a row or, for the index of a
 * type, its group. A person that was merged since counts as the person into which it was merged, which was a member while either
 * of the two was. A group that was deleted since counts as a member at no time.
 */
export const historyJoins = (
  projectId: number,
  histories: readonly MemberHistory[],
  actor: (groupType: number | null) => Sql,
): Sql =>
  histories.length === 0
    ? empty
    : join(
        histories.map((history) => historyJoin(projectId, history, actor(history.groupType))),
        empty,
      );

const historyJoin = (
  projectId: number,
  { cohortId, groupType, from, members, changes }: MemberHistory,
  actor: Sql,
): Sql => {
  const moments = list(
    instant,
    changes.map(({ at }) => at),
  );
  const steps = list(
    integer,
    changes.map(({ entered }) => (entered ? 1 : -1)),
  );
  const persons = list(
    text,
    changes.map((change) => change.persons),
  );
  const alias = historyAlias(cohortId);
  return sql` GLOBAL ANY LEFT JOIN (
    SELECT ${groupType === null ? sql`if(r.target = 0, m.actor, r.target)` : sql`g.actor`} AS actor, groupArray((m.at, m.step)) AS changes
    FROM (
      SELECT actor, ${instant(from)} AS at, toInt64(1) AS step FROM (${actorsInSql(members)})
      UNION ALL
      SELECT toInt64(arrayJoin(splitByChar(',', change.3))) AS actor, change.1 AS at, change.2 AS step
      FROM (SELECT arrayJoin(arrayZip(${moments}, ${steps}, ${persons})) AS change)
    ) AS m
    ${groupType === null ? ofLastingPersons(projectId) : ofGroups(projectId, groupType)}
    GROUP BY actor
  ) AS ${alias} ON ${alias}.actor = ${actor}`;
};

const ofLastingPersons = (projectId: number): Sql =>
  sql`GLOBAL ANY LEFT JOIN (${redirects(projectId)}) AS r ON r.source = m.actor`;

/** The members of a cohort of groups are ids, by which events do not name groups. ANY would keep one change of each group. */
const ofGroups = (projectId: number, groupType: number): Sql => sql`GLOBAL INNER JOIN (
      SELECT id, actor FROM groups FINAL
      WHERE project_id = ${unsigned(projectId)} AND group_type_index = ${unsigned(groupType)}
    ) AS g ON g.id = m.actor`;
