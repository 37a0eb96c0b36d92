import { type FilterScope, eventScope, filterSql } from '../../filters/compile/compile.sql.js';
import { type Filter } from '../../filters/reading/filter.js';
import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import { type Sql, instant, join, list, sql, text, unsigned, uuid } from '../../platform/clickhouse/sql.js';
import { hasPartSql } from '../job/has-part.sql.js';

/** The events that a request is about. All parts combine by AND. */
export interface DeletionQuestion extends Pick<FilterScope, 'projectId' | 'now' | 'timezone' | 'cohorts'> {
  readonly events: readonly string[] | null;
  readonly uuids: readonly string[] | null;
  readonly after: Date | null;
  readonly before: Date | null;
  readonly filter: Filter;
  readonly scrub: readonly string[] | null;
  readonly receivedUpTo: Date;
}

const selected = (selection: DeletionQuestion): Sql => {
  const { projectId, events, uuids, after, before, filter, scrub, receivedUpTo } = selection;
  const conditions = [
    eventsOfProject(projectId),
    sql`e.received_at <= ${instant(receivedUpTo)}`,
    events && sql`e.event IN (${list(text, events)})`,
    uuids && sql`e.uuid IN (${list(uuid, uuids)})`,
    after && sql`e.timestamp > ${instant(after)}`,
    before && sql`e.timestamp < ${instant(before)}`,
    scrub && hasPartSql(projectId, { keys: scrub }),
    filterSql(filter, eventScope({ ...selection, actor: resolvedActor() })),
  ].filter((condition) => condition !== null);
  return sql`FROM ${eventsFrom(projectId)} WHERE ${join(conditions, sql` AND `)}`;
};

export interface SelectionCount {
  readonly events: number;
  readonly persons: number;
  readonly first: string | null;
  readonly last: string | null;
}

export const selectionCountSql = (selection: DeletionQuestion): Sql => sql`
  SELECT count() AS events, uniqExact(actor) AS persons, minOrNull(timestamp) AS first, maxOrNull(timestamp) AS last
  FROM (SELECT ${resolvedActor()} AS actor, e.timestamp AS timestamp ${selected(selection)})`;

export const selectionNamesSql = (selection: DeletionQuestion, most: number): Sql => sql`
  SELECT toString(event) AS event, count() AS count FROM (SELECT e.event AS event ${selected(selection)})
  GROUP BY event ORDER BY count DESC, event LIMIT ${unsigned(most)}`;

/** Counts the events that arrived after a moment. */
export const selectionSinceSql = (selection: DeletionQuestion, since: Date): Sql => sql`
  SELECT count() AS number FROM (SELECT e.received_at AS received_at ${selected(selection)})
  WHERE received_at > ${instant(since)}`;

/** Selects the uuids, a line each. */
export const selectedUuidsSql = (selection: DeletionQuestion, most: number): Sql =>
  sql`SELECT e.uuid ${selected(selection)} LIMIT ${unsigned(most)} FORMAT TSV`;
