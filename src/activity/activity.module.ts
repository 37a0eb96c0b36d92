import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller.js';
import { ActivityRepository } from './log/activity.repository.js';
import { ExportRecorder } from './log/export-recorder.js';

/** Serves the log of a whole project. The module of each kind of item serves the entries about that kind. */
@Module({
  controllers: [ActivityController],
  providers: [ActivityRepository, ExportRecorder],
  exports: [ActivityRepository],
})
export class ActivityModule {}
