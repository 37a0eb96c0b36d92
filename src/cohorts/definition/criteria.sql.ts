import {
  type CohortMemberships,
  type FilterScope,
  eventScope,
  groupOfType,
} from '../../filters/compile/compile.sql.js';
import { type EventMatch, namesOfMatches } from '../../filters/reading/filter.js';
import { matchesEvent } from '../../filters/compile/event-match.sql.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Buckets } from '../../platform/time/range.js';
import { earliestStorable, readDate, storable } from '../../platform/time/dates.js';
import { endOfDay, startOfDay } from '../../platform/time/intervals.js';
import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import {
  type Sql,
  bucketIndex,
  empty,
  identifier,
  instant,
  integer,
  join,
  sql,
  text,
  unsigned,
} from '../../platform/clickhouse/sql.js';
import { type Behaviour, type CountComparison, type Occurrence, type Window } from './definition.js';
import { startOfSpan, periodsBack, secondsOf } from './span.js';
import { type TimeRange } from '../../platform/time/range.js';

/** The circumstances of an evaluation: the meaning of a definition depends on the time and on the project. */
export interface CalculationScope {
  readonly project: ProjectContext;
  readonly now: Date;
  readonly overridden: boolean;
  readonly cohorts: CohortMemberships;
  /** The index of the type of the groups that are the members; null: they are persons. */
  readonly groupType: number | null;
}

export const windowRange = (window: Window, { now, project }: CalculationScope): TimeRange => {
  if (window.kind === 'last') return { from: storable(startOfSpan(window.span, now, project)), to: now };
  const from = readDate(window.from, now, project);
  const to = window.to === null ? null : readDate(window.to, now, project);
  const begin =
    from === null ? earliestStorable : (from.precision === 'day' ? startOfDay(from.at) : from.at).toJSDate();
  const end = to === null ? now : (to.precision === 'day' ? endOfDay(to.at) : to.at).toJSDate();
  // A relative date may be too long ago to be stored.
  return { from: storable(begin), to: storable(end) };
};

const filterScope = ({ project, now, overridden, cohorts }: CalculationScope): FilterScope =>
  eventScope({ projectId: project.id, now, timezone: project.timezone, actor: resolvedActor({ overridden }), cohorts });

const matches = (of: Occurrence, scope: CalculationScope): Sql => matchesEvent(of.matches, filterScope(scope));

/** Restricts the events to the names in the definition. Without a restriction if one part accepts any name. */
const named = (all: readonly EventMatch[]): Sql => {
  const names = namesOfMatches(all);
  return names === null ? empty : sql` AND e.event IN (${join(names.map((name) => text(name)))})`;
};

const between = ({ from, to }: TimeRange): Sql =>
  sql`e.timestamp >= ${instant(from)} AND e.timestamp <= ${instant(to)}`;

const count = (of: Occurrence, bounds: TimeRange, scope: CalculationScope): Sql =>
  sql`countIf(${matches(of, scope)} AND ${between(bounds)})`;

/** Counts as `dau` does: persons, and each distinct id without one. */
const personsWhoDid = (of: Occurrence, bounds: TimeRange, scope: CalculationScope): Sql =>
  sql`uniqExactIf(${resolvedActor(scope)}, ${matches(of, scope)} AND ${between(bounds)})`;

const comparison = (value: Sql, { operator, value: threshold }: CountComparison): Sql => {
  const number = unsigned(threshold);
  const compared = {
    eq: sql`${value} = ${number}`,
    exact: sql`${value} = ${number}`,
    gt: sql`${value} > ${number}`,
    gte: sql`${value} >= ${number}`,
    lt: sql`${value} < ${number}`,
    lte: sql`${value} <= ${number}`,
  }[operator];
  // Actors without any such event do not meet "at most n times".
  return sql`(${value} > 0 AND ${compared})`;
};

/** Returns the range before the recent part of the window, the range of the recent part, and the start of the window. */
const recentBounds = (b: Extract<Behaviour, { recent: unknown }>, scope: CalculationScope) => {
  const whole = windowRange(b.window, scope);
  const since = storable(startOfSpan(b.recent, scope.now, scope.project));
  const just = storable(new Date(since.getTime() - 1));
  return { before: { from: whole.from, to: just }, recent: { from: since, to: whole.to }, start: whole.from };
};

