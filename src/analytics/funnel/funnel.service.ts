import { Injectable } from '@nestjs/common';
import { bucketsOf, type Buckets } from '../../platform/time/range.js';
import { type Answer } from '../shared/insight-responder.js';
import { BreakdownBins } from '../shared/breakdown-bins.js';
import { cohortParts, propertiesOfBreakdown, type Breakdown } from '../shared/breakdown.js';
import { CohortNames, valueLabels } from '../shared/cohort-names.js';
import { insightHead } from '../shared/common.parameters.js';
import { comparedRange } from '../shared/comparison.js';
import { type AskedQuestion, Questions } from '../../filters/asking/questions.js';
import { type QuestionScope, QuestionScopes } from '../shared/question-scopes.js';
import {
  type FunnelByValueDto,
  type FunnelDto,
  type FunnelForm,
  type FunnelTimesDto,
  type FunnelTrendDto,
} from './funnel.dto.js';
import { funnelRows } from './events.sql.js';
import { type FunnelQuery, filtersOfFunnel, readFunnel, withoutPersons } from './funnel.query.js';
import {
  conversionBinsSql,
  conversionSpanSql,
  convertedActorsSql,
  enteredActorsSql,
  funnelActorsSql,
  funnelStepsSql,
  funnelTrendsSql,
  type SplitFunnel,
} from './funnel.sql.js';
import { indexesOf, stepAt } from './optional-steps.js';
import { layoutOf, type Layout } from './layout.sql.js';
import {
  binsOf,
  type LabelsOf,
  presentBins,
  presentBreakdown,
  presentSteps,
  presentTrends,
} from './funnel.presenter.js';
import { type BinRow, type SpanRow, type StepsRow, type TrendRow } from './funnel.presenter.js';
import { type TimeRange } from '../../platform/time/range.js';

interface FunnelQuestion {
  readonly q: FunnelQuery;
  readonly funnel: SplitFunnel;
  readonly range: TimeRange;
  readonly scope: QuestionScope;
}

@Injectable()
export class FunnelService {
  constructor(
    private readonly scopes: QuestionScopes,
    private readonly questions: Questions,
    private readonly bins: BreakdownBins,
    private readonly cohortNames: CohortNames,
  ) {}

  async ask({ project, params, now, signal }: AskedQuestion): Promise<Answer> {
    const q = await this.scopes.read(readFunnel, { project, params, now });
    const scope = await this.scopes.open(project, filtersOfFunnel(q), now, signal, q);
    const range = await this.scopes.resolveRange(scope, q.range);
    const layout = layoutOf(q, range);
    const breakdown = q.steps.length === 0 ? q.breakdown : await this.binned(q.breakdown, layout, scope);
    const split = breakdown === null ? null : { breakdown, attribution: q.attribution };
    const question = { q, funnel: { layout, split }, range, scope };
    const previous = q.compare ? inRange(question, comparedRange(range, project, q)) : null;
    const refusal = withoutPersons(q);
    const persons =
      q.steps.length === 0 || refusal !== null
        ? refusal
        : {
            list: { actors: actorsOf(q.period === 'previous' && previous ? previous : question), order: null },
            extra: () => ({}),
          };
    const properties = propertiesOfBreakdown(q.breakdown);
    return {
      scope,
      entities: indexesOf(q).map((index) => stepAt(q, index)),
      properties,
      insight: () => this.insight(question, previous),
      persons,
    };
  }

  private binned(breakdown: Breakdown | null, layout: Layout, scope: QuestionScope): Promise<Breakdown | null> {
    return this.bins.resolve(breakdown, (split) => funnelRows(layout, split, scope), scope);
  }

  private async insight(question: FunnelQuestion, previous: FunnelQuestion | null): Promise<FunnelForm> {
    const { q, range, scope } = question;
    const views = {
      steps: () => this.steps(question, previous),
      time_to_convert: () => this.timeToConvert(question),
      trends: async () => ({
        series: await this.trends(question),
        ...(previous && { compared: await this.trends(previous) }),
      }),
    };
    return { kind: 'funnel', ...insightHead(scope, range), interval: q.interval, ...(await views[q.viz]()) };
  }

