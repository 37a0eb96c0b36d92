import { Injectable } from '@nestjs/common';
import { MemberHistories, type MemberHistory } from '../../kernel/memberships/member-histories.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { leavesOf } from '../../filters/reading/filter.js';
import { type Answer } from '../shared/insight-responder.js';
import { isOther, onlyCohorts } from '../shared/breakdown.js';
import { BreakdownBins } from '../shared/breakdown-bins.js';
import { CohortNames } from '../shared/cohort-names.js';
import { comparedRange } from '../shared/comparison.js';
import { insightHead } from '../shared/common.parameters.js';
import { type AskedQuestion } from '../../filters/asking/questions.js';
import { type ActorRow } from '../shared/actor-pages.js';
import { type QuestionScope, QuestionScopes } from '../shared/question-scopes.js';
import { axisOf, bucketAt, type TrendsAxis } from './trends.axis.js';
import { type TrendsForm, type TrendsSeriesDto, type TrendsTotalDto } from './trends.dto.js';
import { chartLines, type ChartLine } from './trends.lines.js';
import { sharedValues, TrendsNumbersService } from './trends.numbers.service.js';
import { trendsActors } from './trends.sql.js';
import { filtersOfTrends, propertiesOfTrends, readTrends, type TrendsQuery } from './trends.query.js';
import { binnedRows } from './trends.rows.sql.js';
import { type TrendsValues } from './breakdown.sql.js';
import { spanOf, TrendsValuesService } from './trends.values.service.js';
import { type TimeRange } from '../../platform/time/range.js';

interface TrendsActor extends ActorRow {
  readonly value: number;
}

/** The axis of the question and, with `compare`, the axis of the previous range. */
interface Axes {
  readonly range: TimeRange;
  readonly current: TrendsAxis;
  readonly previous: TrendsAxis | null;
}

@Injectable()
export class TrendsService {
  constructor(
    private readonly scopes: QuestionScopes,
    private readonly numbers: TrendsNumbersService,
    private readonly values: TrendsValuesService,
    private readonly cohortNames: CohortNames,
    private readonly bins: BreakdownBins,
    private readonly histories: MemberHistories,
  ) {}

  async ask({ project, params, now, signal }: AskedQuestion): Promise<Answer<TrendsActor>> {
    const unbinned = await this.scopes.read(readTrends, { project, params, now });
    const opened = await this.scopes.open(project, filtersOfTrends(unbinned), now, signal, {
      atEvent: true,
      groupType: unbinned.groupType,
      namedTypes: unbinned.namedTypes,
      written: unbinned.written,
    });
    const axes = axesOf(unbinned, await this.scopes.resolveRange(opened, unbinned.range), opened);
    const spans = spansOf(unbinned, axes, opened);
    // Each series has its own.
    const scope = { ...opened, groupType: null, histories: await this.historiesOf(unbinned, spans, project) };
    const q = await this.withBins(unbinned, spans, scope);
    const { axis, point } = selectedPoint(q, axes);
    const listed = { ...scope, groupType: q.series[q.selected.series]?.groupType ?? null };
    return {
      scope: listed,
      entities: q.series,
      properties: propertiesOfTrends(q),
      insight: () => this.insight(q, axes, scope),
      persons: await this.persons(q, axis, point, listed),
    };
  }

  /** Looks up the bounds of bins, which are the same for all series and for both ranges. */
  private async withBins(q: TrendsQuery, spans: readonly TimeRange[], scope: QuestionScope): Promise<TrendsQuery> {
    const { filter } = q;
    const breakdown = await this.bins.resolve(
      q.breakdown,
      (split) => binnedRows({ scope, filter, breakdown: split }, q.series, spans),
      scope,
    );
    return { ...q, breakdown };
  }

