import { Module } from '@nestjs/common';
import { DashboardAnswers } from './dashboards/dashboard-answers.js';
import { DashboardRows } from './dashboards/dashboard-rows.js';
import { DashboardsController } from './dashboards/dashboards.controller.js';
import { DashboardsService } from './dashboards/dashboards.service.js';
import { InsightAnswers } from './insights/insight-answers.js';
import { InsightRows } from './insights/insight-rows.js';
import { InsightsController } from './insights/insights.controller.js';
import { InsightsService } from './insights/insights.service.js';
import { LastChanges } from './questions/last-changes.js';
import { QuestionAnswers } from './questions/question-answers.js';
import { QuestionCheck } from './questions/question-check.js';

/** Saved questions, and dashboards of them. The modules of the questions are global. */
@Module({
  controllers: [DashboardsController, InsightsController],
  providers: [
    DashboardAnswers,
    DashboardRows,
    DashboardsService,
    InsightAnswers,
    InsightRows,
    InsightsService,
    LastChanges,
    QuestionAnswers,
    QuestionCheck,
  ],
})
export class SavedModule {}
