import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeletionRequest } from '../kernel/deletions/deletion-request.entity.js';
import { DeletionRequests } from './deletion-requests.js';
import { DeletionsController } from './deletions.controller.js';
import { DeletionsJob } from './deletions-job.js';
import { DataRetentionController } from './expiry/data-retention.controller.js';
import { DataRetentionService } from './expiry/data-retention.service.js';
import { PreviewExpiry } from './expiry/preview-expiry.js';
import { ProjectDeletionWorker } from './projects/project-deletion-worker.js';

@Module({
  imports: [TypeOrmModule.forFeature([DeletionRequest])],
  controllers: [DeletionsController, DataRetentionController],
  providers: [DeletionRequests, DeletionsJob, DataRetentionService, PreviewExpiry, ProjectDeletionWorker],
})
export class DeletionsModule {}
