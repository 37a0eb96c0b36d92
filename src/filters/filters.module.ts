import { Module } from '@nestjs/common';
import { FilterCohorts } from './checks/filter-cohorts.js';
import { RegexCheck } from './checks/regex-check.js';
import { QuestionWarnings } from './warnings/question-warnings.js';
import { UnknownEvents } from './warnings/unknown-events.js';
import { UnknownProperties } from './warnings/unknown-properties.js';

@Module({
  providers: [FilterCohorts, RegexCheck, UnknownEvents, UnknownProperties, QuestionWarnings],
  exports: [FilterCohorts, QuestionWarnings],
})
export class FiltersModule {}
