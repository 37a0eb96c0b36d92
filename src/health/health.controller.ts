import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { Public } from '../common/access/access.js';
import { Metrics } from '../common/metrics/metrics.js';
import { LiveDto, ReadyDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('Operations')
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {}

  @Get('_livez')
  @Public()
  @ApiOperation({ operationId: 'live', summary: 'The process runs' })
  @ApiOkResponse({ type: LiveDto })
  live(): LiveDto {
    return { status: 'ok' };
  }

  @Get('_readyz')
  @Public()
  @ApiOperation({ operationId: 'ready', summary: 'The stores answer and are migrated' })
  @ApiOkResponse({ type: ReadyDto })
  @ApiServiceUnavailableResponse({ type: ReadyDto })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyDto> {
    const report = await this.health.ready();
    response.status(report.status === 'ready' ? 200 : 503);
    return report;
  }

  @Get('metrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({ operationId: 'metrics', summary: 'Prometheus metrics' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' } })
  prometheus(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