type Regularly = Extract<Behaviour, { did: 'performed_event_regularly' }>;

/**
 * Returns the starts of the periods and the end of the last one. A period excludes its first instant and includes its last.
 * Instants are whole milliseconds, so each bucket starts one millisecond later. Periods before any possible event become empty
 * and are left out.
 */
const periodsOf = (b: Regularly, { now, project }: CalculationScope): Pick<Buckets, 'starts' | 'end'> => {
  const edges = periodsBack(b.period, b.totalPeriods, now, project).map((edge) => storable(edge).getTime() + 1);
  const starts = [...new Set(edges)].map((edge) => new Date(edge));
  return { starts: starts.slice(0, -1), end: starts.at(-1) ?? now };
};

/**
 * Counts the events, or the persons who did them, of each period that has any, as an array, so that the work does not grow with
 * the number of periods.
 */
const countsByPeriod = (
  { of, countOf }: Regularly,
  periods: Pick<Buckets, 'starts' | 'end'>,
  scope: CalculationScope,
) => {
  const [start = periods.end] = periods.starts;
  const isWithin = sql`e.timestamp >= ${instant(start)} AND e.timestamp < ${instant(periods.end)}`;
  const index = sql`toUInt16(${bucketIndex(periods, sql`e.timestamp`)})`;
  const counts = sql`${matches(of, scope)} AND ${isWithin}`;
  return countOf === 'persons'
    ? sql`mapValues(uniqExactMapIf(map(${index}, ${resolvedActor(scope)}), ${counts}))`
    : sql`sumMapIf([${index}], [toUInt64(1)], ${counts}).2`;
};

/** The values to calculate from an actor's events, by name, and the condition that the criterion puts on them. */
export interface EventAggregate {
  readonly values: readonly (readonly [string, Sql])[];
  readonly holds: (value: (name: string) => Sql) => Sql;
  /** No event before this time matters. */
  readonly since: Date;
}

/** Returns the aggregates over the events of a person or a group that a criterion needs. */
export const aggregateOf = (
  b: Exclude<Behaviour, { did: 'performed_event_sequence' }>,
  scope: CalculationScope,
): EventAggregate => {
  switch (b.did) {
    case 'performed_event': {
      const bounds = windowRange(b.window, scope);
      return {
        values: [['times', count(b.of, bounds, scope)]],
        holds: (v) => sql`${v('times')} > 0`,
        since: bounds.from,
      };
    }
    case 'performed_event_multiple': {
      const bounds = windowRange(b.window, scope);
      const name = b.countOf === 'persons' ? 'persons' : 'times';
      const value = b.countOf === 'persons' ? personsWhoDid(b.of, bounds, scope) : count(b.of, bounds, scope);
      return { values: [[name, value]], holds: (v) => comparison(v(name), b.times), since: bounds.from };
    }
    case 'performed_event_first_time': {
      const bounds = windowRange(b.window, scope);
      const none = instant(new Date(0));
      return {
        values: [
          ['times', sql`countIf(${matches(b.of, scope)})`],
          ['first', sql`minIf(e.timestamp, ${matches(b.of, scope)})`],
        ],
        holds: (v) =>
          sql`(${v('times')} > 0 AND ifNull(${v('first')}, ${none}) >= ${instant(bounds.from)}
            AND ifNull(${v('first')}, ${none}) <= ${instant(bounds.to)})`,
        since: earliestStorable,
      };
    }
    case 'performed_event_regularly': {
      const periods = periodsOf(b, scope);
      return {
        values: [
          ['periods', sql`arrayCount(n -> ${comparison(sql`n`, b.times)}, ${countsByPeriod(b, periods, scope)})`],
        ],
        holds: (v) => sql`${v('periods')} >= ${unsigned(b.minPeriods)}`,
        since: periods.starts[0] ?? scope.now,
      };
    }
    case 'stopped_performing_event': {
      const { before, recent } = recentBounds(b, scope);
      return {
        values: [
          ['before', count(b.of, before, scope)],
          ['recently', count(b.of, recent, scope)],
        ],
        holds: (v) => sql`(${v('before')} > 0 AND ${v('recently')} = 0)`,
        since: before.from,
      };
    }
    case 'restarted_performing_event': {
      const { before, recent, start } = recentBounds(b, scope);
      return {
        values: [
          ['long_ago', sql`countIf(${matches(b.of, scope)} AND e.timestamp < ${instant(start)})`],
          ['before', count(b.of, before, scope)],
          ['recently', count(b.of, recent, scope)],
        ],
        holds: (v) => sql`(${v('long_ago')} > 0 AND ${v('before')} = 0 AND ${v('recently')} > 0)`,
        since: earliestStorable,
      };
    }
  }
};

