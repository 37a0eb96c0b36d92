import { inFormWords } from './field-words';
import { type Schemas } from './types';

export type Problem = Omit<Schemas['ProblemDto'], 'request_id'>;

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';

/** An answer of the service that is not a success. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(inFormWords(problem.detail, problem.attr));
    this.name = 'ProblemError';
  }

  static of(body: unknown, status: number): ProblemError {
    if (isProblem(body)) return new ProblemError({ ...body, status });
    return new ProblemError({
      type: 'server_error',
      code: 'error',
      detail: `The service answered with status ${status}.`,
      attr: null,
      status,
    });
  }

  get isTemporary(): boolean {
    return this.problem.status === 503 || this.problem.status === 429;
  }

  get isSignedOut(): boolean {
    return this.problem.status === 401;
  }
}
