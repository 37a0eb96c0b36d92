import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../kernel/access/access.js';
import { BodyLimit, megabyte } from '../platform/http/body-limit.js';
import { IdempotentReading } from '../kernel/idempotency/idempotent.js';
import { questions } from './analytics.openapi.js';
import { InsightResponder } from './shared/insight-responder.js';
import { QuestionByGet, QuestionByPost } from './shared/parameter-docs.js';
import { Question, type QuestionRequest } from '../filters/asking/questions.js';
import { CorrelationDto } from './correlation/correlation.dto.js';
import { correlationParameters } from './correlation/correlation.parameters.js';
import { CorrelationService } from './correlation/correlation.service.js';
import { funnelForms } from './funnel/funnel.dto.js';
import { funnelParameters } from './funnel/funnel.parameters.js';
import { FunnelService } from './funnel/funnel.service.js';
import { LifecycleDto } from './lifecycle/lifecycle.dto.js';
import { lifecycleParameters } from './lifecycle/lifecycle.parameters.js';
import { LifecycleService } from './lifecycle/lifecycle.service.js';
import { PathDto } from './paths/paths.dto.js';
import { pathsParameters } from './paths/paths.parameters.js';
import { PathsService } from './paths/paths.service.js';
import { RetentionDto } from './retention/retention.dto.js';
import { retentionParameters } from './retention/retention.parameters.js';
import { RetentionService } from './retention/retention.service.js';
import { StickinessDto } from './stickiness/stickiness.dto.js';
import { stickinessParameters } from './stickiness/stickiness.parameters.js';
import { StickinessService } from './stickiness/stickiness.service.js';
import { trendsForms } from './trends/trends.dto.js';
import { trendsParameters } from './trends/trends.parameters.js';
import { TrendsService } from './trends/trends.service.js';

const pageview = { id: '$pageview' };
/** Events of the shop that `npm run demo` makes. */
const viewed = { id: 'product viewed' };
const paid = { id: 'order paid' };

const funnelQuestion = {
  summary: 'How far persons get through a sequence of steps',
  parameters: funnelParameters,
  question: questions.funnel,
  insight: funnelForms,
  example: { events: [viewed, { id: 'product added' }, paid], date_from: '-30d', funnel_step: 2 },
};

const correlationQuestion = {
  summary: 'What distinguishes persons who converted in a funnel from those who did not',
  parameters: correlationParameters,
  question: questions.correlation,
  insight: [CorrelationDto],
  example: { events: [viewed, paid], date_from: '-30d', funnel_correlation_type: 'events' },
};

const pathQuestion = {
  summary: 'The paths that persons take, edge by edge',
  parameters: pathsParameters,
  question: questions.paths,
  insight: [PathDto],
  example: { include_event_types: ['$pageview'], date_from: '-7d', step_limit: 4, edge_limit: 20 },
};

/** The routes share the prefix of persons, because every answer leads to a list of persons. */
@ApiTags('Insights')
@Controller('api/projects/:project_id/persons')
export class AnalyticsController {
  constructor(
    private readonly answers: InsightResponder,
    private readonly correlation: CorrelationService,
    private readonly funnel: FunnelService,
    private readonly lifecycle: LifecycleService,
    private readonly paths: PathsService,
    private readonly retention: RetentionService,
    private readonly stickiness: StickinessService,
    private readonly trends: TrendsService,
  ) {}

  @Get('funnel')
  @RequiresScope('person:read')
  @QuestionByGet({ ...funnelQuestion, operationId: 'getFunnel' })
  getFunnel(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.funnel.ask(question));
  }

  @Post('funnel')
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('person:read')
  @IdempotentReading()
  @QuestionByPost({ ...funnelQuestion, operationId: 'askFunnel' })
  askFunnel(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.funnel.ask(question));
  }

  @Get('funnel/correlation')
  @RequiresScope('person:read')
  @QuestionByGet({ ...correlationQuestion, operationId: 'getFunnelCorrelation' })
  getCorrelation(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.correlation.ask(question));
  }

  @Post('funnel/correlation')
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('person:read')
  @IdempotentReading()
  @QuestionByPost({ ...correlationQuestion, operationId: 'askFunnelCorrelation' })
  askCorrelation(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.correlation.ask(question));
  }

  @Get('lifecycle')
  @RequiresScope('person:read')
  @QuestionByGet({
    operationId: 'getLifecycle',
    summary: 'New, returning, resurrecting and dormant persons at each point',
    parameters: lifecycleParameters,
    insight: [LifecycleDto],
    example: { events: [pageview], date_from: '-30d', interval: 'week' },
  })
  getLifecycle(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.lifecycle.ask(question));
  }

  @Get('path')
  @RequiresScope('person:read')
  @QuestionByGet({ ...pathQuestion, operationId: 'getPaths' })
  getPaths(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.paths.ask(question));
  }

  @Post('path')
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('person:read')
  @IdempotentReading()
  @QuestionByPost({ ...pathQuestion, operationId: 'askPaths' })
  askPaths(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.paths.ask(question));
  }

  @Get('retention')
  @RequiresScope('person:read')
  @QuestionByGet({
    operationId: 'getRetention',
    summary: 'How many of the persons who began come back',
    parameters: retentionParameters,
    insight: [RetentionDto],
    unsupported: { date_from: 'the range is total_intervals intervals of period, up to date_to' },
    example: { target_entity: pageview, period: 'Week', total_intervals: 4 },
  })
  getRetention(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.retention.ask(question));
  }

  @Get('stickiness')
  @RequiresScope('person:read')
  @QuestionByGet({
    operationId: 'getStickiness',
    summary: 'How many intervals persons were active in',
    parameters: stickinessParameters,
    insight: [StickinessDto],
    example: { events: [pageview], date_from: '-14d' },
  })
  getStickiness(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.stickiness.ask(question));
  }

  @Get('trends')
  @RequiresScope('person:read')
  @QuestionByGet({
    operationId: 'getTrends',
    summary: 'Numbers of events and of persons over time',
    parameters: trendsParameters,
    insight: trendsForms,
    example: { events: [{ ...pageview, math: 'dau' }], date_from: '-30d', breakdown: '$browser' },
  })
  getTrends(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question, () => this.trends.ask(question));
  }
}
