import { historyAlias } from './membership-history.sql.js';
import { empty, join, sql, type Sql } from '../../platform/clickhouse/sql.js';
import { instant, integer, list, text, unsigned } from '../../platform/clickhouse/values.js';
import { type MemberHistory } from './member-histories.js';
import { actorsInSql } from './members-then.sql.js';

/**
 * Joins rows with the histories of their actors in cohorts, for `wasMember`. A person that was merged since counts as the person
 * into which it was merged: that one was a member while any of the two was.
 */
export const historyJoins = (projectId: number, histories: readonly MemberHistory[], actor: Sql): Sql =>
  histories.length === 0
    ? empty
    : join(
        histories.map((history) => historyJoin(projectId, history, actor)),
        empty,
      );

const historyJoin = (projectId: number, { cohortId, from, members, changes }: MemberHistory, actor: Sql): Sql => {
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
    SELECT if(r.target = 0, m.actor, r.target) AS actor, groupArray((m.at, m.step)) AS changes
    FROM (
      SELECT actor, ${instant(from)} AS at, toInt64(1) AS step FROM (${actorsInSql(members)})
      UNION ALL
      SELECT toInt64(arrayJoin(splitByChar(',', change.3))) AS actor, change.1 AS at, change.2 AS step
      FROM (SELECT arrayJoin(arrayZip(${moments}, ${steps}, ${persons})) AS change)
    ) AS m
    GLOBAL ANY LEFT JOIN (
      SELECT source, target FROM person_redirects FINAL WHERE project_id = ${unsigned(projectId)}
    ) AS r ON r.source = m.actor
    GROUP BY actor
  ) AS ${alias} ON ${alias}.actor = ${actor}`;
};
