import { Module } from '@nestjs/common';
import { FilterCohorts } from './filter-cohorts.js';
import { RegexCheck } from './regex-check.js';
import { QuestionWarnings } from './question-warnings.js';
import { UnknownEvents } from './unknown-events.js';
import { UnknownProperties } from './unknown-properties.js';

@Module({
  providers: [FilterCohorts, RegexCheck, UnknownEvents, UnknownProperties, QuestionWarnings],
  exports: [FilterCohorts, QuestionWarnings],
})
export class FiltersModule {}
