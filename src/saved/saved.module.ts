import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AnalyticsModule } from '../analytics/analytics.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { QueryModule } from '../sql/query.module.js';
import { AlertChecker } from './alerts/alert-checker.js';
import { AlertWorker } from './alerts/alert-worker.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AlertsRepository } from './alerts/alerts.repository.js';
import { AlertsService } from './alerts/alerts.service.js';
import { Backtests } from './alerts/backtests.js';
import { MailWorker } from './alerts/mail-worker.js';
import { WatchedNumbers } from './alerts/watched-numbers.js';
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
import { QUESTION_OF_NODE, type QuestionOfNode } from './insights/question-of-node.js';
import { LinksController } from './links/links.controller.js';
import { LinksRepository } from './links/links.repository.js';
import { LinksService } from './links/links.service.js';
import { SharedController } from './links/shared.controller.js';
import { SharedDashboards } from './links/shared-dashboards.js';
import { BoardSender } from './schedules/board-sender.js';
import { ScheduleWorker } from './schedules/schedule-worker.js';
import { SchedulesController } from './schedules/schedules.controller.js';
import { SchedulesRepository } from './schedules/schedules.repository.js';
import { SchedulesService } from './schedules/schedules.service.js';
import { LastChanges } from './questions/last-changes.js';
import { QuestionAnswers } from './questions/question-answers.js';
import { QuestionCheck } from './questions/question-check.js';
import { SAVED_NODES, type SavedNodes } from './questions/saved-nodes.js';

/** Saved questions, and dashboards of them. */
@Module({
  imports: [AnalyticsModule, AuthModule, QueryModule],
  controllers: [
    AlertsController,
    AnnotationsController,
    DashboardsController,
    InsightsController,
    LinksController,
    SchedulesController,
    SharedController,
  ],
  providers: [
    AlertChecker,
    AlertWorker,
    AlertsRepository,
    AlertsService,
    Backtests,
    MailWorker,
    WatchedNumbers,
    AnnotationsRepository,
    AnnotationsService,
    DashboardAnswers,
    DashboardsRepository,
    DashboardsService,
    InsightAnswers,
    InsightsRepository,
    InsightsService,
    LastChanges,
    LinksRepository,
    LinksService,
    SharedDashboards,
    BoardSender,
    ScheduleWorker,
    SchedulesRepository,
    SchedulesService,
    QuestionAnswers,
    QuestionCheck,
  ],
})
export class SavedModule {
  /** `nodes` is what the module of nodes exports for `SAVED_NODES`. */
  static forRoot(readNode: QuestionOfNode, nodesModule: Type<unknown>, nodes: Type<SavedNodes>): DynamicModule {
    return {
      module: SavedModule,
      imports: [nodesModule],
      providers: [
        { provide: QUESTION_OF_NODE, useValue: readNode },
        { provide: SAVED_NODES, useExisting: nodes },
      ],
    };
  }
}
