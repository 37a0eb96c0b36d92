import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { PersonsExport } from './list/persons-export.js';
import { KeyPages } from './list/key-pages.js';
import { PersonsAnswers } from './list/persons-answers.js';
import { PersonsList } from './list/persons-list.js';
import { PersonReader } from './person-reader.js';
import { RecordsSweep } from './undo/records-sweep.js';
import { BulkDeleteService } from './writes/bulk-delete.service.js';
import { PersonActivity } from './person-activity.js';
import { PersonRemoval } from './writes/person-removal.js';
import { PersonSplit } from './writes/person-split.js';

/** Exports the parts that other modules need. The routes are in `PersonsRoutesModule`. */
@Module({
  imports: [ActivityModule, FiltersModule],
  providers: [
    PersonReader,
    PersonActivity,
    PersonRemoval,
    PersonSplit,
    RecordsSweep,
    BulkDeleteService,
    KeyPages,
    PersonsExport,
    PersonsList,
    PersonsAnswers,
  ],
  exports: [PersonReader, PersonActivity, PersonRemoval, PersonSplit, BulkDeleteService, PersonsAnswers],
})
export class PersonsModule {}
