import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiPayloadTooLargeResponse,
  ApiRequestTimeoutResponse,
  ApiServiceUnavailableResponse,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { ProblemDto, problemResponse } from '../../platform/errors/problem.dto.js';

/** The refusals of routes that a project token opens, except 400. */
export const TokenErrors = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ProblemDto),
    ApiUnauthorizedResponse(problemResponse('No project token, or an unknown one.')),
    ApiRequestTimeoutResponse(problemResponse('The body arrived too slowly; the connection is closed.')),
    ApiPayloadTooLargeResponse(problemResponse('The body has over 512 kB.')),
    ApiTooManyRequestsResponse(
      problemResponse(
        'The project sends too many events and questions, or the remote address too many requests without a valid token.',
      ),
    ),
    ApiServiceUnavailableResponse(problemResponse('PostgreSQL is down: ask again after `Retry-After` seconds.')),
  );
