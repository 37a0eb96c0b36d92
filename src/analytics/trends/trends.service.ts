import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../common/errors/problem.js';
import { type Answer } from '../asking/answers.js';
import { CohortNames } from '../asking/cohort-names.js';
import { insightHead } from '../asking/common.js';
import { previousRange } from '../asking/previous-range.js';
import { type QuestionRequest } from '../asking/parameter-docs.js';
import { type ActorRow } from '../asking/people.js';
import { type QuestionScope, QuestionScopes } from '../asking/question-scope.js';
import { axisOf, bucketAt, type TrendsAxis } from './trends.axis.js';
import { type TrendsDto, type TrendsSeriesDto } from './trends.dto.js';
import { chartLines, type ChartLine } from './trends.lines.js';
import { sharedValues, TrendsNumbersService } from './trends.numbers.service.js';
import { trendsActors } from './trends.people.sql.js';
import { filtersOfTrends, isRest, readTrends, type TrendsQuery } from './trends.query.js';
import { type TrendsValues } from './trends.values.js';
import { TrendsValuesService } from './trends.values.service.js';
import { type TimeRange } from '../../common/time/range.js';

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
  ) {}

  async ask({ project, params, now, signal }: QuestionRequest): Promise<Answer<TrendsActor>> {
    const q = await this.scopes.read(readTrends, { project, params, now });
    const scope = await this.scopes.open(project, filtersOfTrends(q), now, signal);
    const axes = axesOf(q, await this.scopes.settleRange(scope, q.range), scope);
    const { axis, place } = selectedPoint(q, axes);
    return {
      scope,
      insight: () => this.insight(q, axes, scope),
      people: await this.people(q, axis, place, scope),
    };
  }

  private async people(
    q: TrendsQuery,
    axis: TrendsAxis,
    place: number | null,
    scope: QuestionScope,
  ): Promise<Answer<TrendsActor>['people']> {
    const { series, value } = q.selected;
    const selected = q.series[series];
    if (!selected) return null;
    const values = await this.valuesBehind(q, axis, scope);
    const context = { scope, filter: q.filter, breakdown: q.breakdown, values };
    const list = trendsActors(context, { series: selected, axis, place, value });
    return list && { list, extra: (row) => ({ value_at_data_point: row.value }) };
  }

  /** Looks up the values of the answer only for "Other", which stands for all values except those. */
  private async valuesBehind(q: TrendsQuery, axis: TrendsAxis, scope: QuestionScope): Promise<TrendsValues> {
    const { series, value } = q.selected;
    if (q.breakdown?.kind !== 'property' || value === null || !isRest(value)) return { kind: 'none' };
    const together = sharedValues(q).find((places) => places.includes(series)) ?? [series];
    return this.values.of(
      q,
      q.series.filter((_, place) => together.includes(place)),
      axis,
      scope,
    );
  }

  private async insight(q: TrendsQuery, axes: Axes, scope: QuestionScope): Promise<TrendsDto> {
    const cohorts = q.breakdown?.kind === 'cohort' ? q.breakdown.cohorts.filter((cohort) => cohort !== 'all') : [];
    const names = await this.cohortNames.of(scope.project, cohorts);
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
  previous: q.compare ? axisOf(previousRange(range, project, q.range), q.interval, q.display, project) : null,
});

/** A day alone tells whether it is in the current or the previous range; a day in both belongs to the current one. */
const selectedPoint = (
  { selected: { day, period } }: TrendsQuery,
  { current, previous }: Axes,
): { axis: TrendsAxis; place: number | null } => {
  const candidates = { current: [current], previous: [previous] };
  const axes = (period ? candidates[period] : [current, previous]).filter((axis) => axis !== null);
  if (day === null) return { axis: axes[0] ?? current, place: null };
  const axis = axes.find((one) => bucketAt(day, one) >= 0);
  if (axis) return { axis, place: bucketAt(day, axis) };
  throw invalidInput('day must lie in one of the points between date_from and date_to', 'day');
};

const presentLine = (
  { label, order, breakdown_value, data, count }: ChartLine,
  { display, buckets }: TrendsAxis,
  compare_label: string | null,
): TrendsSeriesDto => {
  const head = { label, order, breakdown_value, compare_label };
  if (display === 'total') return { ...head, count, aggregated_value: count };
  return { ...head, days: [...buckets.labels], data: [...data], count, aggregated_value: null };
};
