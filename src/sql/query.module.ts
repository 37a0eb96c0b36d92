import { Module } from '@nestjs/common';
import { MemberQueries } from '../kernel/memberships/member-queries.js';
import { FiltersModule } from '../filters/filters.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { AskingScopes } from './ask/asking-scopes.js';
import { EngineFaults } from './ask/engine-faults.js';
import { ExplainService } from './ask/explain.service.js';
import { PropertyTypeReader } from './ask/property-type-reader.js';
import { QueryController } from './ask/query.controller.js';
import { QueryService } from './ask/query.service.js';
import { SchemaService } from './ask/schema.service.js';
import { SendAnswers } from './ask/send-answers.js';
import { SelectedMembers } from './members/selected-members.js';

@Module({
  imports: [FiltersModule, PersonsModule],
  controllers: [QueryController],
  providers: [
    AskingScopes,
    EngineFaults,
    ExplainService,
    PropertyTypeReader,
    QueryService,
    SchemaService,
    SendAnswers,
    { provide: MemberQueries, useClass: SelectedMembers },
  ],
  exports: [MemberQueries, QueryService],
})
export class QueryModule {}
