import { type TimeRange } from '../../platform/time/range.js';
import { filterSql } from '../../filters/compile/compile.sql.js';
import { everything } from '../../filters/reading/filter.js';
import {
  type Sql,
  bucketIndex,
  empty,
  instant,
  join,
  list,
  sql,
  text,
  unsigned,
} from '../../platform/clickhouse/sql.js';
import { type Entity, areNamesOnly, eventNames, matchesEntity } from '../shared/entity.js';
import { intervalSet } from '../shared/interval-set.sql.js';
import { eventSource, questionFilterScope, type QuestionScope } from '../shared/question-scopes.js';
import { cellsInRow } from './cells.js';
import { type RetentionQuery } from './retention.query.js';
import { earliestStorable } from '../../platform/time/dates.js';

/** Each actor with the intervals in which it began and the intervals in which it was seen again. */
const presence = (q: RetentionQuery, scope: QuestionScope): Sql => {
  const { buckets } = q;
  const [from = buckets.end] = buckets.starts;
  const events = eventsOf(q, scope, { from, to: new Date(buckets.end.getTime() - 1) });
  return q.minimumOccurrences > 1 ? oftenEnough(q, events, from) : everyTime(q, events, from);
};

/** The events that count, and whether each is a target event or a returning event. */
const eventsOf = (q: RetentionQuery, scope: QuestionScope, { from, to }: TimeRange): Sql => {
  const { target, returning, filter, start: beginning } = q;
  const isEver = beginning === 'first_ever_occurrence';
  const rows = eventSource(scope, {
    range: beginning === 'recurring' ? { from, to } : { from: earliestStorable, to },
    names: eventNames([target, returning]),
    // The first event of a name counts even if it fails the filters.
    filter: isEver ? everything : filter,
  });
  const passes = (entity: Entity): Sql =>
    isEver
      ? sql`(${matchesEntity(entity, scope)} AND ${filterSql(filter, questionFilterScope(scope))})`
      : matchesEntity(entity, scope);
  const isNamed = isEver ? sql`, ${hasNameOf(target)} AS is_named` : empty;
  return sql`
    SELECT ${rows.actor} AS actor, e.timestamp AS at, ${passes(target)} AS is_target, ${passes(returning)} AS is_returning${isNamed}
    FROM ${rows.from} WHERE ${rows.where}${relevant(q, from)}`;
};

/** True if the event has a name of the entity, whatever its filters. */
const hasNameOf = (entity: Entity): Sql => {
  const names = eventNames([entity]);
  return names === null ? sql`true` : sql`(e.event IN (${join(names.map((name) => text(name)))}))`;
};

const relevant = ({ target, returning, start: beginning }: RetentionQuery, from: Date): Sql => {
  const begins = { recurring: null, first_time: sql`is_target`, first_ever_occurrence: sql`is_named` }[beginning];
  if (begins !== null) return sql` AND (${begins} OR (is_returning AND e.timestamp >= ${instant(from)}))`;
  return areNamesOnly([target, returning]) ? empty : sql` AND (is_target OR is_returning)`;
};

/** True if the target entity and the returning entity are the same. */
const isSame = ({ target, returning }: RetentionQuery): boolean =>
  JSON.stringify(target.parts) === JSON.stringify(returning.parts);

const everyTime = (q: RetentionQuery, events: Sql, from: Date): Sql => {
  const set = intervalSet(q.buckets.starts.length);
  const index = bucketIndex(q.buckets, sql`at`);
  if (q.start === 'recurring' && isSame(q))
    return sql`SELECT actor, ${set.gather(index, null)} AS begun, begun AS seen FROM (${events}) GROUP BY actor`;
  const isFirst = q.start === 'first_time' ? empty : sql` AND minIf(at, is_target) = minIf(at, is_named)`;
  const [started, seen] =
    q.start === 'recurring'
      ? [set.gather(index, sql`is_target`), set.gather(index, sql`is_returning`)]
      : [
          firstOnly(q, sql`minIf(at, is_target)`, sql`countIf(is_target) > 0${isFirst}`, from),
          set.gather(index, sql`is_returning AND at >= ${instant(from)}`),
        ];
  return sql`SELECT actor, ${started} AS begun, ${seen} AS seen FROM (${events}) GROUP BY actor`;
};

