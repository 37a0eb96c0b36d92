import { Module } from '@nestjs/common';
import { CohortsModule } from '../cohorts/cohorts.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { ActionsRepository } from './actions.repository.js';
import { ActionsController } from './actions.controller.js';
import { ActionsService } from './actions.service.js';

@Module({
  imports: [CohortsModule, FiltersModule],
  controllers: [ActionsController],
  providers: [ActionsRepository, ActionsService],
})
export class ActionsModule {}
