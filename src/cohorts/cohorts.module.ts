import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { ChangeWatch } from './changes/change-watch.js';
import { ChangesController } from './changes/changes.controller.js';
import { ChangesService } from './changes/changes.service.js';
import { SizeHistory } from './changes/size-history.js';
import { CohortFeed } from './changes/cohort-feed.js';
import { Calculations } from './calculations.js';
import { Calculator } from './calculation/calculator.js';
import { CalculationWorker } from './calculation-worker.js';
import { CohortDefinitions } from './saving/cohort-definitions.js';
import { CohortsRepository } from './record/cohorts.repository.js';
import { CohortActivityController } from './cohort-activity.controller.js';
import { CohortsOfActions } from './saving/cohorts-of-actions.js';
import { CohortMembersController } from './cohort-members.controller.js';
import { CohortsController } from './cohorts.controller.js';
import { CohortWrites } from './cohort-writes.js';
import { GroupsModule } from '../groups/groups.module.js';
import { GroupCohortsController } from './group-cohorts.controller.js';
import { MembershipController } from './membership/membership.controller.js';
import { MembershipService } from './membership/membership.service.js';
import { PersonCohortsController } from './person-cohorts.controller.js';
import { PersonCohortsService } from './record/person-cohorts.service.js';
import { PreviewService } from './preview/preview.service.js';
import { SelectedMembers } from './selection/selected-members.js';
import { QueryModule } from '../sql/query.module.js';
import { QueryRuns } from './static/query-runs.js';
import { StaticCohortsService } from './static/static-cohorts.service.js';
import { StaticFilling } from './static/static-filling.js';
import { StaticMembers } from './static/static-members.js';
import { StaticSources } from './static/static-sources.js';
import { UploadReports } from './static/upload-reports.js';

@Module({
  imports: [ActivityModule, FiltersModule, PersonsModule, GroupsModule, QueryModule],
  controllers: [
    ChangesController,
    MembershipController,
    CohortActivityController,
    CohortsController,
    CohortMembersController,
    PersonCohortsController,
    GroupCohortsController,
  ],
  providers: [
    Calculations,
    CalculationWorker,
    Calculator,
    ChangeWatch,
    ChangesService,
    CohortDefinitions,
    CohortFeed,
    CohortsRepository,
    CohortsOfActions,
    CohortWrites,
    MembershipService,
    SelectedMembers,
    SizeHistory,
    PersonCohortsService,
    PreviewService,
    QueryRuns,
    StaticCohortsService,
    StaticFilling,
    StaticMembers,
    StaticSources,
    UploadReports,
  ],
  exports: [CohortFeed, CohortsOfActions, PersonCohortsService, SelectedMembers],
})
export class CohortsModule {}
