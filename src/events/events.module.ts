import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { CaptureController } from './capture/capture.controller.js';
import { CaptureLimits } from './capture/capture-limits.js';
import { CaptureService } from './capture/capture.service.js';
import { Senders } from './capture/senders.js';
import { TokenRequests } from './capture/token-requests.js';
import { EventsOfGroupController } from './groups/events-of-group.controller.js';
import { RelatedService } from './groups/related.service.js';
import { ImportController } from './import/import.controller.js';
import { ImportJobs } from './import/jobs/import-jobs.js';
import { ImportJobsController } from './import/jobs/import-jobs.controller.js';
import { JobWorker } from './import/jobs/job-worker.js';
import { ImportService } from './import/import.service.js';
import { IngestionController } from './ingestion/ingestion.controller.js';
import { IngestionCounts } from './ingestion/ingestion-counts.js';
import { IngestionService } from './ingestion/ingestion.service.js';
import { ArrivalsReader } from './live/arrivals-reader.js';
import { ArrivalsSweep } from './live/arrivals-sweep.js';
import { LivePoller } from './live/live-poller.js';
import { LiveController } from './live/live.controller.js';
import { LiveService } from './live/live.service.js';
import { EventsRepository } from './log/events.repository.js';
import { EventsController } from './log/events.controller.js';
import { EventsService } from './log/events.service.js';
import { SdkController } from './sdk/sdk.controller.js';
import { StaticFiles } from './sdk/static-files.js';
import { SegmentController } from './segment/segment.controller.js';

@Module({
  imports: [AuthModule, FiltersModule, GroupsModule, PersonsModule],
  controllers: [
    CaptureController,
    SegmentController,
    SdkController,
    LiveController,
    EventsController,
    EventsOfGroupController,
    ImportController,
    ImportJobsController,
    IngestionController,
  ],
  providers: [
    ArrivalsReader,
    ArrivalsSweep,
    CaptureLimits,
    CaptureService,
    EventsRepository,
    EventsService,
    ImportJobs,
    ImportService,
    IngestionCounts,
    IngestionService,
    JobWorker,
    LivePoller,
    LiveService,
    RelatedService,
    Senders,
    StaticFiles,
    TokenRequests,
  ],
  exports: [AuthModule, TokenRequests],
})
export class EventsModule {}