const oftenEnough = (q: RetentionQuery, events: Sql, from: Date): Sql => {
  const set = intervalSet(q.buckets.starts.length);
  const enough = unsigned(q.minimumOccurrences);
  const isIn = sql`at >= ${instant(from)}`;
  const index = sql`if(${isIn}, ${bucketIndex(q.buckets, sql`at`)}, -1)`;
  const isEver = q.start === 'first_ever_occurrence';
  const isFirst = isEver ? sql` AND min(first_target) = min(first_named)` : empty;
  const started =
    q.start === 'recurring'
      ? set.gather(sql`place`, sql`targets > 0`)
      : firstOnly(q, sql`min(first_target)`, sql`sum(targets) > 0${isFirst}`, from);
  return sql`
    SELECT actor, ${started} AS begun, ${set.gather(sql`place`, sql`place >= 0 AND returns >= ${enough}`)} AS seen
    FROM (
      SELECT actor, ${index} AS place, countIf(is_target) AS targets, countIf(is_returning) AS returns,
        minOrNullIf(at, is_target) AS first_target${isEver ? sql`, minOrNullIf(at, is_named) AS first_named` : empty}
      FROM (${events}) GROUP BY actor, place)
    GROUP BY actor`;
};

/** A set with the interval of the first time, or an empty set if the first time is before the intervals. */
const firstOnly = ({ buckets }: RetentionQuery, first: Sql, exists: Sql, from: Date): Sql => {
  const index = bucketIndex(buckets, sql`assumeNotNull(${first})`);
  const isIn = sql`${exists} AND assumeNotNull(${first}) >= ${instant(from)}`;
  return buckets.starts.length <= 64
    ? sql`if(${isIn}, bitShiftLeft(toUInt64(1), toUInt8(${index})), 0)`
    : sql`if(${isIn}, [toUInt32(${index})], [])`;
};

/** True if an actor that started at `start` counts in the cell at the index `later` of its row. */
const isRetained = (q: RetentionQuery, start: Sql, later: Sql): Sql => {
  const { has } = intervalSet(q.buckets.starts.length);
  const seen =
    q.cumulative || q.brackets
      ? sql`arrayExists(place -> ${has(sql`seen`, sql`place`)}, ${intervalsOfCell(q, start, later)})`
      : has(sql`seen`, sql`(${start} + ${later})`);
  return sql`(${later} = 0 OR ${seen})`;
};

/** The indexes of the intervals that a cell counts; cumulative: those of all later cells, too. */
const intervalsOfCell = ({ buckets, cells, cumulative }: RetentionQuery, start: Sql, later: Sql): Sql => {
  const firsts = cells.map(({ first }) => first);
  const ends = cells.map(({ last }) => (cumulative ? (cells.at(-1)?.last ?? 0) : last) + 1);
  const at = (of: readonly number[]): Sql => sql`(${start} + ${list(unsigned, of)}[${later} + 1])`;
  return sql`range(toUInt32(${at(firsts)}), toUInt32(least(${at(ends)}, ${unsigned(buckets.starts.length)})))`;
};

/** The indexes of the cells in which an actor that began at `start` counts. */
const cellsAfterStart = (q: RetentionQuery): Sql => {
  const { buckets, cells, brackets, cumulative } = q;
  const count = buckets.starts.length;
  if (brackets !== null)
    return sql`arrayFilter(cell -> ${isRetained(q, sql`start`, sql`cell`)}, range(${unsigned(cells.length)}))`;
  const indexes = intervalSet(count).indexes(sql`seen`);
  if (cumulative) return sql`range(toUInt32(greatest(1, toInt64(arrayMax(${indexes})) + 1 - start)))`;
  return count <= 64
    ? sql`bitPositionsToArray(bitOr(bitShiftRight(seen, start), 1))`
    : sql`arrayConcat([0], arrayMap(place -> place - start, arrayFilter(place -> place > start, seen)))`;
};

export const retentionSql = (q: RetentionQuery, scope: QuestionScope): Sql => {
  const { indexes } = intervalSet(q.buckets.starts.length);
  return sql`
    SELECT toUInt32(start) AS start, toUInt32(later) AS later, sum(actors) AS actors
    FROM (
      SELECT start, actors, arrayJoin(${cellsAfterStart(q)}) AS later
      FROM (
        SELECT arrayJoin(${indexes(sql`begun`)}) AS start, seen, actors
        FROM (SELECT begun, seen, count() AS actors FROM (${presence(q, scope)}) GROUP BY begun, seen)))
    GROUP BY start, later`;
};

/** The persons of the selected cell, with a 1 for each cell of its row in which they count. */
export const retentionActorsSql = (q: RetentionQuery, scope: QuestionScope): Sql => {
  const start = unsigned(q.selectedInterval);
  const later = unsigned(cellsInRow(q, q.selectedInterval));
  const isOfCell =
    q.returnInterval === 0 ? empty : sql` AND ${isRetained(q, sql`${start}`, sql`${unsigned(q.returnInterval)}`)}`;
  const { has } = intervalSet(q.buckets.starts.length);
  return sql`
    SELECT actor, arrayMap(later -> toUInt8(${isRetained(q, sql`${start}`, sql`later`)}), range(${later})) AS appearances
    FROM (${presence(q, scope)})
    WHERE ${has(sql`begun`, sql`${start}`)}${isOfCell}`;
};

export const mostAppearances: Sql = sql`arraySum(appearances)`;
