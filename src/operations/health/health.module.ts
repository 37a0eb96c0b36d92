import { Module, type DynamicModule } from '@nestjs/common';
import { type Config } from '../../platform/config/config.js';
import { CostMetrics } from './cost-metrics.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { BackgroundMetrics } from './background-metrics.js';
import { BackgroundWork } from './background-work.js';
import { BackgroundWorkController } from './background-work.controller.js';
import { StoreMetrics } from './store-metrics.js';
import { HomeController } from './home.controller.js';
import { MetricsController } from './metrics.controller.js';

@Module({})
export class HealthModule {
  static forRoot({ metricsPort }: Pick<Config, 'metricsPort'>): DynamicModule {
    return {
      module: HealthModule,
      controllers: [
        HomeController,
        HealthController,
        BackgroundWorkController,
        ...(metricsPort === null ? [MetricsController] : []),
      ],
      providers: [BackgroundMetrics, BackgroundWork, CostMetrics, HealthService, StoreMetrics],
    };
  }
}
