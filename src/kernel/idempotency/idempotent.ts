import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { idempotencyKeyHeader } from './idempotency-parameter.js';
import { idempotencyRuleKey, type IdempotencyRule, type AnswerReplay } from './idempotency-rule.js';

/** The document describes the header once; `says` is added to the description of the route. */
const idempotent = (rule: IdempotencyRule, says?: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(idempotencyRuleKey, rule),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: idempotencyKeyHeader,
      required: false,
      ...(says === undefined ? {} : { description: says }),
    }),
  );

/**
 * The route honours `Idempotency-Key`. Its handler returns the answer's JSON and has no `@Res()` of its own. An interceptor
 * that transforms the answer must be placed below this decorator, because the lower one of two interceptors is the outer one.
 * Only successes are stored: a failed request may be tried again. Its transactions note in the key that they were committed
 * (`Postgres.transaction`; a single statement notes nothing), so that a request whose answer was lost is not done again. One
 * transaction is best: when a second one fails, the request counts as done. An answer about persons, or with a secret, is not
 * stored: `replay` says what is stored instead, and reads the answer again.
 */
export const Idempotent = <Service, Answer, Kept>(replay?: AnswerReplay<Service, Answer, Kept>): MethodDecorator =>
  idempotent({ kind: 'stored', replay: replay ?? null }, replay?.says && `A repeated request ${replay.says}.`);

/** A POST that only reads. A handler that sends its answer itself calls `storeAnswer` first. */
export const IdempotentReading = (): MethodDecorator =>
  idempotent(
    { kind: 'repeated', replay: null },
    'The answer is not stored: a repeated request with the same `Idempotency-Key` is answered again, for the moment of the first.',
  );

/** A handler that reads its body through `withDigest`, and calls `storeAnswer` before the end of its answer. */
export const IdempotentStream = (says: string): MethodDecorator => idempotent({ kind: 'streamed', replay: null }, says);
