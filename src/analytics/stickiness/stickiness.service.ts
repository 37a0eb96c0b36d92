import { Injectable } from '@nestjs/common';
import { bucketsOf, type Buckets } from '../../platform/time/range.js';
import { type Answer } from '../shared/insight-responder.js';
import { comparedRange } from '../shared/comparison.js';
import { insightHead } from '../shared/common.parameters.js';
import { type AskedQuestion, Questions } from '../../filters/asking/questions.js';
import { type QuestionScope, QuestionScopes } from '../shared/question-scopes.js';
import { type StickinessDto, type StickinessSeriesDto } from './stickiness.dto.js';
import { filtersOfStickiness, readStickiness, type StickinessQuery } from './stickiness.query.js';
import { stickinessActorsSql, stickinessSql, type StickinessSeries } from './stickiness.sql.js';
import { type TimeRange } from '../../platform/time/range.js';

@Injectable()
export class StickinessService {
  constructor(
    private readonly scopes: QuestionScopes,
    private readonly questions: Questions,
  ) {}

  async ask({ project, params, now, signal }: AskedQuestion): Promise<Answer> {
    const q = await this.scopes.read(readStickiness, { project, params, now });
    const scope = await this.scopes.open(project, filtersOfStickiness(q), now, signal, q);
    const range = await this.scopes.resolveRange(scope, q.range);
    const { series, period } = q.selected;
    const selectedRange = period === 'current' ? range : comparedRange(range, project, q);
    const actors = stickinessActorsSql(
      q,
      seriesOf(q, selectedRange, scope)[series] as StickinessSeries,
      q.selected,
      scope,
    );
    return {
      scope,
      entities: q.series,
      insight: () => this.insight(q, range, scope),
      persons: { list: { actors, order: null }, extra: () => ({}) },
    };
  }

  private async insight(q: StickinessQuery, range: TimeRange, scope: QuestionScope): Promise<StickinessDto> {
    const current = await this.series(q, range, scope);
    const previous = q.compare ? await this.series(q, comparedRange(range, scope.project, q), scope) : [];
    const labelled = (label: string) => (series: StickinessSeriesDto) => ({ ...series, compare_label: label });
    return {
      kind: 'stickiness',
      ...insightHead(scope, range),
      interval: q.interval,
      interval_count: q.intervalCount,
      series: q.compare ? [...current.map(labelled('current')), ...previous.map(labelled('previous'))] : current,
    };
  }

  private series(q: StickinessQuery, range: TimeRange, scope: QuestionScope): Promise<StickinessSeriesDto[]> {
    return Promise.all(
      seriesOf(q, range, scope).map(async (series) => {
        const rows = await this.questions.ask<{ intervals: number; persons: number }>(
          scope,
          stickinessSql(q, series, scope),
        );
        const persons = new Map(rows.map((row) => [row.intervals, row.persons]));
        const days = series.buckets.starts.map((_, at) => at + 1);
        const data = days.map((day) => persons.get(day) ?? 0);
        const { name: label, order } = series.entity;
        return { label, order, days, data, count: data.reduce((sum, value) => sum + value, 0) };
      }),
    );
  }
}

/** The first interval counts as a whole, also before the start of the range. */
const seriesOf = (q: StickinessQuery, { from, to }: TimeRange, { project }: QuestionScope): StickinessSeries[] => {
  const buckets = grouped(bucketsOf({ from, to }, q.interval, project), q.intervalCount);
  const range = { from: buckets.starts[0] ?? from, to };
  return q.series.map((entity) => ({ entity, buckets, range }));
};

/** Joins every `count` intervals into one. */
const grouped = (buckets: Buckets, count: number): Buckets => {
  const isFirst = (_: unknown, at: number) => at % count === 0;
  return { ...buckets, starts: buckets.starts.filter(isFirst), labels: buckets.labels.filter(isFirst) };
};
