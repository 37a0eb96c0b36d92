import { type DynamicModule, Module } from '@nestjs/common';
import { AnalyticsModule } from '../analytics/analytics.module.js';
import { QueryModule } from '../sql/query.module.js';
import { AnnotationsController } from './annotations/annotations.controller.js';
import { AnnotationsRepository } from './annotations/annotations.repository.js';
import { AnnotationsService } from './annotations/annotations.service.js';
import { DashboardAnswers } from './dashboards/dashboard-answers.js';
import { DashboardsRepository } from './dashboards/dashboards.repository.js';
import { DashboardsController } from './dashboards/dashboards.controller.js';
import { DashboardsService } from './dashboards/dashboards.service.js';
import { InsightAnswers } from './insights/insight-answers.js';
import { InsightsRepository } from './insights/insights.repository.js';
import { InsightsController } from './insights/insights.controller.js';
import { InsightsService } from './insights/insights.service.js';
import { QUESTION_OF_NODE, RESULTS_OF_NODES, type RoomOfNodes } from './insights/question-of-node.js';
import { LastChanges } from './questions/last-changes.js';
import { QuestionAnswers } from './questions/question-answers.js';
import { QuestionCheck } from './questions/question-check.js';

/** Saved questions, and dashboards of them. */
@Module({
  imports: [AnalyticsModule, QueryModule],
  controllers: [AnnotationsController, DashboardsController, InsightsController],
  providers: [
    AnnotationsRepository,
    AnnotationsService,
    DashboardAnswers,
    DashboardsRepository,
    DashboardsService,
    InsightAnswers,
    InsightsRepository,
    InsightsService,
    LastChanges,
    QuestionAnswers,
    QuestionCheck,
  ],
})
export class SavedModule {
  static forRoot({ module, results, read }: RoomOfNodes): DynamicModule {
    return {
      module: SavedModule,
      imports: [module],
      providers: [
        { provide: QUESTION_OF_NODE, useValue: read },
        { provide: RESULTS_OF_NODES, useExisting: results },
      ],
    };
  }
}
