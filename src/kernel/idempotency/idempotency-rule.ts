import { type Type } from '@nestjs/common';
import { type Request } from 'express';

/** Answers a repeated request where the first answer must not be stored, because it is about persons or has a secret. */
export interface AnswerReplay<Service = unknown, Answer = unknown, Kept = unknown> {
  /** The service that the route's own GET uses to read. */
  readonly reader?: Type<Service>;
  /** Returns what is stored in place of the answer: ids, nothing that must disappear with a person, and no secret. */
  keep(answer: Answer): Kept;
  /** Makes the answer of current data; throws a Problem when its subject is gone, or when the caller may not see it. */
  read(reader: Service, kept: Kept, request: Request): Answer | Promise<Answer>;
  /** Tells callers what a repeated request gets. */
  readonly says?: string;
}

/** Says how the answer to a request with an `Idempotency-Key` is stored and replayed. */
export interface IdempotencyRule {
  /**
   * `stored`: a replay gets the stored answer, or what `replay` reads. `repeated`: the request only reads, so its answer is not
   * stored, and a replay runs it again for the moment of the first request. `streamed`: like `stored`, but for a handler that
   * reads a body of any size and sends its answer itself.
   */
  readonly kind: 'stored' | 'repeated' | 'streamed';
  readonly replay: AnswerReplay | null;
}

export const idempotencyRuleKey = 'kohort:idempotency-rule';
