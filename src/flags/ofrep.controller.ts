import { applyDecorators, Controller, HttpCode, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { TokenRequests } from '../events/capture/token-requests.js';
import { Now, ProjectToken } from '../kernel/access/access.js';
import { RawBody } from '../platform/http/body-limit.js';
import { problemResponse } from '../platform/errors/problem.dto.js';
import { sendUnlessKnown } from '../platform/http/etag.js';
import { FlagDecisions } from './evaluation/flag-decisions.js';
import { requestIn, ofrepFlag } from './ofrep/ofrep-answers.js';
import { OfrepFaultsFilter } from './ofrep/ofrep-faults.filter.js';
import { TokenErrors } from './sdk/token-errors.openapi.js';
import { type OfrepErrorCode, OfrepFailureDto, OfrepFlagDto, OfrepFlagsDto } from './ofrep/ofrep.dto.js';

const explained =
  'The token of the project is the bearer, or `X-API-Key`. `context.targetingKey` is the distinct id, `context.groups` has the keys ' +
  'of groups by their types, and everything else in the context takes the place of stored properties of the person.';

const ContextBody = (): MethodDecorator =>
  ApiBody({
    schema: {
      type: 'object',
      properties: {
        context: {
          type: 'object',
          properties: {
            targetingKey: { type: 'string' },
            groups: { type: 'object', additionalProperties: true },
            group_properties: { type: 'object', additionalProperties: true },
          },
          additionalProperties: true,
        },
      },
      additionalProperties: true,
      example: { context: { targetingKey: 'ada', plan: 'pro' } },
    },
  });

const OfrepErrors = (): MethodDecorator =>
  applyDecorators(
    TokenErrors(),
    ApiExtraModels(OfrepFailureDto),
    ApiBadRequestResponse({
      description: 'The context has no targeting key, or the body cannot be read.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(OfrepFailureDto) } },
        ...problemResponse('').content,
      },
    }),
  );

const withoutKey = 'context.targetingKey is missing: send the distinct id';

/** The OpenFeature Remote Evaluation Protocol, by which every SDK of OpenFeature asks for flags. */
@ApiTags('Flags')
@Controller('ofrep/v1/evaluate/flags')
@UseFilters(OfrepFaultsFilter)
export class OfrepController {
  constructor(
    private readonly requests: TokenRequests,
    private readonly decisions: FlagDecisions,
  ) {}

  @Post()
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @ContextBody()
  @ApiHeader({ name: 'If-None-Match', required: false, description: 'The `ETag` of an answer that the client has.' })
  @ApiOperation({
    operationId: 'evaluateFlags',
    summary: 'All flags for a person, by the OpenFeature Remote Evaluation Protocol',
    description: explained,
  })
  @ApiOkResponse({ type: OfrepFlagsDto, headers: { ETag: { schema: { type: 'string' } } } })
  @ApiResponse({ status: 304, description: 'The answer is the one that the client has.' })
  @OfrepErrors()
  async all(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Now() now: Date,
  ): Promise<OfrepFlagsDto | OfrepFailureDto | undefined> {
    const { projectId, body } = await this.open(request);
    const requested = requestIn(body, null);
    if (!requested) return failure(response, 400, { errorCode: 'TARGETING_KEY_MISSING', errorDetails: withoutKey });
    const decided = await this.decisions.of(projectId, requested, now);
    return sendUnlessKnown(request, response, { flags: decided.map(ofrepFlag) });
  }

  @Post(':key')
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @ContextBody()
  @ApiParam({ name: 'key', description: 'The key of the flag.', schema: { type: 'string' } })
  @ApiOperation({
    operationId: 'evaluateFlag',
    summary: 'One flag for a person, by the OpenFeature Remote Evaluation Protocol',
    description: explained,
  })
  @ApiOkResponse({ type: OfrepFlagDto })
  @OfrepErrors()
  @ApiNotFoundResponse({ type: OfrepFailureDto })
  async one(
    @Param('key') key: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Now() now: Date,
  ): Promise<OfrepFlagDto | OfrepFailureDto> {
    const { projectId, body } = await this.open(request);
    const requested = requestIn(body, [key]);
    if (!requested)
      return failure(response, 400, { key, errorCode: 'TARGETING_KEY_MISSING', errorDetails: withoutKey });
    const [decided] = await this.decisions.of(projectId, requested, now);
    if (decided) return ofrepFlag(decided);
    return failure(response, 404, { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `there is no flag ${key}` });
  }

  private open(request: Request) {
    return this.requests.open(request, request.get('x-api-key') || null);
  }
}

interface Failure {
  readonly key?: string;
  readonly errorCode: OfrepErrorCode;
  readonly errorDetails: string;
}

const failure = (response: Response, status: 400 | 404, body: Failure): OfrepFailureDto => {
  response.status(status);
  return body;
};
