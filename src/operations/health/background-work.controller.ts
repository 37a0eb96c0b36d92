import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { RequiresScope } from '../../kernel/access/access.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { BackgroundWork } from './background-work.js';
import { BackgroundWorkDto } from './health.dto.js';

@ApiTags('Operations')
@Controller('api/background_work')
export class BackgroundWorkController {
  constructor(private readonly work: BackgroundWork) {}

  @Get()
  @RequiresScope('*')
  @ApiOperation({
    operationId: 'listBackgroundWork',
    summary: 'What waits for background work, in all projects; what has waited longest first',
    description:
      'What has waited for long is late: the log of the workers says why. Compression and the archive are listed by the ' +
      'process that does them.',
  })
  @ApiOkResponse({ type: PageDto(BackgroundWorkDto) })
  async list(@Req() request: Request, @Query() page: PageQuery): Promise<Page<BackgroundWorkDto>> {
    const { limit, offset } = page;
    const all = [...(await this.work.waiting())]
      .map(([task, { waiting, waitedSeconds }]) => ({ task, waiting, oldest_waiting_seconds: waitedSeconds }))
      .sort((a, b) => b.oldest_waiting_seconds - a.oldest_waiting_seconds);
    return pageOf(request, page, { count: all.length, results: all.slice(offset, offset + limit) });
  }
}
