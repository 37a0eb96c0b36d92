import { Module } from '@nestjs/common';
import { FilterCohorts } from './filter-cohorts.js';
import { RegexCheck } from './regex-check.js';

@Module({
  providers: [FilterCohorts, RegexCheck],
  exports: [FilterCohorts],
})
export class FiltersModule {}
