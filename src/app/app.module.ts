import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { ActionsModule } from '../actions/actions.module.js';
import { ActivityModule } from '../activity/activity.module.js';
import { AnalyticsModule } from '../analytics/analytics.module.js';
import { AccountsModule } from '../auth/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { BackupModule } from '../operations/backup/backup.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { CohortsModule } from '../cohorts/cohorts.module.js';
import { KernelModule } from '../kernel/kernel.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { BootstrapService } from './start/bootstrap.service.js';
import { type Logger } from '../platform/telemetry/logger.js';
import { type Config } from '../platform/config/config.js';
import { DeletionsModule } from '../deletions/deletions.module.js';
import { EventsModule } from '../events/events.module.js';
import { FlagsModule } from '../flags/flags.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { GroupsRoutesModule } from '../groups/groups.module.js';
import { HealthModule } from '../operations/health/health.module.js';
import { IdempotencyModule } from '../kernel/idempotency/idempotency.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { McpModule } from '../mcp/mcp.module.js';
import { PersonsRoutesModule } from '../persons/persons.module.js';
import { ProjectsRoutesModule } from '../projects/projects-routes.module.js';
import { QueryModule } from '../sql/query.module.js';
import { QuotasModule } from '../projects/quotas/quotas.module.js';
import { type QuestionOfNode } from '../saved/insights/question-of-node.js';
import { NodeResponder } from '../nodes/node-responder.js';
import { SavedModule } from '../saved/saved.module.js';
import { type Stores } from '../kernel/stores/open-stores.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';

/** Loaded with the first node, because most installations never save one. */
const readNode: QuestionOfNode = async (sent, attr) =>
  (await import('../nodes/question-of-node.js')).questionOfNode(sent, attr);

@Module({})
export class AppModule {
  static forRoot(
    config: Config,
    logger: Logger,
    stores: Pick<Stores, 'postgres' | 'dataSource' | 'clickhouse'>,
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config, logger, stores),
        KernelModule,
        ScheduleModule.forRoot(),
        IdempotencyModule,
        ActivityModule,
        AuditModule,
        ProjectsModule,
        ProjectsRoutesModule,
        AuthModule,
        ...(config.console ? [AccountsModule] : []),
        ActionsModule,
        EventsModule,
        FlagsModule,
        GroupsRoutesModule,
        CohortsModule,
        WebhooksModule,
        QuotasModule,
        AnalyticsModule,
        QueryModule,
        NodesModule,
        SavedModule.forRoot(readNode, NodesModule, NodeResponder),
        CatalogueModule,
        DeletionsModule,
        ExportsModule,
        McpModule.forRoot(config),
        BackupModule,
        HealthModule.forRoot(config),
        PersonsRoutesModule,
      ],
      providers: [BootstrapService],
    };
  }
}
