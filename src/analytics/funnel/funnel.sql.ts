import { type Buckets } from '../../platform/time/range.js';
import {
  type Sql,
  bucketIndex,
  empty,
  integer,
  join,
  list,
  numeral,
  sql,
  text,
  unsigned,
} from '../../platform/clickhouse/sql.js';
import { cohortParts, otherValue, propertyParts } from '../shared/breakdown.js';
import { type QuestionScope } from '../shared/question-scopes.js';
import { actorAttempts } from './attempts.sql.js';
import { type Split } from './events.sql.js';
import { momentOf, type Layout } from './layout.sql.js';
import { type ConversionTimes, type Reached, type Selection } from './selection.js';
import { indexesOf } from './optional-steps.js';

export interface SplitFunnel {
  readonly layout: Layout;
  readonly split: Split | null;
}

const value = (split: Split | null): Sql => (split === null ? empty : sql`, value`);

/** One row for each actor (and value) with at least one attempt. */
const attempts = ({ layout, split }: SplitFunnel, scope: QuestionScope): Sql => {
  const rows = sql`SELECT * FROM (${actorAttempts(layout, split, scope)}) WHERE notEmpty(attempts)`;
  if (split === null) return rows;
  const { breakdown, attribution } = split;
  const turns = layout.definition.orderType === 'unordered' && attribution.type === 'step';
  const limitedRows = limited(turns ? joined(rows) : rows, breakdown.limit);
  return hasOneValue(split, layout) ? limitedRows : joined(limitedRows);
};

/** True if an actor counts for a single value, so that "Other" never stands for several values of one actor. */
const hasOneValue = ({ breakdown, attribution }: Split, { definition }: Layout): boolean =>
  cohortParts(breakdown).length === 0 &&
  (attribution.type === 'first_touch' ||
    attribution.type === 'last_touch' ||
    (definition.aggregate === null && propertyParts(breakdown).every(({ source }) => source === 'person')));

const joined = (rows: Sql): Sql =>
  sql`SELECT actor, value, groupArrayArray(attempts) AS attempts FROM (${rows}) GROUP BY actor, value`;

const other = list(text, otherValue);

/** Keeps the values with the most actors; all others become "Other". An actor with several of the others counts once for "Other". */
const limited = (rows: Sql, limit: number): Sql => {
  const counted = sql`SELECT *, count() OVER (PARTITION BY value) AS actors FROM (${rows})`;
  const ranked = sql`SELECT *, dense_rank() OVER (ORDER BY actors DESC, value) AS place FROM (${counted})`;
  return sql`SELECT actor, if(place <= ${unsigned(limit)}, value, ${other}) AS value, attempts FROM (${ranked})`;
};

/**
 * One row for each actor (and value): the number of steps reached, the attempts that reached them and, with optional steps,
 * `taken`, the bits of those that one of these attempts took.
 */
const best = (funnel: SplitFunnel, scope: QuestionScope): Sql => {
  const { steps, optional } = funnel.layout.definition;
  const bits = sql`arrayReduce('groupBitOr', arrayMap(a -> a.${numeral(steps.length + 2)}, tries)) AS taken`;
  return sql`
    SELECT actor${value(funnel.split)}, reach, arrayFilter(a -> a.1 = reach, attempts) AS tries${optional.length === 0 ? empty : sql`, ${bits}`}
    FROM (SELECT *, arrayMax(a -> a.1, attempts) AS reach FROM (${attempts(funnel, scope)}))`;
};

const took = (optional: number): Sql => sql`bitAnd(taken, ${numeral(2 ** optional)}) > 0`;

const between = (from: number, to: number): Sql =>
  sql`arrayAvg(a -> toInt64(a.${numeral(to + 2)} - a.${numeral(from + 2)}), tries) / 1000`;

export const funnelStepsSql = (funnel: SplitFunnel, scope: QuestionScope): Sql => {
  const { steps, optional } = funnel.layout.definition;
  const counts = join(
    indexesOf({ steps, optional }).map((index) =>
      'required' in index
        ? sql`countIf(reach >= ${numeral(index.required + 1)})`
        : sql`countIf(${took(index.optional)})`,
    ),
  );
  const times = steps.slice(1).map((_, at) => sql`if(reach > ${numeral(at + 1)}, ${between(at, at + 1)}, 0)`);
  const row = sql`
    SELECT reach${value(funnel.split)}${optional.length === 0 ? empty : sql`, taken`}, arrayResize([${join(times)}]::Array(Float64), reach - 1) AS times
    FROM (${best(funnel, scope)})`;
  return sql`
    SELECT ${funnel.split === null ? empty : sql`value, `}[${counts}] AS counts,
      avgForEach(times) AS averages, quantileExactInclusiveForEach(0.5)(times) AS medians
    FROM (${row})
    ${funnel.split === null ? empty : sql`GROUP BY value ORDER BY counts[1] DESC, value`}`;
};

export interface Between {
  readonly from: number;
  readonly to: number;
}

/** One row for each converted actor (and value): the seconds it took, averaged over its best attempts. */
const conversionTimes = (funnel: SplitFunnel, { from, to }: Between, scope: QuestionScope): Sql =>
  sql`SELECT actor${value(funnel.split)}, ${between(from, to)} AS seconds FROM (${best(funnel, scope)}) WHERE reach > ${numeral(to)}`;

