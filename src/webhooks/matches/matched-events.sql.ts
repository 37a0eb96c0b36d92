import { type CohortMemberships, eventScope } from '../../filters/compile/compile.sql.js';
import { matchesEvent } from '../../filters/compile/event-match.sql.js';
import { type EventMatch } from '../../filters/reading/filter.js';
import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import { type Sql, instant, list, sql, uuid } from '../../platform/clickhouse/sql.js';

export interface MatchQuestion {
  readonly projectId: number;
  readonly timezone: string;
  readonly now: Date;
  readonly cohorts: CohortMemberships;
  readonly matches: readonly EventMatch[];
  readonly uuids: readonly string[];
  /** The events are between these two moments. */
  readonly from: Date;
  readonly to: Date;
}

/** Selects those of the events that match one of the alternatives, with their actors. */
export const matchedEventsSql = ({ matches, uuids, from, to, ...question }: MatchQuestion): Sql => {
  const { projectId } = question;
  const actor = resolvedActor();
  return sql`
    SELECT toString(e.uuid) AS uuid, toString(${actor}) AS actor FROM ${eventsFrom(projectId)}
    WHERE ${eventsOfProject(projectId)} AND e.timestamp >= ${instant(from)} AND e.timestamp <= ${instant(to)}
      AND e.uuid IN ${list(uuid, uuids)} AND ${matchesEvent(matches, eventScope({ ...question, actor }))}`;
};
