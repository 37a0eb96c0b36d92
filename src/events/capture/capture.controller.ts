import { Controller, Get, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Now, ProjectToken } from '../../kernel/access/access.js';
import { RawBody } from '../../platform/http/body-limit.js';
import { CaptureBody, CaptureErrors, CaptureParameters } from './capture.openapi.js';
import { CaptureReplyDto, CaptureResultsDto } from './capture.dto.js';
import { CaptureService, captureRequest } from './capture.service.js';
import { Senders } from './senders.js';
import { RefusedTokensFilter } from './refused-tokens.filter.js';

const paths = ['batch', 'capture', 'e', 'i/v0/e', 'track', 'engage'];

/** The routes to which SDKs send events. The payload contains the project token. */
@ApiTags('Capture')
@Controller()
@UseFilters(RefusedTokensFilter)
export class CaptureController {
  constructor(
    private readonly service: CaptureService,
    private readonly senders: Senders,
  ) {}

  @Post(paths)
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @CaptureBody()
  @CaptureParameters()
  @CaptureErrors()
  @ApiConsumes('application/json')
  @ApiOperation({ operationId: 'capture', summary: 'Capture events; 200 means they are committed on disk' })
  @ApiOkResponse({ type: CaptureReplyDto })
  capture(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Now() now: Date,
  ): Promise<CaptureReplyDto | void> {
    return this.take(request, response, now);
  }

  @Get(paths)
  @ProjectToken()
  @CaptureParameters()
  @CaptureErrors()
  @ApiOperation({ operationId: 'captureByQuery', summary: 'Capture events from ?data=' })
  @ApiOkResponse({ type: CaptureReplyDto })
  captureByQuery(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Now() now: Date,
  ): Promise<CaptureReplyDto | void> {
    return this.take(request, response, now);
  }

  @Post('i/v1/analytics/events')
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @CaptureBody()
  @CaptureParameters()
  @CaptureErrors()
  @ApiConsumes('application/json')
  @ApiOperation({
    operationId: 'captureWithResults',
    summary: 'Capture events, with the project token as bearer',
    description: 'Returns a result for each event, by its uuid.',
  })
  @ApiOkResponse({ type: CaptureResultsDto })
  async captureWithResults(@Req() request: Request, @Now() now: Date): Promise<CaptureResultsDto> {
    return this.service.captureWithResults(await captureRequest(request), {
      now,
      engage: false,
      sender: this.senders.of(request),
    });
  }

  private async take(request: Request, response: Response, now: Date): Promise<CaptureReplyDto | void> {
    const sent = await captureRequest(request);
    const reply = await this.service.capture(sent, {
      now,
      engage: request.path.startsWith('/engage'),
      sender: this.senders.of(request),
    });
    // The page that sends a beacon is being closed and reads no body.
    if (sent.query.get('beacon') !== '1') return reply;
    response.status(204);
  }
}
