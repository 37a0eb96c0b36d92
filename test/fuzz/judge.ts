import { type Documented } from '../support/documented.js';
import { type FuzzRequest } from './draft.js';
import { type Answer, type Outcome } from './send.js';

/** Null where the outcome is right; else what is wrong with it, the same words for the same cause. */
export class Judge {
  constructor(private readonly documented: Documented) {}

  complaint(request: FuzzRequest, outcome: Outcome): string | null {
    if ('error' in outcome) return request.abandoned ? null : `no answer: ${outcome.error}`;
    for (const answer of outcome.answers) {
      const complaint = this.complaintOf(request, answer);
      if (complaint) return complaint;
    }
    return null;
  }

  private complaintOf(request: FuzzRequest, answer: Answer): string | null {
    const { status, headers } = answer;
    if (status >= 500 && !(status === 503 && headers['retry-after'] !== undefined)) return `status ${status}`;
    if (!headers['x-request-id']) return `status ${status} without X-Request-Id`;
    if (request.method === 'OPTIONS' && status < 300) return null;
    if (request.method === 'HEAD') return answer.text === '' ? null : 'a body in the answer to HEAD';
    return status >= 400 ? this.problemComplaint(request, answer) : this.successComplaint(request, answer);
  }

  private problemComplaint(request: FuzzRequest, answer: Answer): string | null {
    const problem = this.documented.problemComplaint(answer);
    if (problem) return `status ${answer.status} is no problem: ${problem}`;
    return request.anyRouteMayAnswer.includes(answer.status) ? null : this.undocumented(request, answer);
  }

  private successComplaint(request: FuzzRequest, answer: Answer): string | null {
    if (request.faults.some((fault) => fault === 'raw: bad request line' || fault === 'raw: pipelined')) return null;
    return this.undocumented(request, answer);
  }

  private undocumented(request: FuzzRequest, answer: Answer): string | null {
    const path = request.path.split(/[?#]/)[0] ?? '';
    if (!this.documented.knows(path) && answer.status < 405) return null;
    const complaint = this.documented.complaint(request.method.toLowerCase(), path, answer);
    return complaint && `status ${answer.status}: ${complaint}`;
  }
}
