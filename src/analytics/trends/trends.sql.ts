import { type Sql, bucketIndex, empty, identifier, integer, join, list, sql } from '../../platform/clickhouse/sql.js';
import { matchesEntity } from '../shared/entity.js';
import { numberUnder } from '../shared/number.sql.js';
import { aggregateSql } from './aggregate.sql.js';
import { hasRowsOfCohorts, keyOfEvent, keyOfFirst, positionSql } from './breakdown.sql.js';
import { type Aggregate } from './trends.parameters.js';
import { type Pieces, type TrendsAxis } from './trends.axis.js';
import { type TrendsSeries } from './trends.query.js';
import { firstTime, firstTimesWithCohorts, rowsOfSeries, type TrendsContext } from './trends.rows.sql.js';
import { type TrendsValues } from './trends.values.js';

export interface TrendsNumbers extends TrendsContext {
  readonly values: TrendsValues;
}

interface Column {
  readonly name: Sql;
  readonly of: Sql;
}

const cell = (at: number): Sql => identifier(`n${at}`);

/** The columns by which rows are grouped; none for a single number. */
const columns = (at: Sql | null, place: Sql | null): Column[] => [
  ...(at ? [{ name: sql`at`, of: sql`toUInt16(${at})` }] : []),
  ...(place ? [{ name: sql`place`, of: place }] : []),
];

const selected = (of: readonly Column[]): Sql => join(of.map((column) => sql`${column.of} AS ${column.name}`));

const grouped = (by: readonly Column[]): Sql =>
  by.length === 0 ? empty : sql` GROUP BY ${join(by.map(({ name }) => name))}`;

const pointOf = ({ display, buckets }: TrendsAxis, timestamp: Sql): Sql | null =>
  display === 'total' ? null : bucketIndex(buckets, timestamp);

/** The numbers of events and persons, and aggregates of properties: `n0`, `n1`, … for each point and breakdown value. */
export const eventNumbersSql = (context: TrendsNumbers, series: readonly TrendsSeries[], axis: TrendsAxis): Sql => {
  const { from, where, actor } = rowsOfSeries(context, series, axis.events);
  const by = columns(
    pointOf(axis, sql`e.timestamp`),
    positionSql(context.values, keyOfEvent(context.breakdown), sql`e.timestamp`),
  );
  const cells = series.map((one, at) => ({
    name: cell(at),
    of: eventNumber(one, actor, series.length === 1 ? null : matchesEntity(one, context.scope)),
  }));
  return sql`SELECT ${selected([...by, ...cells])} FROM ${from} WHERE ${where}${grouped(by)}`;
};

const eventNumber = ({ math }: TrendsSeries, actor: Sql, when: Sql | null): Sql => {
  if (math.kind === 'property') return aggregateSql(math.aggregate, numberUnder(sql`e.properties`, math.key), when);
  if (math.kind === 'dau') return when ? sql`uniqExactIf(${actor}, ${when})` : sql`uniqExact(${actor})`;
  return when ? sql`countIf(${when})` : sql`count()`;
};

/** The columns of `eventNumbersSql` for aggregates of the number of events of each actor with at least one. */
export const actorNumbersSql = (context: TrendsNumbers, series: readonly TrendsSeries[], axis: TrendsAxis): Sql => {
  const { from, where, actor } = rowsOfSeries(context, series, axis.events);
  const by = columns(
    pointOf(axis, sql`e.timestamp`),
    positionSql(context.values, keyOfEvent(context.breakdown), sql`e.timestamp`),
  );
  const own = series.map((one, at) => ({ name: cell(at), of: sql`countIf(${matchesEntity(one, context.scope)})` }));
  const actorColumn = { name: sql`actor`, of: actor };
  const cells = series.map((one, at) => ({
    name: cell(at),
    of: aggregateSql(aggregateOf(one), sql`c.${cell(at)}`, sql`c.${cell(at)} > 0`),
  }));
  const ownColumns = by.map(({ name }) => ({ name, of: sql`c.${name}` }));
  return sql`
    SELECT ${selected([...ownColumns, ...cells])}
    FROM (SELECT ${selected([...by, actorColumn, ...own])} FROM ${from} WHERE ${where}${grouped([...by, actorColumn])}) AS c${grouped(by)}`;
};

const aggregateOf = ({ math }: TrendsSeries): Aggregate => (math.kind === 'perActor' ? math.aggregate : 'avg');

/**
 * The persons active in overlapping time spans, as changes of `n0` from the point before. An actor begins to count at the first span of
 * its first piece, and stops after the last span of a piece, unless its next piece continues from there. Cumulative: it never stops.
 */
export const reachNumbersSql = (
  context: TrendsNumbers,
  series: TrendsSeries,
  pieces: Pieces,
  { cumulative }: { cumulative: boolean },
): Sql => {
  const { from, where, actor } = rowsOfSeries(context, [series], pieces.range);
  const piece = bucketIndex(pieces.buckets, sql`e.timestamp`);
  const by = columns(null, positionSql(context.values, keyOfEvent(context.breakdown), sql`e.timestamp`));
  const [first, last] = [list(integer, pieces.first), list(integer, pieces.last)];
  const gathered = cumulative ? sql`min(${piece})` : allPieces(piece, pieces.first.length);
  const changes = cumulative
    ? sql`(${first}[c.pieces + 1], 1)`
    : sql`arrayJoin(arrayConcat(
        arrayMap((piece, n) -> (greatest(${first}[piece + 1], if(n = 1, 0, ${last}[c.pieces[n - 1] + 1] + 1)), 1),
          c.pieces, arrayEnumerate(c.pieces)),
        arrayMap(piece -> (${last}[piece + 1] + 1, -1), c.pieces)))`;
  const ownColumns = by.map(({ name }) => ({ name, of: sql`d.${name}` }));
  return sql`
    SELECT ${selected([{ name: sql`at`, of: sql`toUInt16(d.change.1)` }, ...ownColumns, { name: cell(0), of: sql`sum(d.change.2)` }])}
    FROM (SELECT ${selected([{ name: sql`change`, of: changes }, ...by.map(({ name }) => ({ name, of: sql`c.${name}` }))])}
      FROM (SELECT ${selected([...by, { name: sql`actor`, of: actor }, { name: sql`pieces`, of: gathered }])}
        FROM ${from} WHERE ${where}${grouped([...by, { name: sql`actor`, of: actor }])}) AS c) AS d
    GROUP BY ${join([sql`at`, ...by.map(({ name }) => name)])}`;
};

/** The pieces of an actor in ascending order: by a bit mask up to 64 pieces, which takes half the time, and by an array beyond. */
const allPieces = (piece: Sql, count: number): Sql =>
  count <= 64
    ? sql`bitPositionsToArray(groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(${piece}))))`
    : sql`arraySort(groupUniqArray(toUInt64(${piece})))`;

/** The number of persons at the point of their first event. */
export const firstNumbersSql = (context: TrendsNumbers, series: TrendsSeries, axis: TrendsAxis): Sql => {
  const rows = firstTimesWithCohorts(context, series, axis.events);
  const by = columns(
    pointOf(axis, sql`f.began`),
    positionSql(context.values, keyOfFirst(context.breakdown), firstTime.at),
  );
  // If the breakdown has other parts, too, a person in several cohorts has several rows, and "Other" may stand for some of them.
  const persons = hasRowsOfCohorts(context.breakdown) ? sql`uniqExact(f.actor)` : sql`count()`;
  return sql`SELECT ${selected([...by, { name: cell(0), of: persons }])} FROM ${rows}${grouped(by)}`;
};
