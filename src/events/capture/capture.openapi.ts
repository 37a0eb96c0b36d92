import { applyDecorators } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiPayloadTooLargeResponse,
  ApiQuery,
  ApiRequestTimeoutResponse,
  ApiServiceUnavailableResponse,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ProblemDto } from '../../platform/errors/problem.dto.js';
import { CaptureProblemDto } from './capture.dto.js';
import { captureBodySchema } from './capture-body.openapi.js';

const problem = (description: string, model: typeof ProblemDto = ProblemDto) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(model) } } },
});

export const DataParameter = (): MethodDecorator =>
  ApiQuery({
    name: 'data',
    required: false,
    description: 'The payload when there is no body: JSON, or base64 of it.',
    schema: { type: 'string' },
  });

export const CaptureParameters = (): MethodDecorator =>
  applyDecorators(
    ApiQuery({
      name: 'beacon',
      required: false,
      description: '1: the answer is 204 without a body.',
      schema: { type: 'string', enum: ['0', '1'] },
    }),
    ApiQuery({
      name: 'compression',
      required: false,
      description: 'A hint; the body itself decides.',
      schema: { type: 'string', example: 'gzip-js' },
    }),
    ApiQuery({
      name: '_',
      required: false,
      description: 'When the request was sent, in milliseconds.',
      schema: { type: 'string' },
    }),
    DataParameter(),
    ApiNoContentResponse({ description: 'Like 200, for a beacon.' }),
  );

export const CaptureErrors = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ProblemDto, CaptureProblemDto),
    ApiBadRequestResponse(
      problem(
        'The body cannot be read, or every event was rejected; `rejected` contains the reasons.',
        CaptureProblemDto,
      ),
    ),
    ApiUnauthorizedResponse(problem('No project token, or an unknown one; or an unknown API key beside it.')),
    ApiForbiddenResponse(
      problem('The API key beside the token may not change what the project protects, or a page sent it.'),
    ),
    ApiRequestTimeoutResponse(problem('The body arrived too slowly or stopped arriving; the connection is closed.')),
    ApiPayloadTooLargeResponse(
      problem(
        'Over 20 MB or 10,000 events; or, beyond 1 MB, unpacked to over 200 times its size; or every event has over 1 MB.',
        CaptureProblemDto,
      ),
    ),
    ApiTooManyRequestsResponse(
      problem(
        'The project captures too many events, or the remote address sends too many requests without a valid token or too many bytes at a time. Nothing was stored: send it again after `Retry-After` seconds.',
      ),
    ),
    ApiServiceUnavailableResponse(problem('Nothing was acknowledged: send it again after `Retry-After` seconds.')),
  );

export const CaptureBody = (): MethodDecorator =>
  ApiBody({
    description:
      'One event, a list of events, or a batch; plain, gzip, base64 or a form field `data`, whatever the headers say. ' +
      'Base64 and forms may have at most 2 MB. An event of more than 1 MB, 10,000 values or 100 levels is rejected without the others.',
    schema: { ...captureBodySchema, example: batchExample },
  });

const batchExample = {
  api_key: 'phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj',
  batch: [
    {
      event: 'signed up',
      distinct_id: 'ada',
      timestamp: '2026-01-02T10:00:00.000Z',
      properties: { plan: 'pro', $set: { email: 'ada@example.test' } },
    },
  ],
};
