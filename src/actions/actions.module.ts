import { Module } from '@nestjs/common';
import { FiltersModule } from '../filters/filters.module.js';
import { ActionLookup } from './action-lookup.js';
import { ActionRows } from './action-rows.js';
import { ActionsController } from './actions.controller.js';
import { ActionsService } from './actions.service.js';

@Module({
  imports: [FiltersModule],
  controllers: [ActionsController],
  providers: [ActionLookup, ActionRows, ActionsService],
  exports: [ActionLookup],
})
export class ActionsModule {}
