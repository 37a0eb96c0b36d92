import { applyDecorators, SetMetadata, type Type, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from '../common/errors/problem.dto.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { answerRedactionKey, type AnswerRedaction } from './answer-redaction.js';

/**
 * The route honours `Idempotency-Key`. Its handler returns the answer's JSON and has no `@Res()` of its own. An interceptor
 * that transforms the answer must be placed below this decorator, because the lower one of two interceptors is the outer one.
 * Only successes are stored: a failed request may be tried again. A process that dies between its commit and storing the
 * answer leaves a key that frees itself, and the request then runs again. An answer about persons names a redaction, which is
 * stored in its place.
 */
export const Idempotent = (redaction?: Type<AnswerRedaction>, replay = 'gets the same answer'): MethodDecorator =>
  applyDecorators(
    SetMetadata(answerRedactionKey, redaction),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: `A request that is sent again with the same key within 24 h ${replay} and does not run again.`,
      schema: { type: 'string', minLength: 1, maxLength: 255, example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' },
    }),
    ApiResponse({
      status: 409,
      description: 'The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`).',
      content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
    }),
  );
