import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { AskingScopes } from './ask/asking-scopes.js';
import { ExplainService } from './ask/explain.service.js';
import { QueryController } from './ask/query.controller.js';
import { QueryService } from './ask/query.service.js';
import { SchemaService } from './ask/schema.service.js';
import { SendAnswers } from './ask/send-answers.js';

@Module({
  imports: [ActionsModule, FiltersModule, PersonsModule],
  controllers: [QueryController],
  providers: [AskingScopes, ExplainService, QueryService, SchemaService, SendAnswers],
})
export class QueryModule {}
