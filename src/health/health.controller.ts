import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { HealthCheck } from '../common/access/access.js';
import { LiveDto, ReadyDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('Operations')
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('_livez')
  @HealthCheck()
  @ApiOperation({ operationId: 'live', summary: 'The process runs' })
  @ApiOkResponse({ type: LiveDto })
  live(): LiveDto {
    return { status: 'ok' };
  }

  @Get('_readyz')
  @HealthCheck()
  @ApiOperation({ operationId: 'ready', summary: 'The stores answer and are migrated' })
  @ApiOkResponse({ type: ReadyDto })
  @ApiServiceUnavailableResponse({ type: ReadyDto })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyDto> {
    const report = await this.health.ready();
    response.status(report.status === 'ready' ? 200 : 503);
    return report;
  }
}
