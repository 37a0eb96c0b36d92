import { type Buckets } from '../../common/time/range.js';
import { eventsWithActor } from '../../projection/actors.sql.js';
import { empty, join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { instant, integer, text, unsigned } from '../../stores/clickhouse/values.js';
import { bucketIndex } from '../asking/buckets.sql.js';
import { eventNames } from '../asking/entity.js';
import { matchesEntity } from '../asking/entity.sql.js';
import { intervalSet } from '../asking/interval-set.sql.js';
import { eventRows, type QuestionScope } from '../asking/question-scope.js';
import { type LifecycleQuery, type State } from './lifecycle.query.js';

/** The points asked for with the one before the first in front of them: being dormant is about what was before. */
export interface LifecycleAxis {
  readonly points: Buckets;
  readonly withBefore: Buckets;
  /** Whether the project has actors without a person; when they came is known by their events only. */
  readonly hasPersonless: boolean;
}

type Asked = Pick<LifecycleQuery, 'entity' | 'filter'>;

/** Every actor with the places of `withBefore` it was active in, and the place it came to be in; 0 for none of the points. */
const lives = (q: Asked, { points, withBefore, hasPersonless }: LifecycleAxis, scope: QuestionScope): Sql => {
  const [first = withBefore.end] = withBefore.starts;
  const range = { from: first, to: new Date(withBefore.end.getTime() - 1) };
  const { from, where, actor } = eventRows(scope, { range, names: eventNames([q.entity]), filter: q.filter });
  const set = intervalSet(withBefore.starts.length);
  const active = set.gather(bucketIndex(withBefore, sql`e.timestamp`), matchesEntity(q.entity, scope));
  const created = hasPersonless ? sql`if(a.actor < 0, n.first_seen, p.created_at)` : sql`p.created_at`;
  const [start = withBefore.end] = points.starts;
  return sql`
    SELECT a.actor AS actor, a.active AS active,
      if(${created} >= ${instant(start)} AND ${created} < ${instant(points.end)}, ${bucketIndex(withBefore, created)}, 0) AS born
    FROM (SELECT ${actor} AS actor, ${active} AS active FROM ${from} WHERE ${where} GROUP BY actor) AS a
    GLOBAL ANY LEFT JOIN (
      SELECT id, created_at FROM persons FINAL WHERE project_id = ${unsigned(scope.projectId)}
    ) AS p ON p.id = a.actor${hasPersonless ? firstSeen(scope) : empty}`;
};

const firstSeen = (scope: QuestionScope): Sql => sql`
    GLOBAL ANY LEFT JOIN (
      SELECT actor, min(timestamp) AS first_seen FROM ${eventsWithActor(scope.projectId, scope)} WHERE actor < 0 GROUP BY actor
    ) AS n ON n.actor = a.actor`;

/** At the place `at` of the points, which is `at + 1` with the one before. */
const stateAt = ({ withBefore }: LifecycleAxis, at: Sql): Sql => {
  const { has } = intervalSet(withBefore.starts.length);
  const now = has(sql`active`, sql`(${at} + 1)`);
  const before = has(sql`active`, at);
  const named = (state: State) => text(state);
  return sql`multiIf(
    ${now} AND born = ${at} + 1, ${named('new')}, ${now} AND ${before}, ${named('returning')},
    ${now}, ${named('resurrecting')}, ${before}, ${named('dormant')}, '')`;
};

export const lifecycleSql = (q: Asked, axis: LifecycleAxis, scope: QuestionScope): Sql => sql`
  SELECT toUInt32(at) AS at, state, sum(actors) AS actors
  FROM (
    SELECT arrayJoin(range(${unsigned(axis.points.starts.length)})) AS at, ${stateAt(axis, sql`at`)} AS state, actors
    FROM (SELECT active, born, count() AS actors FROM (${lives(q, axis, scope)}) GROUP BY active, born))
  WHERE state != ''
  GROUP BY at, state`;

export interface LifecycleSelection {
  readonly state: State | null;
  readonly place: number | null;
}

export const lifecycleActorsSql = (
  q: Asked,
  axis: LifecycleAxis,
  { state, place }: LifecycleSelection,
  scope: QuestionScope,
): Sql => {
  const wanted = (found: Sql) => (state === null ? sql`${found} != ''` : sql`${found} = ${text(state)}`);
  const condition =
    place === null
      ? sql`arrayExists(at -> ${wanted(stateAt(axis, sql`at`))}, range(${unsigned(axis.points.starts.length)}))`
      : wanted(stateAt(axis, sql`${integer(place)}`));
  return sql`SELECT actor FROM (${lives(q, axis, scope)}) WHERE ${condition}`;
};

export const anyPersonlessSql = ({ projectId, overridden }: QuestionScope): Sql => {
  const project = unsigned(projectId);
  const tables = [sql`events`, ...(overridden ? [sql`distinct_id_overrides`] : [])];
  const found = tables.map(
    (table) => sql`(SELECT 1 AS found FROM ${table} WHERE project_id = ${project} AND actor < 0 LIMIT 1)`,
  );
  return join(found, sql` UNION ALL `);
};
