import { Injectable } from '@nestjs/common';
import { assertFewNumbers, isOther, onlyCohorts } from '../shared/breakdown.js';
import { type QuestionScope } from '../shared/question-scopes.js';
import { Questions } from '../../filters/asking/questions.js';
import { reachSpans, type TrendsAxis } from './trends.axis.js';
import { type TrendsQuery, type TrendsSeries, countedType } from './trends.query.js';
import { frequentKeysSql } from './trends.rows.sql.js';
import { type TrendsValues } from './breakdown.sql.js';
import { type TimeRange } from '../../platform/time/range.js';

/** Looks up the breakdown values. Each series has its own values; the series of a formula share theirs. */
@Injectable()
export class TrendsValuesService {
  constructor(private readonly questions: Questions) {}

  async of(
    { breakdown, filter }: TrendsQuery,
    series: readonly TrendsSeries[],
    axis: TrendsAxis,
    scope: QuestionScope,
  ): Promise<TrendsValues> {
    if (breakdown === null) return { kind: 'none' };
    const part = onlyCohorts(breakdown);
    if (part) return { kind: 'cohort', part };
    const span = axis.buckets.starts.length === 0 ? null : spanOf(series, axis, scope);
    if (span === null) return { kind: 'property', keys: [], hasRest: false };
    const [first, ...others] = series;
    const groupType = first && others.length === 0 ? countedType(first) : null;
    const statement = frequentKeysSql({ scope: { ...scope, groupType }, filter, breakdown }, series, span);
    const frequent = (await this.questions.ask<{ key: string }>(scope, statement)).map(({ key }) => key);
    const hasRest = frequent.length > breakdown.limit;
    const mostFrequent = frequent.slice(0, breakdown.limit);
    assertFewNumbers(mostFrequent.length, axis.buckets.starts.length, 'points');
    // A value named "Other" is merged with the other values, because an answer could not tell the two apart.
    const keys = hasRest && breakdown.parts.length === 1 ? mostFrequent.filter((key) => !isOther([key])) : mostFrequent;
    return { kind: 'property', keys, hasRest };
  }
}

/** The time span of all events that may count: recently active persons count by events before the range. */
export const spanOf = (series: readonly TrendsSeries[], axis: TrendsAxis, { project }: QuestionScope): TimeRange => {
  const reached = series.flatMap(({ math }) => {
    const first =
      math.kind === 'reach' ? reachSpans(axis, math.days, project).find(({ from, to }) => from <= to) : null;
    return first ? [first.from.getTime()] : [];
  });
  return { from: new Date(Math.min(axis.events.from.getTime(), ...reached)), to: axis.events.to };
};
