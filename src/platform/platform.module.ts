import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config/config.js';
import { ActiveProjects } from './work/active-projects.js';
import { Workers } from './work/workers.js';
import { Drain } from './http/drain.js';
import { LOGGER, type Logger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.js';

/** Providers that every module may inject without importing them. */
@Global()
@Module({})
export class CommonModule {
  static forRoot(config: Config, logger: Logger): DynamicModule {
    return {
      module: CommonModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: LOGGER, useValue: logger },
        Metrics,
        ActiveProjects,
        Drain,
        Workers,
      ],
      exports: [Config, LOGGER, Metrics, ActiveProjects, Drain, Workers],
    };
  }
}
