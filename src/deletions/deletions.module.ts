import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeletionRequest } from '../kernel/deletions/deletion-request.entity.js';
import { DeletionRequests } from './deletion-requests.js';
import { DeletionsController } from './deletions.controller.js';
import { DeletionsJob } from './deletions-job.js';
import { FiltersModule } from '../filters/filters.module.js';
import { ExpiryController } from './expiry/expiry.controller.js';
import { ExpiryService } from './expiry/expiry.service.js';
import { ExpiryPreviews } from './expiry/expiry-previews.js';
import { SelectionsService } from './selection/selections.service.js';
import { ProjectDeletionWorker } from './projects/project-deletion-worker.js';

@Module({
  imports: [TypeOrmModule.forFeature([DeletionRequest]), FiltersModule],
  controllers: [DeletionsController, ExpiryController],
  providers: [DeletionRequests, DeletionsJob, SelectionsService, ExpiryService, ExpiryPreviews, ProjectDeletionWorker],
})
export class DeletionsModule {}
