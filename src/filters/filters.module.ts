import { Module } from '@nestjs/common';
import { FilterCohorts } from './filter-cohorts.js';
import { RegexCheck } from './regex-check.js';
import { UnknownEvents } from './unknown-events.js';

@Module({
  providers: [FilterCohorts, RegexCheck, UnknownEvents],
  exports: [FilterCohorts, UnknownEvents],
})
export class FiltersModule {}
