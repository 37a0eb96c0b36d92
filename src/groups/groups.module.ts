import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { GroupEditsService } from './edits/group-edits.service.js';
import { GroupActivityController } from './group-activity.controller.js';
import { GroupsController } from './groups.controller.js';
import { GroupsList } from './list/groups-list.js';
import { GroupActivity } from './reading/group-activity.js';
import { GroupsRepository } from './reading/groups.repository.js';
import { GroupHistoryService } from './timeline/group-history.service.js';
import { GroupTypesController } from './types/group-types.controller.js';
import { GroupTypesService } from './types/group-types.service.js';
import { GroupPropertiesController } from './values/group-properties.controller.js';
import { GroupPropertiesService } from './values/group-properties.service.js';

/** Exports the parts that other modules need. */
@Module({
  imports: [FiltersModule],
  providers: [GroupsRepository, GroupsList],
  exports: [GroupsRepository, GroupsList],
})
export class GroupsModule {}

/** The module must be imported after that of events, because `groups/:id` would capture `groups/related`. */
@Module({
  imports: [ActivityModule, FiltersModule, GroupsModule],
  providers: [GroupActivity, GroupEditsService, GroupHistoryService, GroupPropertiesService, GroupTypesService],
  controllers: [GroupTypesController, GroupPropertiesController, GroupActivityController, GroupsController],
})
export class GroupsRoutesModule {}
