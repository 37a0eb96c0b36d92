import { Global, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { EventCounting } from '../kernel/projects/event-counting.js';
import { CaptureController } from './capture/capture.controller.js';
import { CaptureRates } from './capture/capture-rates.js';
import { CaptureService } from './capture/capture.service.js';
import { GroupCommit } from '../kernel/event-log/group-commit.js';
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
import { EventReader } from './log/event-reader.js';
import { EventsController } from './log/events.controller.js';
import { EventsService } from './log/events.service.js';
import { PersonEditsController } from '../persons/edits/person-edits.controller.js';
import { PersonEditsService } from '../persons/edits/person-edits.service.js';
import { PersonMergeController } from '../persons/merge/person-merge.controller.js';
import { PersonMergeService } from '../persons/merge/person-merge.service.js';
import { PersonUndoController } from '../persons/undo/person-undo.controller.js';
import { PersonUndoService } from '../persons/undo/person-undo.service.js';
import { ArrivalCounting } from '../kernel/event-log/quota/arrival-counting.js';
import { EventQuotas } from '../kernel/event-log/quota/event-quotas.js';
import { EventArchiving } from '../kernel/event-log/compression/event-archiving.js';
import { EventSealing } from '../kernel/event-log/compression/event-sealing.js';
import { SdkController } from './sdk/sdk.controller.js';
import { StaticFiles } from './sdk/static-files.js';
import { SegmentController } from './segment/segment.controller.js';
import { TimelineController } from '../persons/timeline/timeline.controller.js';
import { PropertiesTimeline } from '../persons/timeline/properties-timeline.js';

/** The module is global because of `EventCounting`: projects lie below and cannot import it. */
@Global()
@Module({
  imports: [AuthModule, FiltersModule, PersonsModule, ProjectsModule],
  controllers: [
    CaptureController,
    SegmentController,
    SdkController,
    LiveController,
    EventsController,
    ImportController,
    ImportJobsController,
    IngestionController,
    PersonEditsController,
    PersonMergeController,
    PersonUndoController,
    TimelineController,
  ],
  providers: [
    ArrivalsReader,
    ArrivalsSweep,
    CaptureRates,
    CaptureService,
    GroupCommit,
    EventQuotas,
    EventArchiving,
    EventSealing,
    EventReader,
    EventsService,
    ImportJobs,
    ImportService,
    IngestionCounts,
    IngestionService,
    JobWorker,
    PersonEditsService,
    PersonMergeService,
    PersonUndoService,
    LivePoller,
    LiveService,
    PropertiesTimeline,
    StaticFiles,
    { provide: EventCounting, useClass: ArrivalCounting },
  ],
  exports: [EventCounting, GroupCommit],
})
export class EventsModule {}
