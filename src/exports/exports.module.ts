import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { CohortsModule } from '../cohorts/cohorts.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { BatchExportWorker } from './batch/batch-export-worker.js';
import { BatchExportsRepository } from './batch/batch-exports.repository.js';
import { BatchExportsService } from './batch/batch-exports.service.js';
import { BatchExportsController } from './batch-exports.controller.js';
import { EventExportsController, GroupExportsController, PersonExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';
import { PersonDocuments } from './persons/person-documents.js';

@Module({
  imports: [ActivityModule, CohortsModule, PersonsModule],
  controllers: [BatchExportsController, EventExportsController, PersonExportsController, GroupExportsController],
  providers: [BatchExportWorker, BatchExportsRepository, BatchExportsService, ExportsService, PersonDocuments],
})
export class ExportsModule {}
