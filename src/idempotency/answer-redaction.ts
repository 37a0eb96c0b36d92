import { type Request } from 'express';
import { type ProjectContext } from '../common/project-context.js';

/**
 * Defines what is stored in place of an answer about persons, or of one with a secret: nothing that must disappear with a
 * person, and no secret. The class is a provider of the route's module and is named in `@Idempotent()`.
 */
export interface AnswerRedaction<Answer = unknown, Redacted = unknown> {
  redact(answer: Answer): Redacted;
  /**
   * Rebuilds the answer from current data, for the same request; throws a Problem when its subject is gone, or when the caller
   * may not see it. `project` is null on a route outside projects.
   */
  restore(redacted: Redacted, project: ProjectContext | null, request: Request): Promise<Answer>;
}
