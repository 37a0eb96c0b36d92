import { Module } from '@nestjs/common';
import { FiltersModule } from '../filters/filters.module.js';
import { AskingScopes } from './ask/asking-scopes.js';
import { EngineFaults } from './ask/engine-faults.js';
import { EventExpressions } from './ask/event-expressions.js';
import { ExplainService } from './ask/explain.service.js';
import { PropertyTypeReader } from './ask/property-type-reader.js';
import { QueryController } from './ask/query.controller.js';
import { QueryService } from './ask/query.service.js';
import { SchemaService } from './ask/schema.service.js';
import { AnswerSender } from './ask/answer-sender.js';

@Module({
  imports: [FiltersModule],
  controllers: [QueryController],
  providers: [
    AskingScopes,
    EngineFaults,
    EventExpressions,
    ExplainService,
    PropertyTypeReader,
    QueryService,
    SchemaService,
    AnswerSender,
  ],
  exports: [AnswerSender, EngineFaults, EventExpressions, QueryService],
})
export class QueryModule {}
