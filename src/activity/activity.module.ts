import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller.js';
import { ActivityLog } from './activity-log.js';
import { RecordExports } from './record-exports.js';

/** Serves the log of a whole project. The module of each kind of item serves the entries about that kind. */
@Module({
  controllers: [ActivityController],
  providers: [ActivityLog, RecordExports],
  exports: [ActivityLog],
})
export class ActivityModule {}
