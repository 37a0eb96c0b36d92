import { eventsWithActor, profilelessActor } from '../../kernel/projection/actors.sql.js';
import { containsTerm } from '../../kernel/projection/search.sql.js';
import { type Sql, empty, integer, join, list, sql, text, unsigned, uuid } from '../../platform/clickhouse/sql.js';
import { type QuestionScope } from './question-scopes.js';
import { isUuid } from '../../platform/values/ids.js';

/** The actors behind a number. Columns beside `actor` are the ones that the insight adds to each person. */
export interface ActorList {
  /** A SELECT with one row for each actor. */
  readonly actors: Sql;
  /** The number by which actors are ordered, the highest first; ties are ordered by actor. Null: by actor alone. */
  readonly order: Sql | null;
}

export interface Search {
  readonly term: string;
  /** The person that has the term as a distinct id. */
  readonly ownerId: string | null;
}

/**
 * True if the e-mail, the name or a distinct id contains the term, or the term is the uuid of the person; or if the key or a
 * name of the group contains it.
 */
const matchesSearch = (scope: QuestionScope, { term, ownerId }: Search): Sql => {
  const columns = { search: sql`search`, properties: sql`properties` };
  if (scope.groupType !== null)
    return sql`actor GLOBAL IN (
    SELECT actor FROM groups FINAL WHERE project_id = ${unsigned(scope.projectId)} AND ${containsTerm(columns, term, [])})`;
  const ways = [containsTerm(columns, term, scope.project.personDisplayNameProperties)];
  if (isUuid(term)) ways.push(sql`uuid = ${uuid(term)}`);
  const ids = [BigInt(profilelessActor(scope.projectId, term)), ...(ownerId === null ? [] : [BigInt(ownerId)])];
  return sql`(actor IN (${join(ids.map((id) => integer(id)))}) OR actor GLOBAL IN (
    SELECT id FROM persons FINAL WHERE project_id = ${unsigned(scope.projectId)} AND (${join(ways, sql` OR `)})))`;
};

const chosen = (scope: QuestionScope, { actors }: ActorList, search: Search | null): Sql =>
  sql`FROM (${actors})${search === null ? empty : sql` WHERE ${matchesSearch(scope, search)}`}`;

export const actorPageSql = (
  scope: QuestionScope,
  actors: ActorList,
  search: Search | null,
  { limit, offset }: { limit: number; offset: number },
): Sql => sql`
  SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  ${chosen(scope, actors, search)}
  ORDER BY ${actors.order ? sql`${actors.order} DESC, ` : empty}actor
  LIMIT ${unsigned(limit)} OFFSET ${unsigned(offset)}`;

export const actorCountSql = (scope: QuestionScope, actors: ActorList, search: Search | null): Sql =>
  sql`SELECT count() AS total ${chosen(scope, actors, search)}`;

/** The last actor of a step. `rank` is the number by which actors are ordered, as text; missing without an order. */
export interface LastActor {
  readonly actor_id: string;
  readonly rank?: string;
}

const isAfter = (rank: Sql | null, after: LastActor): Sql => {
  const later = sql`actor > ${integer(BigInt(after.actor_id))}`;
  if (rank === null) return later;
  const last = sql`toFloat64(${text(after.rank ?? '')})`;
  return sql`(${rank} < ${last} OR (${rank} = ${last} AND ${later}))`;
};

/** The next actors after another one, in the order of a page, for exports that read all actors with constant memory. */
export const actorsAfterSql = (
  scope: QuestionScope,
  actors: ActorList,
  search: Search | null,
  after: LastActor | null,
  limit: number,
): Sql => {
  // A value that is no number comes last, as in the order of a page.
  const number = actors.order && sql`toFloat64(${actors.order})`;
  const rank = number && sql`if(isNaN(${number}), -inf, ${number})`;
  return sql`
  SELECT toString(actor) AS actor_id, ${rank ? sql`toString(${rank}) AS rank, ` : empty}* EXCEPT (actor)
  FROM (SELECT * ${chosen(scope, actors, search)})
  ${after === null ? empty : sql`WHERE ${isAfter(rank, after)}`}
  ORDER BY ${rank ? sql`${rank} DESC, ` : empty}actor LIMIT ${unsigned(limit)}`;
};

/** The distinct ids of a profile-less actor, and the time of its first event. */
export const profilelessSql = (scope: QuestionScope, actors: readonly string[]): Sql => sql`
  SELECT toString(actor) AS actor_id, arraySort(groupUniqArray(100)(distinct_id)) AS distinct_ids, min(timestamp) AS first_seen
  FROM ${eventsWithActor(scope.projectId, scope)}
  WHERE actor IN ${list(integer, actors.map(BigInt))}
  GROUP BY actor`;
