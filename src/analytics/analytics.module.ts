import { Module } from '@nestjs/common';
import { FiltersModule } from '../filters/filters.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { QueryModule } from '../sql/query.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { InsightResponder } from './shared/insight-responder.js';
import { BreakdownBins } from './shared/breakdown-bins.js';
import { CohortNames } from './shared/cohort-names.js';
import { ActorPages } from './shared/actor-pages.js';
import { GroupActors } from './shared/group-actors.js';
import { QuestionScopes } from './shared/question-scopes.js';
import { Questions } from '../filters/asking/questions.js';
import { CorrelationService } from './correlation/correlation.service.js';
import { FunnelService } from './funnel/funnel.service.js';
import { InsightQuestions } from './kinds/insight-questions.js';
import { InsightServices } from './kinds/insight-services.js';
import { LifecycleService } from './lifecycle/lifecycle.service.js';
import { CleaningCheck } from './paths/cleaning-check.js';
import { PathsService } from './paths/paths.service.js';
import { LiveSummaryController } from './live/live-summary.controller.js';
import { LiveSummaryService } from './live/live-summary.service.js';
import { SettingsChecker } from './settings/settings-checker.js';
import { RetentionService } from './retention/retention.service.js';
import { StickinessService } from './stickiness/stickiness.service.js';
import { TrendsNumbersService } from './trends/trends.numbers.service.js';
import { TrendsService } from './trends/trends.service.js';
import { TrendsValuesService } from './trends/trends.values.service.js';

const trends = [CohortNames, TrendsNumbersService, TrendsService, TrendsValuesService];

@Module({
  imports: [FiltersModule, GroupsModule, PersonsModule, QueryModule],
  controllers: [AnalyticsController, LiveSummaryController],
  providers: [
    InsightResponder,
    BreakdownBins,
    CorrelationService,
    FunnelService,
    InsightQuestions,
    InsightServices,
    ActorPages,
    GroupActors,
    QuestionScopes,
    Questions,
    LifecycleService,
    LiveSummaryService,
    CleaningCheck,
    PathsService,
    RetentionService,
    StickinessService,
    SettingsChecker,
    ...trends,
  ],
  exports: [InsightQuestions, SettingsChecker],
})
export class AnalyticsModule {}
