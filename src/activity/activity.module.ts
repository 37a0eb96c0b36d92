import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller.js';
import { ActivityRepository } from './log/activity.repository.js';
import { ExportRecorder } from './log/export-recorder.js';

/** Serves the log of a whole project. Entries about one kind of item are served by the module of that kind. */
@Module({
  controllers: [ActivityController],
  providers: [ActivityRepository, ExportRecorder],
  exports: [ActivityRepository],
})
export class ActivityModule {}
