import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { CohortsModule } from '../cohorts/cohorts.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { EventExportsController, GroupExportsController, PersonExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';
import { PersonDocuments } from './persons/person-documents.js';

@Module({
  imports: [ActivityModule, CohortsModule, PersonsModule],
  controllers: [EventExportsController, PersonExportsController, GroupExportsController],
  providers: [ExportsService, PersonDocuments],
})
export class ExportsModule {}
