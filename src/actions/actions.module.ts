import { Module } from '@nestjs/common';
import { FiltersModule } from '../filters/filters.module.js';
import { ActionLookup } from './action-lookup.js';
import { ActionNames } from './action-names.js';
import { ActionRows } from './action-rows.js';
import { ActionsController } from './actions.controller.js';
import { ActionsService } from './actions.service.js';

@Module({
  imports: [FiltersModule],
  controllers: [ActionsController],
  providers: [ActionLookup, ActionNames, ActionRows, ActionsService],
  exports: [ActionLookup, ActionNames],
})
export class ActionsModule {}
