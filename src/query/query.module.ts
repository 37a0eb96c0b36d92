import { Global, Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { QueriedMembers } from '../cohorts/static/queried-members.js';
import { AskingScopes } from './ask/asking-scopes.js';
import { ExplainService } from './ask/explain.service.js';
import { MembersOfQuery } from './ask/members-of-query.js';
import { QueryController } from './ask/query.controller.js';
import { QueryService } from './ask/query.service.js';
import { SchemaService } from './ask/schema.service.js';
import { SendAnswers } from './ask/send-answers.js';

/** The module is global because of `QueriedMembers`: cohorts lie below and cannot import it. */
@Global()
@Module({
  imports: [ActionsModule, FiltersModule, PersonsModule],
  controllers: [QueryController],
  providers: [
    { provide: QueriedMembers, useClass: MembersOfQuery },
    AskingScopes,
    ExplainService,
    QueryService,
    SchemaService,
    SendAnswers,
  ],
  exports: [QueriedMembers],
})
export class QueryModule {}
