import { Module } from '@nestjs/common';
import { ActionLookup } from './actions/action-lookup.js';
import { ActionNames } from './actions/action-names.js';
import { FilterCohorts } from './checks/filter-cohorts.js';
import { RegexCheck } from './checks/regex-check.js';
import { QuestionWarnings } from './warnings/question-warnings.js';
import { UnknownEvents } from './warnings/unknown-events.js';
import { UnknownProperties } from './warnings/unknown-properties.js';

@Module({
  providers: [ActionLookup, ActionNames, FilterCohorts, RegexCheck, UnknownEvents, UnknownProperties, QuestionWarnings],
  exports: [ActionLookup, ActionNames, FilterCohorts, QuestionWarnings],
})
export class FiltersModule {}
