import { Module } from '@nestjs/common';
import { QuotaMetrics } from './quota-metrics.js';
import { QuotaWatch } from './quota-watch.js';
import { QuotasController } from './quotas.controller.js';
import { QuotasService } from './quotas.service.js';

@Module({
  controllers: [QuotasController],
  providers: [QuotaMetrics, QuotaWatch, QuotasService],
})
export class QuotasModule {}