  private async steps(
    question: FunnelQuestion,
    compared: FunnelQuestion | null,
  ): Promise<Pick<FunnelDto, 'steps' | 'compared'> | Pick<FunnelByValueDto, 'breakdown' | 'compared'>> {
    const { q, scope } = question;
    const [rows, before] = await Promise.all([this.stepRows(question), compared && this.stepRows(compared)]);
    if (question.funnel.split === null)
      return { steps: presentSteps(q, rows[0]), ...(before && { compared: presentSteps(q, before[0]) }) };
    const labelsOf = await this.labelsOf(q, scope);
    const breakdown = presentBreakdown(q, rows, labelsOf);
    return { breakdown, ...(before && { compared: presentBreakdown(q, before, labelsOf) }) };
  }

  private async stepRows({ q, funnel, scope }: FunnelQuestion): Promise<StepsRow[]> {
    return q.steps.length === 0 ? [] : this.questions.ask<StepsRow>(scope, funnelStepsSql(funnel, scope));
  }

  private async labelsOf(q: FunnelQuery, scope: QuestionScope): Promise<LabelsOf> {
    const { breakdown } = q;
    if (breakdown === null || cohortParts(breakdown).length === 0) return null;
    const names = await this.cohortNames.of(scope.project, q);
    return (value) => valueLabels(value, breakdown, names);
  }

  private async timeToConvert(
    question: FunnelQuestion,
  ): Promise<Pick<FunnelTimesDto, 'bins' | 'average_conversion_time'>> {
    const { q, scope } = question;
    const funnel = { ...question.funnel, split: null };
    if (q.steps.length < 2) return { bins: [], average_conversion_time: null };
    const [span] = await this.questions.ask<SpanRow>(scope, conversionSpanSql(funnel, q.between, scope));
    if (!span || span.persons === 0) return { bins: [], average_conversion_time: null };
    const bins = binsOf(span, q.binCount);
    const rows = await this.questions.ask<BinRow>(scope, conversionBinsSql(funnel, q.between, bins, scope));
    return { bins: presentBins(bins, rows), average_conversion_time: span.average };
  }

  private async trends({ q, funnel, range, scope }: FunnelQuestion): Promise<FunnelTrendDto[]> {
    const buckets = bucketsOf(range, q.interval, scope.project);
    const rows =
      q.steps.length === 0 || buckets.starts.length === 0
        ? []
        : await this.questions.ask<TrendRow>(scope, funnelTrendsSql(funnel, buckets, q.between, scope));
    const split = { isSplit: funnel.split !== null, labelsOf: await this.labelsOf(q, scope) };
    const labels = q.onlyPassed ? passedLabels(buckets, q.windowMs, scope.now) : buckets.labels;
    return presentTrends(labels, rows, split);
  }
}

/** The same question in another range; the bins of a breakdown stay those of the question. */
const inRange = (question: FunnelQuestion, range: TimeRange): FunnelQuestion => ({
  ...question,
  funnel: { ...question.funnel, layout: layoutOf(question.q, range) },
  range,
});

/** The labels of the intervals whose windows have passed, also those that began at their end. */
const passedLabels = ({ starts, end, labels }: Buckets, windowMs: number, now: Date): readonly string[] =>
  labels.filter((_, at) => (starts[at + 1] ?? end).getTime() + windowMs <= now.getTime());

const actorsOf = ({ q, funnel, range, scope }: FunnelQuestion) => {
  const { value, entrance, times } = q.selection;
  // Without a value the persons are those of the whole funnel.
  const of = value === null ? { ...funnel, split: null } : funnel;
  if (q.viz === 'time_to_convert' && times !== null) return convertedActorsSql(of, q.between, times, value, scope);
  if (q.viz !== 'trends' || entrance === null) return funnelActorsSql(of, q.selection, scope);
  const buckets = bucketsOf(range, q.interval, scope.project);
  const at = entrance.at.getTime();
  const next = buckets.starts.findIndex((start) => start.getTime() > at);
  const bucket = at >= buckets.end.getTime() ? -1 : (next < 0 ? buckets.starts.length : next) - 1;
  return enteredActorsSql(of, buckets, { ...q.between, bucket, dropOff: entrance.dropOff }, value, scope);
};
