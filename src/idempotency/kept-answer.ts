import { type Request } from 'express';
import { type ProjectContext } from '../common/project-context.js';

/**
 * What is stored of an answer that speaks of persons, instead of the answer: nothing that must be gone when a person is. A
 * provider of the route's module, named in `@Idempotent()`.
 */
export interface KeptAnswer<Answer = unknown, Kept = unknown> {
  keep(answer: Answer): Kept;
  /** The answer of now, for the same request; a Problem when what it spoke of is gone. */
  restore(kept: Kept, project: ProjectContext, request: Request): Promise<Answer>;
}

export const KEPT_ANSWER = 'kohort:kept-answer';