export const columnOf = (at: number, name: string): Sql => identifier(`c${at}_${name}`);

/** The expression of whom a criterion is about, the person or the group of an event, and the condition that there is one. */
export const doerOf = ({ groupType }: Pick<Behaviour, 'groupType'>, scope: CalculationScope) =>
  groupType === null
    ? { actor: resolvedActor(scope), named: empty }
    : { actor: groupOfType(sql`e.groups`, groupType), named: sql` AND mapContains(e.groups, ${unsigned(groupType)})` };

/**
 * Selects the persons or groups who did one thing and then, within some time, another. Each event is compared with the last
 * event strictly before it, so one event never counts as both.
 */
export const sequenceSql = (
  b: Extract<Behaviour, { did: 'performed_event_sequence' }>,
  scope: CalculationScope,
): Sql => {
  const bounds = windowRange(b.window, scope);
  const within = integer(secondsOf(b.within) * 1000);
  const doer = doerOf(b, scope);
  return sql`
    SELECT DISTINCT actor FROM (
      SELECT actor, is_then, at,
        max(if(is_first, at, NULL)) OVER (PARTITION BY actor ORDER BY at RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last_first
      FROM (
        SELECT ${doer.actor} AS actor, toInt64(toUnixTimestamp64Milli(e.timestamp)) AS at,
          ${matches(b.of, scope)} AS is_first, ${matches(b.then, scope)} AS is_then
        FROM ${eventsFrom(scope.project.id, scope)}
        WHERE ${eventsOfProject(scope.project.id)}${named([...b.of.matches, ...b.then.matches])} AND ${between(bounds)}${doer.named} AND (is_first OR is_then)))
    WHERE is_then AND last_first IS NOT NULL AND at - assumeNotNull(last_first) <= ${within}`;
};

/** True for the person `p` if one of its events names one of the groups of a type. */
export const belongsTo = (groupType: number, groups: Sql, scope: CalculationScope): Sql => sql`p.id GLOBAL IN (
    SELECT ${resolvedActor(scope)} FROM ${eventsFrom(scope.project.id, scope)}
    WHERE ${eventsOfProject(scope.project.id)} AND ${groupOfType(sql`e.groups`, groupType)} GLOBAL IN (${groups}))`;

/** Reads the events once for all criteria that aggregates can decide. */
export const aggregatesSql = (
  aggregates: readonly (readonly [number, Behaviour, EventAggregate])[],
  scope: CalculationScope,
  only: Sql = empty,
  groupType: number | null = null,
): Sql => {
  const doer = doerOf({ groupType }, scope);
  const columns = aggregates.flatMap(([at, , { values }]) =>
    values.map(([name, value]) => sql`${value} AS ${columnOf(at, name)}`),
  );
  const since = new Date(Math.min(...aggregates.map(([, , aggregate]) => aggregate.since.getTime())));
  return sql`
    SELECT ${doer.actor} AS actor, ${join(columns)}
    FROM ${eventsFrom(scope.project.id, scope)}
    WHERE ${eventsOfProject(scope.project.id)}${named(aggregates.flatMap(([, { of }]) => of.matches))} AND e.timestamp >= ${instant(since)}${only}${doer.named}
    GROUP BY actor`;
};
