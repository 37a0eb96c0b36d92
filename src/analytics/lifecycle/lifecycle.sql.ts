import { type Buckets } from '../../platform/time/range.js';
import { eventsWithActor } from '../../kernel/projection/actors.sql.js';
import {
  type Sql,
  bucketIndex,
  empty,
  instant,
  integer,
  join,
  list,
  sql,
  text,
  unsigned,
} from '../../platform/clickhouse/sql.js';
import { eventNames, matchesAny } from '../shared/entity.js';
import { intervalSet } from '../shared/interval-set.sql.js';
import { eventSource, type QuestionScope } from '../shared/question-scopes.js';
import { type LifecycleQuery, type State } from './lifecycle.query.js';

/**
 * The points of the question, and `withBefore`, which has one more point in front, because the state at the first point
 * depends on the point before it.
 */
export interface LifecycleAxis {
  readonly points: Buckets;
  readonly withBefore: Buckets;
  /** True if the project has profile-less actors, whose time of creation is the time of their first event. */
  readonly hasProfileless: boolean;
}

type ActivityQuery = Pick<LifecycleQuery, 'entity' | 'filter'>;

/**
 * Every actor with the buckets of `withBefore` in which it was active, and the bucket in which it was created, counted from 1;
 * 0 if it was not created within the points.
 */
const lives = (q: ActivityQuery, { points, withBefore, hasProfileless }: LifecycleAxis, scope: QuestionScope): Sql => {
  const [first = withBefore.end] = withBefore.starts;
  const range = { from: first, to: new Date(withBefore.end.getTime() - 1) };
  const { from, where, actor } = eventSource(scope, { range, names: eventNames([q.entity]), filter: q.filter });
  const set = intervalSet(withBefore.starts.length);
  const active = set.gather(bucketIndex(withBefore, sql`e.timestamp`), matchesAny([q.entity], scope));
  const creationOf = (moment: Sql): Creation => {
    const [start = withBefore.end] = points.starts;
    return {
      born: sql`toUInt16(${bucketIndex(withBefore, moment)})`,
      isInRange: sql`${moment} >= ${instant(start)} AND ${moment} < ${instant(points.end)}`,
    };
  };
  const byPerson = creationOf(sql`created_at`);
  return sql`
    SELECT a.actor AS actor, a.active AS active, ${hasProfileless ? sql`if(a.actor < 0, n.born, p.born)` : sql`p.born`} AS born
    FROM (SELECT ${actor} AS actor, ${active} AS active FROM ${from} WHERE ${where} GROUP BY actor) AS a
    GLOBAL ANY LEFT JOIN (
      SELECT ${scope.groupType === null ? sql`id` : sql`actor`} AS id, ${byPerson.born} AS born
      FROM ${scope.groupType === null ? sql`persons` : sql`groups`} FINAL
      WHERE project_id = ${unsigned(scope.projectId)} AND ${byPerson.isInRange}
    ) AS p ON p.id = a.actor${hasProfileless ? profileless(creationOf(sql`first_seen`), scope) : empty}`;
};

interface Creation {
  readonly born: Sql;
  readonly isInRange: Sql;
}

const profileless = ({ born, isInRange }: Creation, scope: QuestionScope): Sql => sql`
    GLOBAL ANY LEFT JOIN (
      SELECT actor, ${born} AS born
      FROM (SELECT actor, min(timestamp) AS first_seen FROM ${eventsWithActor(scope.projectId, scope)} WHERE actor < 0 GROUP BY actor)
      WHERE ${isInRange}
    ) AS n ON n.actor = a.actor`;

/** The state at the index `at` of the points, which is the index `at + 1` of `withBefore`. */
const stateAt = ({ withBefore }: LifecycleAxis, at: Sql): Sql => {
  const { has } = intervalSet(withBefore.starts.length);
  const now = has(sql`active`, sql`(${at} + 1)`);
  const before = has(sql`active`, at);
  const named = (state: State) => text(state);
  return sql`multiIf(
    ${now} AND born = ${at} + 1, ${named('new')}, ${now} AND ${before}, ${named('returning')},
    ${now}, ${named('resurrecting')}, ${before}, ${named('dormant')}, '')`;
};

/**
 * The states of an actor, each with the index of its point. Only the buckets in which the actor was active are visited,
 * because they are few.
 */
const statesOf = ({ points, withBefore }: LifecycleAxis): Sql => {
  const { has, indexes } = intervalSet(withBefore.starts.length);
  const set = indexes(sql`active`);
  const alive = sql`multiIf(place = born, 0, ${has(sql`active`, sql`(place - 1)`)}, 1, 2)`;
  const goes = sql`place < ${unsigned(points.starts.length)} AND NOT ${has(sql`active`, sql`(place + 1)`)}`;
  return sql`arrayConcat(
    arrayMap(place -> (toUInt16(place - 1), ${alive}), arrayFilter(place -> place > 0, ${set})),
    arrayMap(place -> (toUInt16(place), 3), arrayFilter(place -> ${goes}, ${set})))`;
};

const named = list(text, ['new', 'returning', 'resurrecting', 'dormant'] satisfies State[]);

export const lifecycleSql = (q: ActivityQuery, axis: LifecycleAxis, scope: QuestionScope): Sql => sql`
  SELECT found.1 AS at, ${named}[found.2 + 1] AS state, actors
  FROM (
    SELECT arrayJoin(${statesOf(axis)}) AS found, sum(lives) AS actors
    FROM (SELECT active, born, count() AS lives FROM (${lives(q, axis, scope)}) GROUP BY active, born)
    GROUP BY found)`;

export interface LifecycleSelection {
  readonly state: State | null;
  readonly bucket: number | null;
}

export const lifecycleActorsSql = (
  q: ActivityQuery,
  axis: LifecycleAxis,
  { state, bucket }: LifecycleSelection,
  scope: QuestionScope,
): Sql => {
  const isSelected = (value: Sql) => (state === null ? sql`${value} != ''` : sql`${value} = ${text(state)}`);
  const condition =
    bucket === null
      ? sql`arrayExists(at -> ${isSelected(stateAt(axis, sql`at`))}, range(${unsigned(axis.points.starts.length)}))`
      : isSelected(stateAt(axis, sql`${integer(bucket)}`));
  return sql`SELECT actor FROM (${lives(q, axis, scope)}) WHERE ${condition}`;
};

export const anyProfilelessSql = ({ projectId, overridden }: QuestionScope): Sql => {
  const project = unsigned(projectId);
  const tables = [sql`events`, ...(overridden ? [sql`distinct_id_overrides`] : [])];
  const value = tables.map(
    (table) => sql`(SELECT 1 AS found FROM ${table} WHERE project_id = ${project} AND actor < 0 LIMIT 1)`,
  );
  return join(value, sql` UNION ALL `);
};
