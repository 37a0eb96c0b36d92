import { type Type } from '@nestjs/common';
import { type AnswerRedaction } from './answer-redaction.js';

/** What becomes of the answer to a request with an `Idempotency-Key`. */
export interface IdempotencyRule {
  /**
   * `stored`: a replay gets the stored answer. `repeated`: the request only reads, so its answer is not stored, and a
   * replay runs it again for the moment of the first request. `streamed`: as `stored`, for a handler that reads a body of any
   * size and sends its answer itself.
   */
  readonly kind: 'stored' | 'repeated' | 'streamed';
  readonly redaction: Type<AnswerRedaction> | null;
}

export const idempotencyRuleKey = 'kohort:idempotency-rule';
