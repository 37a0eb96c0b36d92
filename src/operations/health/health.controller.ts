import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { HealthCheck } from '../../kernel/access/access.js';
import { LiveDto, ReadyDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('Operations')
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('_livez')
  @HealthCheck()
  @ApiOperation({
    operationId: 'live',
    summary: 'The process runs',
    description: 'For a supervisor that restarts a process: it asks no store.',
  })
  @ApiOkResponse({ type: LiveDto, description: 'The process runs.' })
  live(): LiveDto {
    return { status: 'ok' };
  }

  @Get('_readyz')
  @HealthCheck()
  @ApiOperation({
    operationId: 'ready',
    summary: 'The process can take requests',
    description:
      'For a load balancer. It answers 503 while PostgreSQL is away or takes no changes, a migration is missing or the process stops; a worker also while ClickHouse is away, or its database is not the projection of this PostgreSQL. Without ClickHouse, and while that is being filled, a process with the API stays ready, because it takes in events. `can` says which part of the work is possible, and `checks` why; `checks.postgres` also names settings of the server that let a crash lose what was acknowledged.',
  })
  @ApiOkResponse({ type: ReadyDto, description: 'The process can answer.' })
  @ApiServiceUnavailableResponse({ type: ReadyDto, description: 'It cannot; `checks` says why.' })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyDto> {
    const report = await this.health.ready();
    response.status(report.status === 'ready' ? 200 : 503);
    return report;
  }
}
