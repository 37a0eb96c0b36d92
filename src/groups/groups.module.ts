import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { GroupEditsService } from './edits/group-edits.service.js';
import { GroupActivityController } from './group-activity.controller.js';
import { GroupsController } from './groups.controller.js';
import { GroupsList } from './list/groups-list.js';
import { GroupActivity } from './reading/group-activity.js';
import { GroupsRepository } from './reading/groups.repository.js';
import { GroupTypesController } from './types/group-types.controller.js';
import { GroupTypesService } from './types/group-types.service.js';

@Module({
  imports: [ActivityModule],
  providers: [GroupsRepository, GroupsList, GroupActivity, GroupEditsService, GroupTypesService],
  controllers: [GroupTypesController, GroupActivityController, GroupsController],
})
export class GroupsModule {}
