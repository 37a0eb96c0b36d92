import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { PersonEditsController } from './edits/person-edits.controller.js';
import { PersonEditsService } from './edits/person-edits.service.js';
import { PersonMergeController } from './merge/person-merge.controller.js';
import { PersonMergeService } from './merge/person-merge.service.js';
import { PersonUndoController } from './undo/person-undo.controller.js';
import { PersonUndoService } from './undo/person-undo.service.js';
import { TimelineController } from './timeline/timeline.controller.js';
import { PropertiesTimeline } from './timeline/properties-timeline.js';
import { HiddenNames } from './values/hidden-names.js';
import { PersonsExport } from './list/persons-export.js';
import { KeyPages } from './list/key-pages.js';
import { PersonsResponder } from './list/persons-responder.js';
import { PersonsList } from './list/persons-list.js';
import { PersonsRepository } from './reading/persons.repository.js';
import { BulkDeleteService } from './writes/bulk-delete.service.js';
import { PersonActivity } from './reading/person-activity.js';
import { PersonRemoval } from './writes/person-removal.js';
import { PersonSplit } from './writes/person-split.js';
import { DistinctIdsResponder } from './reading/distinct-ids-responder.js';
import { DistinctIds } from './reading/distinct-ids.js';
import { PersonsListController } from './persons-list.controller.js';
import { PersonActivityController } from './person-activity.controller.js';
import { PersonsController } from './persons.controller.js';
import { PropertyValuesController } from './values/property-values.controller.js';
import { PropertyValues } from './values/property-values.js';

/** Exports the parts that other modules need. */
@Module({
  imports: [ActivityModule, FiltersModule],
  providers: [
    PersonsRepository,
    PersonActivity,
    PersonRemoval,
    PersonSplit,
    BulkDeleteService,
    KeyPages,
    PersonsExport,
    PersonsList,
    PersonsResponder,
    PropertyValues,
    HiddenNames,
  ],
  exports: [
    HiddenNames,
    PersonsRepository,
    PersonActivity,
    PersonRemoval,
    PersonSplit,
    BulkDeleteService,
    PersonsList,
    PersonsResponder,
    PropertyValues,
  ],
})
export class PersonsModule {}

/** The module must be imported last, because `persons/:id` would capture `persons/funnel` and other paths of other modules. */
@Module({
  imports: [FiltersModule, PersonsModule],
  providers: [
    DistinctIds,
    DistinctIdsResponder,
    PersonEditsService,
    PersonMergeService,
    PersonUndoService,
    PropertiesTimeline,
  ],
  controllers: [
    PersonEditsController,
    PersonMergeController,
    PersonUndoController,
    TimelineController,
    PersonsListController,
    PropertyValuesController,
    PersonActivityController,
    PersonsController,
  ],
})
export class PersonsRoutesModule {}
