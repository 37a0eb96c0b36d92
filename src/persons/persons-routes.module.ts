import { Module } from '@nestjs/common';
import { FiltersModule } from '../filters/filters.module.js';
import { DistinctIdsAnswers } from './distinct-ids-answers.js';
import { DistinctIds } from './distinct-ids.js';
import { PersonListsController } from './person-lists.controller.js';
import { PersonActivityController } from './person-activity.controller.js';
import { PersonsController } from './persons.controller.js';
import { PersonsModule } from './persons.module.js';
import { PropertyValuesController } from './values/property-values.controller.js';
import { PropertyValues } from './values/property-values.js';

/** Imported last: `persons/:id` would capture `persons/funnel` and other paths of other modules. */
@Module({
  imports: [FiltersModule, PersonsModule],
  providers: [DistinctIds, DistinctIdsAnswers, PropertyValues],
  controllers: [PersonListsController, PropertyValuesController, PersonActivityController, PersonsController],
})
export class PersonsRoutesModule {}
