import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller.js';
import { ActivityLog } from './log/activity-log.js';
import { RecordExports } from './log/record-exports.js';

/** Serves the log of a whole project. The module of each kind of item serves the entries about that kind. */
@Module({
  controllers: [ActivityController],
  providers: [ActivityLog, RecordExports],
  exports: [ActivityLog],
})
export class ActivityModule {}
