import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Public } from '../../kernel/access/access.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { metricsContentType } from './metrics-server.js';

/** The controller is part of the application only where METRICS_PORT is not set. */
@ApiTags('Operations')
@Controller()
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get('metrics')
  @Public()
  @Header('Content-Type', metricsContentType)
  @ApiOperation({
    operationId: 'metrics',
    summary: 'Prometheus metrics',
    description: 'In the text format of Prometheus. On a port of its own when `METRICS_PORT` is set.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' }, description: 'All metrics of the process.' })
  prometheus(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
