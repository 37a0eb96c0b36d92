import { Module } from '@nestjs/common';
import { ProjectCostsController } from './project-costs.controller.js';
import { ProjectCosts } from './project-costs.js';
import { QuotaMetrics } from './quota-metrics.js';
import { QuotaWatch } from './quota-watch.js';
import { QuotasController } from './quotas.controller.js';
import { QuotasService } from './quotas.service.js';

@Module({
  controllers: [ProjectCostsController, QuotasController],
  providers: [ProjectCosts, QuotaMetrics, QuotaWatch, QuotasService],
})
export class QuotasModule {}
