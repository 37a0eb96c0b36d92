import { Injectable } from '@nestjs/common';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { onlyCohorts } from '../shared/breakdown.js';
import { type QuestionScope } from '../shared/question-scopes.js';
import { Questions } from '../../filters/asking/questions.js';
import { ownSpans, piecesOf, reachSpans, type TrendsAxis } from './trends.axis.js';
import { type TrendsQuery, type TrendsSeries, countedType } from './trends.query.js';
import {
  type TrendsNumbers,
  actorNumbersSql,
  eventNumbersSql,
  firstNumbersSql,
  reachNumbersSql,
} from './trends.sql.js';
import { type TrendsValues } from './breakdown.sql.js';
import { TrendsValuesService } from './trends.values.service.js';

/** The numbers of a series at every point, for each position of its breakdown values. Missing numbers are 0. */
export interface SeriesNumbers {
  readonly values: TrendsValues;
  readonly byPosition: ReadonlyMap<number, readonly number[]>;
}

/** The series that one statement answers. */
interface Batch {
  readonly series: readonly number[];
  readonly statement: Sql | null;
  /** True if the statement returns changes from point to point instead of numbers. */
  readonly areChanges: boolean;
}

type Row = Readonly<Record<string, number | null>>;

@Injectable()
export class TrendsNumbersService {
  constructor(
    private readonly questions: Questions,
    private readonly values: TrendsValuesService,
  ) {}

  /**
   * The numbers of each series, by index; with a formula, only of the series in the formula. On a cumulative axis the numbers
   * are still to be added up, and a person counts only at its first point.
   */
  async of(q: TrendsQuery, axis: TrendsAxis, scope: QuestionScope): Promise<ReadonlyMap<number, SeriesNumbers>> {
    const groups = await Promise.all(sharedValues(q).map((indexes) => this.group(q, indexes, axis, scope)));
    return new Map(groups.flat());
  }

  private async group(
    q: TrendsQuery,
    indexes: readonly number[],
    axis: TrendsAxis,
    scope: QuestionScope,
  ): Promise<[number, SeriesNumbers][]> {
    const series = indexes.map((index) => seriesAt(q, index));
    const values = await this.values.of(q, series, axis, scope);
    const context = { scope, filter: q.filter, breakdown: q.breakdown, values };
    const isEmpty =
      axis.buckets.starts.length === 0 || (values.kind === 'property' && values.keys.length === 0 && !values.hasRest);
    const batches = isEmpty ? [] : batchesOf(q, indexes, context, axis);
    const answers = await Promise.all(batches.map((batch) => this.ask(batch, axis, scope)));
    const numbers = new Map(answers.flat());
    return indexes.map((index) => [index, { values, byPosition: numbers.get(index) ?? new Map<number, number[]>() }]);
  }

  private async ask(
    { series, statement, areChanges }: Batch,
    axis: TrendsAxis,
    scope: QuestionScope,
  ): Promise<[number, Map<number, number[]>][]> {
    const rows = statement ? await this.questions.ask<Row>(scope, statement) : [];
    return series.map((index, column) => {
      const numbers = readNumbers(rows, `n${column}`, axis.buckets.starts.length);
      if (areChanges) for (const data of numbers.values()) addUp(data);
      return [index, numbers];
    });
  }
}

const seriesAt = ({ series }: TrendsQuery, index: number): TrendsSeries => {
  const numbers = series[index];
  if (!numbers) throw new RangeError(`there is no series ${index}`);
  return numbers;
};

/**
 * Groups the series that share their breakdown values. The series of a formula share theirs, because they are combined value
 * by value.
 */
export const sharedValues = ({ series, formula, breakdown }: TrendsQuery): number[][] => {
  const all = series.map((_, index) => index);
  if (formula) return [[...formula.uses]];
  return breakdown === null || onlyCohorts(breakdown) ? [all] : all.map((index) => [index]);
};

const batchesOf = (q: TrendsQuery, indexes: readonly number[], context: TrendsNumbers, axis: TrendsAxis): Batch[] => {
  const cumulative = axis.display === 'cumulative' && q.formula === null;
  const kindOf = (index: number) => {
    const { kind } = seriesAt(q, index).math;
    return kind === 'dau' && cumulative ? 'reach' : kind;
  };
  const together = (kinds: readonly string[], statement: typeof eventNumbersSql): Batch[] => {
    const mine = indexes.filter((index) => kinds.includes(kindOf(index)));
    const types = [...new Set(mine.map((index) => countedType(seriesAt(q, index))))];
    return types.map((groupType) => {
      const ofType = mine.filter((index) => countedType(seriesAt(q, index)) === groupType);
      const series = ofType.map((index) => seriesAt(q, index));
      return { series: ofType, statement: statement(counting(context, groupType), series, axis), areChanges: false };
    });
  };
  const alone = (kind: string, batch: (series: TrendsSeries) => Omit<Batch, 'series'>): Batch[] =>
    indexes
      .filter((index) => kindOf(index) === kind)
      .map((index) => ({ series: [index], ...batch(seriesAt(q, index)) }));
  return [
    ...together(['total', 'dau', 'session', 'property'], eventNumbersSql),
    ...together(['perActor'], actorNumbersSql),
    ...alone('expression', (series) => ({
      statement: eventNumbersSql(counting(context, null), [series], axis),
      areChanges: false,
    })),
    ...alone('reach', (series) => reachBatch(series, counting(context, series.groupType), axis, cumulative)),
    ...alone('first', (series) => ({
      statement: firstNumbersSql(counting(context, series.groupType), series, axis),
      areChanges: false,
    })),
  ];
};

/** The same with the groups of a type, or with persons, as those who are counted. */
const counting = (context: TrendsNumbers, groupType: number | null): TrendsNumbers => ({
  ...context,
  scope: { ...context.scope, groupType },
});

const reachBatch = (
  series: TrendsSeries,
  context: TrendsNumbers,
  axis: TrendsAxis,
  cumulative: boolean,
): Omit<Batch, 'series'> => {
  const { math } = series;
  const spans = math.kind === 'reach' ? reachSpans(axis, math.days, context.scope.project) : ownSpans(axis);
  const pieces = piecesOf(spans, axis.interval);
  return { statement: pieces && reachNumbersSql(context, series, pieces, { cumulative }), areChanges: !cumulative };
};

const readNumbers = (rows: readonly Row[], column: string, points: number): Map<number, number[]> => {
  const numbers = new Map<number, number[]>();
  for (const row of rows) {
    const { at, place } = row;
    const data = numbers.get(place ?? 0) ?? Array.from({ length: points }, () => 0);
    numbers.set(place ?? 0, data);
    // A change after the last point has no effect.
    if ((at ?? 0) < points) data[at ?? 0] = row[column] ?? 0;
  }
  return numbers;
};

const addUp = (data: number[]): void => {
  for (const [at, change] of data.entries()) data[at] = (data[at - 1] ?? 0) + change;
};
