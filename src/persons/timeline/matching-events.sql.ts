import { type CohortMemberships, eventScope, filterSql } from '../../filters/compile/compile.sql.js';
import { type Filter } from '../../filters/reading/filter.js';
import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import { type Sql, instant, list, sql, text, uuid } from '../../platform/clickhouse/sql.js';

export interface MatchingQuestion {
  readonly projectId: number;
  readonly timezone: string;
  readonly now: Date;
  readonly cohorts: CohortMemberships;
  readonly event: string;
  readonly filter: Filter;
  readonly uuids: readonly string[];
  /** The events are between these two moments. */
  readonly from: Date;
  readonly to: Date;
}

/** Selects the events that pass the filter, out of events of one name. */
export const matchingEventsSql = (question: MatchingQuestion): Sql => {
  const { projectId, timezone, now, cohorts, event, filter, uuids, from, to } = question;
  return sql`
    SELECT toString(e.uuid) AS uuid FROM ${eventsFrom(projectId)}
    WHERE ${eventsOfProject(projectId)} AND e.event = ${text(event)}
      AND e.timestamp >= ${instant(from)} AND e.timestamp <= ${instant(to)}
      AND e.uuid IN ${list(uuid, uuids)}
      AND ${filterSql(filter, eventScope({ projectId, timezone, now, cohorts, actor: resolvedActor() }))}`;
};
