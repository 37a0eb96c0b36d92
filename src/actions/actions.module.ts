import { Module } from '@nestjs/common';
import { FiltersModule } from '../filters/filters.module.js';
import { ActionLookup } from '../filters/actions/action-lookup.js';
import { ActionNames } from '../filters/actions/action-names.js';
import { ActionReader } from './action-reader.js';
import { ActionsController } from './actions.controller.js';
import { ActionsService } from './actions.service.js';

@Module({
  imports: [FiltersModule],
  controllers: [ActionsController],
  providers: [ActionLookup, ActionNames, ActionReader, ActionsService],
  exports: [ActionLookup, ActionNames],
})
export class ActionsModule {}
