import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { AskingScopes } from './ask/asking-scopes.js';
import { QueryController } from './ask/query.controller.js';
import { QueryService } from './ask/query.service.js';
import { SendAnswers } from './ask/send-answers.js';

@Module({
  imports: [ActionsModule, FiltersModule],
  controllers: [QueryController],
  providers: [AskingScopes, QueryService, SendAnswers],
})
export class QueryModule {}
