import { Controller, Get, Header, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { RefusedTokensFilter } from '../events/capture/refused-tokens.filter.js';
import { TokenRequests } from '../events/capture/token-requests.js';
import { Now, ProjectToken } from '../kernel/access/access.js';
import { RawBody } from '../platform/http/body-limit.js';
import { contextOf } from '../platform/http/request-context.js';
import { FlagDecisions } from './evaluation/flag-decisions.js';
import { readFlagRequest } from './sdk/read-flag-request.js';
import { FlagRequestBody, FlagRequestQuery } from './sdk/sdk-flags.openapi.js';
import { sdkAnswer } from './sdk/sdk-answers.js';

const Json = (): MethodDecorator => Header('Content-Type', 'application/json; charset=utf-8');

/** The routes by which the SDKs of the reference product ask for flags. They are lenient, as capture is. */
@ApiTags('Flags')
@Controller()
@UseFilters(RefusedTokensFilter)
export class SdkFlagsController {
  constructor(
    private readonly requests: TokenRequests,
    private readonly decisions: FlagDecisions,
  ) {}

  @Post('flags')
  @Json()
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @FlagRequestBody()
  @ApiOperation({ operationId: 'askFlags', summary: 'The flags of a person, as SDKs ask for them' })
  flags(@Req() request: Request, @Now() now: Date) {
    // Its first version already had values.
    return this.answer(request, now, 3);
  }

  @Get('flags')
  @Json()
  @ProjectToken()
  @FlagRequestQuery()
  @ApiOperation({ operationId: 'askFlagsByQuery', summary: 'The flags of a person, by the query string' })
  flagsByQuery(@Req() request: Request, @Now() now: Date) {
    return this.answer(request, now, 3);
  }

  @Post('decide')
  @Json()
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @FlagRequestBody()
  @ApiOperation({ operationId: 'decideFlags', summary: 'The flags of a person, as older SDKs ask for them' })
  decideFlag(@Req() request: Request, @Now() now: Date) {
    return this.answer(request, now, Number(request.query.v ?? 1));
  }

  @Get('decide')
  @Json()
  @ProjectToken()
  @FlagRequestQuery()
  @ApiOperation({
    operationId: 'decideFlagsByQuery',
    summary: 'The flags of a person, as older SDKs ask for them, by the query string',
  })
  decideByQuery(@Req() request: Request, @Now() now: Date) {
    return this.answer(request, now, Number(request.query.v ?? 1));
  }

  private async answer(request: Request, now: Date, version: number): Promise<string> {
    const { projectId, body } = await this.requests.open(request);
    const decided = await this.decisions.of(projectId, readFlagRequest(body, request.query), now);
    return sdkAnswer(decided, { requestId: contextOf(request).requestId, now, version });
  }
}
