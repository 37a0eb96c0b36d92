import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ActivityController } from './activity.controller.js';
import { ActivityLog } from './activity-log.js';
import { RecordExports } from './record-exports.interceptor.js';

/** The log of a whole project. What is about one kind of thing is shown by the module of that kind. */
@Module({
  controllers: [ActivityController],
  providers: [ActivityLog, { provide: APP_INTERCEPTOR, useClass: RecordExports }],
  exports: [ActivityLog],
})
export class ActivityModule {}
