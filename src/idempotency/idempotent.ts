import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from '../common/errors/problem.dto.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/**
 * The route honours `Idempotency-Key`. Its handler returns the answer's JSON and has no `@Res()` of its own; what turns that
 * into something else stands below this decorator, because the lower one of two interceptors is the outer one. Only success is
 * stored: what failed may be tried again. A process that dies between its commit and storing the answer leaves a key that
 * frees itself, and the request then runs again.
 */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Sent again with the same key within 24 h, the same request gets the same answer and is not repeated.',
      schema: { type: 'string', minLength: 1, maxLength: 255, example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' },
    }),
    ApiResponse({
      status: 409,
      description: 'The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`).',
      content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
    }),
  );
