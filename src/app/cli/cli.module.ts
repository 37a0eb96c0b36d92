import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { BootstrapService } from '../start/bootstrap.service.js';
import { type Logger } from '../../platform/telemetry/logger.js';
import { type Config } from '../../platform/config/config.js';
import { IdempotencyModule } from '../../kernel/idempotency/idempotency.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { type Database } from './database.js';

@Module({})
export class CliModule {
  static forRoot(config: Config, logger: Logger, { postgres, dataSource }: Database): DynamicModule {
    return {
      module: CliModule,
      imports: [
        PlatformModule.forRoot(config, logger, { postgres, dataSource, clickhouse: null }),
        IdempotencyModule,
        ProjectsModule,
        AuthModule,
      ],
      providers: [BootstrapService],
    };
  }
}
