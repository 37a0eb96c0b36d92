import { Injectable } from '@nestjs/common';
import { startOf } from '../../platform/time/intervals.js';
import { bucketsOf, type Buckets } from '../../platform/time/range.js';
import { type Answer } from '../shared/insight-responder.js';
import { insightHead } from '../shared/common.parameters.js';
import { type AskedQuestion, Questions } from '../../filters/asking/questions.js';
import { type QuestionScope, QuestionScopes } from '../shared/question-scopes.js';
import { type LifecycleDto } from './lifecycle.dto.js';
import { filtersOfLifecycle, targetBucket, readLifecycle, type LifecycleQuery, type State } from './lifecycle.query.js';
import { anyProfilelessSql, lifecycleActorsSql, lifecycleSql, type LifecycleAxis } from './lifecycle.sql.js';
import { type TimeRange } from '../../platform/time/range.js';

interface Counted {
  readonly at: number;
  readonly state: State;
  readonly actors: number;
}

@Injectable()
export class LifecycleService {
  constructor(
    private readonly scopes: QuestionScopes,
    private readonly questions: Questions,
  ) {}

  async ask({ project, params, now, signal }: AskedQuestion): Promise<Answer> {
    const q = await this.scopes.read(readLifecycle, { project, params, now });
    const scope = await this.scopes.open(project, filtersOfLifecycle(q), now, signal, q);
    const range = await this.scopes.resolveRange(scope, q.range);
    const axis = await this.axis(q, range, scope);
    const { state, at } = q.selected;
    const bucket = at === null ? null : targetBucket(at, axis.points);
    return {
      scope,
      entities: [q.entity],
      insight: () => this.insight(q, range, axis, scope),
      persons:
        axis.points.starts.length === 0
          ? null
          : { list: { actors: lifecycleActorsSql(q, axis, { state, bucket }, scope), order: null }, extra: () => ({}) },
    };
  }

  private async axis({ interval }: LifecycleQuery, range: TimeRange, scope: QuestionScope): Promise<LifecycleAxis> {
    const points = bucketsOf(range, interval, scope.project);
    const [first] = points.starts;
    if (!first) return { points, withBefore: points, hasProfileless: false };
    const before = startOf(interval, new Date(first.getTime() - 1), scope.project);
    const withBefore: Buckets = { ...points, starts: [before, ...points.starts] };
    const profileless = scope.groupType === null ? await this.questions.ask(scope, anyProfilelessSql(scope)) : [];
    return { points, withBefore, hasProfileless: profileless.length > 0 };
  }

  private async insight(
    q: LifecycleQuery,
    range: TimeRange,
    axis: LifecycleAxis,
    scope: QuestionScope,
  ): Promise<LifecycleDto> {
    const { labels } = axis.points;
    const rows = labels.length === 0 ? [] : await this.questions.ask<Counted>(scope, lifecycleSql(q, axis, scope));
    const series = (name: State) => {
      const counts = new Map(rows.filter(({ state }) => state === name).map(({ at, actors }) => [at, actors]));
      return labels.map((_, at) => counts.get(at) ?? 0);
    };
    return {
      kind: 'lifecycle',
      ...insightHead(scope, range),
      interval: q.interval,
      days: [...labels],
      new: series('new'),
      returning: series('returning'),
      resurrecting: series('resurrecting'),
      // Subtraction, because a negated zero would be -0.
      dormant: series('dormant').map((count) => 0 - count),
    };
  }
}
