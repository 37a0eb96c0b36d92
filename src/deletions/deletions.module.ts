import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventDeletions } from '../persons/event-deletions.js';
import { DeletionRequest } from './deletion-request.entity.js';
import { DeletionRequests } from './deletion-requests.js';
import { DeletionsController } from './deletions.controller.js';
import { DeletionsJob } from './deletions-job.js';
import { RecordDeletions } from './record-deletions.js';

/** The module is global because of `EventDeletions`: persons lie below and cannot import it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DeletionRequest])],
  controllers: [DeletionsController],
  providers: [DeletionRequests, DeletionsJob, { provide: EventDeletions, useClass: RecordDeletions }],
  exports: [EventDeletions],
})
export class DeletionsModule {}
