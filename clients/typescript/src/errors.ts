import { retryAfterOf } from './retries.js';
import type { components } from './schema.js';

/** The body of every error of the service. */
export type Problem = components['schemas']['ProblemDto'];

/** A request that the service has refused. `code` says why, and `attr` names the field that is at fault. */
export class KohortError extends Error {
  override readonly name = 'KohortError';
  readonly status: number;
  readonly code: Problem['code'];
  readonly attr: string | null;
  /** The id of the request, as the log of the service has it. */
  readonly requestId: string;

  constructor(
    readonly problem: Problem,
    /** The seconds after which the request may be sent again, if the service says so. */
    readonly retryAfter: number | null = null,
  ) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.attr = problem.attr;
    this.requestId = problem.request_id;
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'status' in body;

/** The error of an answer, also of one that a proxy gave in the place of the service. */
export const errorOf = (response: Response, body: unknown): KohortError =>
  new KohortError(
    isProblem(body)
      ? body
      : {
          type: response.status < 500 ? 'invalid_request' : 'server_error',
          code: 'error',
          detail: `The answer has status ${response.status} and no problem`,
          attr: null,
          status: response.status,
          request_id: response.headers.get('x-request-id') ?? '',
        },
    retryAfterOf(response),
  );
