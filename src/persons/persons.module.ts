import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { PersonRows } from './person-rows.js';
import { BulkDeleteService } from './writes/bulk-delete.service.js';
import { PersonActivity } from './writes/person-activity.js';
import { PersonRemoval } from './writes/person-removal.js';
import { PersonSplit } from './writes/person-split.js';

/** What others need of persons. Its URLs are in `PersonsRoutesModule`. */
@Module({
  imports: [ActivityModule],
  providers: [PersonRows, PersonActivity, PersonRemoval, PersonSplit, BulkDeleteService],
  exports: [PersonRows, PersonActivity, PersonRemoval, PersonSplit, BulkDeleteService],
})
export class PersonsModule {}
