import { type Request } from 'express';
import { type ProjectContext } from '../common/project-context.js';

/**
 * What is stored of an answer that speaks of persons, instead of the answer: nothing that must be gone when a person is. A
 * provider of the route's module, named in `@Idempotent()`.
 */
export interface AnswerRedaction<Answer = unknown, Redacted = unknown> {
  redact(answer: Answer): Redacted;
  /** The answer of now, for the same request; a Problem when what it spoke of is gone. */
  restore(redacted: Redacted, project: ProjectContext, request: Request): Promise<Answer>;
}

export const answerRedactionKey = 'kohort:answer-redaction';