export const conversionSpanSql = (funnel: SplitFunnel, steps: Between, scope: QuestionScope): Sql => sql`
  SELECT count() AS persons, min(seconds) AS shortest, max(seconds) AS longest, avg(seconds) AS average
  FROM (${conversionTimes(funnel, steps, scope)})`;

export interface Bins {
  readonly from: number;
  readonly width: number;
  readonly count: number;
}

/** Counts the persons in each bin; the last bin includes its end. */
export const conversionBinsSql = (funnel: SplitFunnel, steps: Between, bins: Bins, scope: QuestionScope): Sql => sql`
  SELECT least(intDiv(toInt64(floor(seconds)) - ${integer(bins.from)}, ${integer(bins.width)}), ${integer(bins.count - 1)}) AS bin,
    count() AS persons
  FROM (${conversionTimes(funnel, steps, scope)})
  GROUP BY bin ORDER BY bin`;

/** The persons behind a bin. Without `to`, the persons at the end of the last bin are included. */
export const convertedActorsSql = (
  funnel: SplitFunnel,
  steps: Between,
  { from, to }: ConversionTimes,
  breakdownValue: readonly string[] | null,
  scope: QuestionScope,
): Sql => sql`
  SELECT actor FROM (${conversionTimes(funnel, steps, scope)})
  WHERE seconds >= ${integer(from)}${to === null ? empty : sql` AND seconds < ${integer(to)}`}${isOfValue(breakdownValue)}`;

/** One row for each interval in which an actor (and value) entered, with the number of steps reached from there. */
const entrances = (funnel: SplitFunnel, buckets: Buckets, scope: QuestionScope): Sql => {
  const entered = momentOf(funnel.layout, sql`a.2`);
  return sql`
    SELECT actor${value(funnel.split)}, toInt64(${bucketIndex(buckets, entered)}) AS bucket, max(a.1) AS reach
    FROM (${attempts(funnel, scope)}) ARRAY JOIN attempts AS a
    GROUP BY actor${value(funnel.split)}, bucket`;
};

export const funnelTrendsSql = (
  funnel: SplitFunnel,
  buckets: Buckets,
  { from, to }: Between,
  scope: QuestionScope,
): Sql => sql`
  SELECT bucket${value(funnel.split)}, countIf(reach > ${numeral(from)}) AS reached_from, countIf(reach > ${numeral(to)}) AS reached_to
  FROM (${entrances(funnel, buckets, scope)})
  GROUP BY bucket${value(funnel.split)} ORDER BY bucket${value(funnel.split)}`;

const isOfValue = (breakdownValue: readonly string[] | null): Sql =>
  breakdownValue === null ? empty : sql` AND value = ${list(text, breakdownValue)}`;

const hasReached = (reached: Reached): Sql =>
  'atLeast' in reached ? sql`reach >= ${unsigned(reached.atLeast)}` : sql`reach IN ${list(unsigned, reached.exactly)}`;

/** The persons behind a step, optionally of one breakdown value. */
export const funnelActorsSql = (
  funnel: SplitFunnel,
  { reached, optional, value: breakdownValue }: Pick<Selection, 'reached' | 'optional' | 'value'>,
  scope: QuestionScope,
): Sql => {
  const reaches = sql`SELECT actor${value(funnel.split)}, arrayMax(a -> a.1, attempts) AS reach FROM (${attempts(funnel, scope)})`;
  const tookIt = optional && (optional.isTaken ? sql` AND ${took(optional.at)}` : sql` AND NOT (${took(optional.at)})`);
  return sql`
    SELECT actor FROM (${optional === null ? reaches : best(funnel, scope)})
    WHERE ${hasReached(reached)}${tookIt ?? empty}${isOfValue(breakdownValue)}`;
};

export interface Entrance {
  readonly bucket: number;
  readonly dropOff: boolean;
}

/** The persons behind a point of a trend. */
export const enteredActorsSql = (
  funnel: SplitFunnel,
  buckets: Buckets,
  { from, to, bucket, dropOff }: Between & Entrance,
  breakdownValue: readonly string[] | null,
  scope: QuestionScope,
): Sql => sql`
  SELECT actor FROM (${entrances(funnel, buckets, scope)})
  WHERE bucket = ${integer(bucket)} AND reach > ${numeral(from)}
    AND ${dropOff ? sql`reach <= ${numeral(to)}` : sql`reach > ${numeral(to)}`}${isOfValue(breakdownValue)}`;

/** One row for each actor: whether it took all steps, and when its first best attempt began and ended, or could have ended. */
export const journeysSql = (layout: Layout, scope: QuestionScope): Sql => {
  const last = layout.definition.steps.length;
  return sql`
    SELECT actor, reach = ${numeral(last)} AS converted, try.2 AS began,
      if(converted, try.${numeral(last + 1)}, try.2 + ${layout.window}) AS ended
    FROM (SELECT actor, reach, tries[1] AS try FROM (${best({ layout, split: null }, scope)}))`;
};
