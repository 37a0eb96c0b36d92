import { Injectable } from '@nestjs/common';
import { type Answer } from '../shared/insight-responder.js';
import { type AskedQuestion } from '../../filters/asking/questions.js';
import { CorrelationService } from '../correlation/correlation.service.js';
import { FunnelService } from '../funnel/funnel.service.js';
import { LifecycleService } from '../lifecycle/lifecycle.service.js';
import { PathsService } from '../paths/paths.service.js';
import { RetentionService } from '../retention/retention.service.js';
import { StickinessService } from '../stickiness/stickiness.service.js';
import { TrendsService } from '../trends/trends.service.js';
import { type InsightType } from './insight-kinds.js';

interface InsightService {
  ask(question: AskedQuestion): Promise<Answer<never>>;
}

/** The service of each insight. */
@Injectable()
export class InsightServices {
  private readonly services: Readonly<Record<InsightType, InsightService>>;

  constructor(
    trends: TrendsService,
    funnel: FunnelService,
    retention: RetentionService,
    paths: PathsService,
    lifecycle: LifecycleService,
    stickiness: StickinessService,
    correlation: CorrelationService,
  ) {
    this.services = { trends, funnel, retention, paths, lifecycle, stickiness, correlation };
  }

  of(type: InsightType): InsightService {
    return this.services[type];
  }
}
