import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ProjectToken } from '../../common/access/access.js';
import { RawBody } from '../../common/http/body.interceptor.js';
import { Now } from '../../common/http/request-context.js';
import { CaptureBody, CaptureErrors } from './capture.openapi.js';
import { CaptureReplyDto } from './capture.dto.js';
import { CaptureService } from './capture.service.js';
import { MAX_BATCH_BYTES } from './limits.js';
import { readRawBody } from './raw-body.js';

const singleEventPaths = ['batch', 'capture', 'e', 'i/v0/e', 'track'];

/** Where SDKs send events. The project token stands inside the payload. */
@ApiTags('Capture')
@Controller()
export class CaptureController {
  constructor(private readonly service: CaptureService) {}

  @Post(singleEventPaths)
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @CaptureBody()
  @CaptureErrors()
  @ApiConsumes('application/json')
  @ApiOperation({ operationId: 'capture', summary: 'Take in events; 200 means they are committed on disk' })
  @ApiOkResponse({ type: CaptureReplyDto })
  capture(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Now() now: Date,
  ): Promise<CaptureReplyDto | void> {
    return this.take(request, response, now, false);
  }

  @Get(singleEventPaths)
  @ProjectToken()
  @CaptureErrors()
  @ApiOperation({ operationId: 'captureByQuery', summary: 'Take in events from ?data=' })
  @ApiOkResponse({ type: CaptureReplyDto })
  captureByQuery(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Now() now: Date,
  ): Promise<CaptureReplyDto | void> {
    return this.take(request, response, now, false);
  }

  @Post('engage')
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @CaptureBody()
  @CaptureErrors()
  @ApiConsumes('application/json')
  @ApiOperation({ operationId: 'engage', summary: 'Take in events; one without a name is $identify' })
  @ApiOkResponse({ type: CaptureReplyDto })
  engage(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Now() now: Date,
  ): Promise<CaptureReplyDto | void> {
    return this.take(request, response, now, true);
  }

  private async take(
    request: Request,
    response: Response,
    now: Date,
    engage: boolean,
  ): Promise<CaptureReplyDto | void> {
    const body = request.method === 'POST' ? await readRawBody(request, MAX_BATCH_BYTES) : Buffer.alloc(0);
    const query = new URL(request.originalUrl, 'http://localhost').searchParams;
    const reply = await this.service.capture(
      { method: request.method, query, headers: request.headers, body },
      { now, engage },
    );
    // A beacon is sent by a page that is going away: nobody reads a body.
    if (query.get('beacon') !== '1') return reply;
    response.status(204);
  }
}
