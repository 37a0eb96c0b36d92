import { applyDecorators, SetMetadata, type Type, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { type AnswerRedaction } from './answer-redaction.js';
import { idempotencyKeyHeader } from './idempotency-parameter.js';
import { idempotencyRuleKey, type IdempotencyRule } from './idempotency-rule.js';

/** The document describes the header once; `replay` is added to the description of the route. */
const idempotent = (rule: IdempotencyRule, replay?: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(idempotencyRuleKey, rule),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: idempotencyKeyHeader,
      required: false,
      ...(replay === undefined ? {} : { description: replay }),
    }),
  );

/**
 * The route honours `Idempotency-Key`. Its handler returns the answer's JSON and has no `@Res()` of its own. An interceptor
 * that transforms the answer must be placed below this decorator, because the lower one of two interceptors is the outer one.
 * Only successes are stored: a failed request may be tried again. Its transactions note in the key that they were committed
 * (`Postgres.transaction`; a single statement notes nothing), so that a request whose answer was lost is not done again. One
 * transaction is best: when a second one fails, the request counts as done. An answer about persons, or with a secret, names a
 * redaction, which is stored in its place; `replay` tells callers what a repeated request gets then.
 */
export const Idempotent = (redaction?: Type<AnswerRedaction>, replay?: string): MethodDecorator =>
  idempotent({ kind: 'stored', redaction: redaction ?? null }, replay && `A repeated request ${replay}.`);

/** A POST that only reads. A handler that sends its answer itself calls `keepAnswer` first. */
export const IdempotentReading = (): MethodDecorator =>
  idempotent(
    { kind: 'repeated', redaction: null },
    'The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.',
  );

/** A handler that reads its body through `withDigest`, and calls `keepAnswer` before the end of its answer. */
export const IdempotentStream = (replay: string): MethodDecorator =>
  idempotent({ kind: 'streamed', redaction: null }, replay);
