import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventDeletions } from '../kernel/deletions/event-deletions.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { DeletionRequest } from '../kernel/deletions/deletion-request.entity.js';
import { DeletionRequests } from './deletion-requests.js';
import { DeletionsController } from './deletions.controller.js';
import { DeletionsJob } from './deletions-job.js';
import { DataRetentionController } from './expiry/data-retention.controller.js';
import { DataRetentionService } from './expiry/data-retention.service.js';
import { PreviewExpiry } from './expiry/preview-expiry.js';
import { ProjectDeletionWorker } from './projects/project-deletion-worker.js';
import { RecordDeletions } from '../kernel/deletions/deletion-recorder.js';

/** The module is global because of `EventDeletions`: persons lie below and cannot import it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DeletionRequest]), ProjectsModule],
  controllers: [DeletionsController, DataRetentionController],
  providers: [
    DeletionRequests,
    DeletionsJob,
    DataRetentionService,
    PreviewExpiry,
    ProjectDeletionWorker,
    { provide: EventDeletions, useClass: RecordDeletions },
  ],
  exports: [EventDeletions],
})
export class DeletionsModule {}
