import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import { type GroupInQuestion } from '../../groups/reading/groups.repository.js';
import { isOfGroup } from '../log/events.sql.js';
import { type Sql, instant, integer, sql, unsigned } from '../../platform/clickhouse/sql.js';

/** The events of a group, or of a person, since a moment. */
export interface RelatedQuestion {
  readonly projectId: number;
  readonly subject: GroupInQuestion | { readonly personId: string };
  readonly since: Date;
  readonly most: number;
}

const eventsOf = ({ projectId, subject, since }: RelatedQuestion): Sql => {
  const isOfSubject =
    'personId' in subject ? sql`${resolvedActor()} = ${integer(BigInt(subject.personId))}` : isOfGroup(subject);
  return sql`
    SELECT ${resolvedActor()} AS actor, e.groups AS groups FROM ${eventsFrom(projectId)}
    WHERE ${eventsOfProject(projectId)} AND e.timestamp >= ${instant(since)} AND ${isOfSubject}`;
};

/** Selects the persons of the events, those with the most events first. */
export const relatedPersonsSql = (question: RelatedQuestion): Sql => sql`
  SELECT toString(actor) AS key, count() AS events FROM (${eventsOf(question)}) WHERE actor > 0
  GROUP BY actor ORDER BY events DESC, actor LIMIT ${unsigned(question.most)}`;

/** Selects the groups of the events, but for the subject, those with the most events first. */
export const relatedGroupsSql = (question: RelatedQuestion): Sql => {
  const { subject, most } = question;
  const others = 'personId' in subject ? sql`` : sql`WHERE other != ${integer(BigInt(subject.actor))}`;
  return sql`
  SELECT toString(other) AS key, count() AS events
  FROM (SELECT arrayJoin(mapValues(groups)) AS other FROM (${eventsOf(question)})) ${others}
  GROUP BY other ORDER BY events DESC, other LIMIT ${unsigned(most)}`;
};

/** A sub-select of the actors that have an event of the group. */
export const actorsOfGroupSql = (projectId: number, group: GroupInQuestion): Sql => sql`(
  SELECT DISTINCT ${resolvedActor()} AS actor FROM ${eventsFrom(projectId)}
  WHERE ${eventsOfProject(projectId)} AND ${isOfGroup(group)})`;