  /**
   * Reads the histories of the cohorts whose members at the time of an event the question asks for, from the first event that
   * may count.
   */
  private async historiesOf(
    q: TrendsQuery,
    spans: readonly TimeRange[],
    project: ProjectContext,
  ): Promise<MemberHistory[]> {
    const leaves = filtersOfTrends(q).flatMap(leavesOf);
    const named = leaves.flatMap((leaf) => (leaf.kind === 'cohort' && leaf.atEvent ? [leaf.cohortId] : []));
    if (named.length === 0) return [];
    const from = new Date(Math.min(...spans.map((span) => span.from.getTime())));
    return this.histories.read(project, [...new Set(named)], from);
  }

  private async persons(
    q: TrendsQuery,
    axis: TrendsAxis,
    point: number | null,
    scope: QuestionScope,
  ): Promise<Answer<TrendsActor>['persons']> {
    const { series, value } = q.selected;
    const selected = q.series[series];
    if (!selected) return null;
    const values = await this.valuesOf(q, axis, scope);
    const context = { scope, filter: q.filter, breakdown: q.breakdown, values };
    const list = trendsActors(context, { series: selected, axis, point, value });
    return list && { list, extra: (row) => ({ value_at_data_point: row.value }), columns: ['value_at_data_point'] };
  }

  /** Looks up the values of the answer only for "Other", which stands for all values except those. */
  private async valuesOf(q: TrendsQuery, axis: TrendsAxis, scope: QuestionScope): Promise<TrendsValues> {
    const { series, value } = q.selected;
    if (onlyCohorts(q.breakdown) || value === null || !isOther(value)) return { kind: 'none' };
    const together = sharedValues(q).find((indexes) => indexes.includes(series)) ?? [series];
    return this.values.of(
      q,
      q.series.filter((_, index) => together.includes(index)),
      axis,
      scope,
    );
  }

  private async insight(q: TrendsQuery, axes: Axes, scope: QuestionScope): Promise<TrendsForm> {
    const names = await this.cohortNames.of(scope.project, q);
    const lines = async (axis: TrendsAxis) => chartLines(q, axis, await this.numbers.of(q, axis, scope), names);
    const [current, previous] = await Promise.all([lines(axes.current), axes.previous ? lines(axes.previous) : []]);
    const presented = (axis: TrendsAxis, label: string | null) => (line: ChartLine) => presentLine(line, axis, label);
    return {
      kind: 'trends',
      ...insightHead(scope, axes.range),
      interval: q.interval,
      series: [
        ...current.map(presented(axes.current, axes.previous && 'current')),
        ...previous.map(presented(axes.previous ?? axes.current, 'previous')),
      ],
    };
  }
}

const axesOf = (q: TrendsQuery, range: TimeRange, { project }: QuestionScope): Axes => ({
  range,
  current: axisOf(range, q.interval, q.display, project),
  previous: q.compare ? axisOf(comparedRange(range, project, q), q.interval, q.display, project) : null,
});

/** The spans of all events that may count. */
const spansOf = (q: TrendsQuery, { current, previous }: Axes, scope: QuestionScope): TimeRange[] =>
  [current, previous].flatMap((axis) => (axis ? [spanOf(q.series, axis, scope)] : []));

/**
 * Finds the point of the selected day. Without a selected period, the day tells whether it is in the current or the previous
 * range; a day in both belongs to the current one.
 */
const selectedPoint = (
  { selected: { day, period } }: TrendsQuery,
  { current, previous }: Axes,
): { axis: TrendsAxis; point: number | null } => {
  const candidates = { current: [current], previous: [previous] };
  const axes = (period ? candidates[period] : [current, previous]).filter((axis) => axis !== null);
  if (day === null) return { axis: axes[0] ?? current, point: null };
  const axis = axes.find((one) => bucketAt(day, one) >= 0);
  if (axis) return { axis, point: bucketAt(day, axis) };
  throw invalidInput('day must lie in one of the points between date_from and date_to', 'day');
};

const presentLine = (
  { label, order, breakdown_value, data, count }: ChartLine,
  { display, buckets }: TrendsAxis,
  compare_label: string | null,
): TrendsSeriesDto | TrendsTotalDto => {
  const head = { label, order, breakdown_value, compare_label };
  if (display === 'total') return { ...head, count, aggregated_value: count };
  return { ...head, days: [...buckets.labels], data: [...data], count, aggregated_value: null };
};
