import { type Request } from 'express';
import { type ProjectContext } from '../common/project-context.js';

/**
 * Defines what is stored in place of an answer about persons: nothing that must disappear with a person. The class is a
 * provider of the route's module and is named in `@Idempotent()`.
 */
export interface AnswerRedaction<Answer = unknown, Redacted = unknown> {
  redact(answer: Answer): Redacted;
  /** Rebuilds the answer from current data, for the same request; throws a Problem when its subject is gone. */
  restore(redacted: Redacted, project: ProjectContext, request: Request): Promise<Answer>;
}

export const answerRedactionKey = 'kohort:answer-redaction';
