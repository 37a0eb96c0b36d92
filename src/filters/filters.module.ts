import { Module } from '@nestjs/common';
import { ActionLookup } from './actions/action-lookup.js';
import { ActionNames } from './actions/action-names.js';
import { FilterChecks } from './checks/filter-checks.js';
import { QuestionWarnings } from './warnings/question-warnings.js';

const services = [ActionLookup, ActionNames, FilterChecks, QuestionWarnings];

@Module({ providers: services, exports: services })
export class FiltersModule {}
