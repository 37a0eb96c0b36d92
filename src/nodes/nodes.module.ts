import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../analytics/analytics.module.js';
import { CohortsModule } from '../cohorts/cohorts.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { PersonsModule } from '../persons/persons.module.js';
import { QueryModule } from '../sql/query.module.js';
import { InsightLookup } from './kinds/insight-lookup.js';
import { NodeResponder } from './node-responder.js';
import { NodesController } from './nodes.controller.js';

/** The module must be imported after that of SQL, because `query/:query` would capture `query/explain` and `query/schema`. */
@Module({
  imports: [AnalyticsModule, CohortsModule, GroupsModule, PersonsModule, QueryModule],
  controllers: [NodesController],
  providers: [InsightLookup, NodeResponder],
  exports: [NodeResponder],
})
export class NodesModule {}
