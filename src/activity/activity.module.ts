import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ActivityController } from './activity.controller.js';
import { ActivityLog } from './activity-log.js';
import { RecordExportsInterceptor } from './record-exports.interceptor.js';

/** Serves the log of a whole project. The module of each kind of item serves the entries about that kind. */
@Module({
  controllers: [ActivityController],
  providers: [ActivityLog, { provide: APP_INTERCEPTOR, useClass: RecordExportsInterceptor }],
  exports: [ActivityLog],
})
export class ActivityModule {}
