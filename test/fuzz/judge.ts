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
    const unavailable = status === 503 && headers['retry-after'] !== undefined;
    if (status >= 500 && !unavailable) return `status ${status}`;
    if (!headers['x-request-id']) return `status ${status} without X-Request-Id`;
    if (request.method === 'OPTIONS' && status < 300) return null;
    if (request.method === 'HEAD') return answer.text === '' ? null : 'a body in the answer to HEAD';
    if (!this.isJudged(request, answer)) return this.problemComplaint(answer);
    const path = request.path.split(/[?#]/)[0] ?? '';
    const complaint = this.documented.complaint(request.method.toLowerCase(), path, answer);
    if (!complaint) return this.otherStatusComplaint(answer);
    const anyRouteMay = unavailable || request.anyRouteMayAnswer.includes(status);
    return anyRouteMay ? this.problemComplaint(answer) : `status ${status}: ${complaint}`;
  }

  /** True if the document says what this answer has to be. */
  private isJudged(request: FuzzRequest, { status }: Answer): boolean {
    if (request.faults.includes('raw: bad request line')) return false;
    return status === 405 || this.documented.knows(request.path.split(/[?#]/)[0] ?? '');
  }

  private problemComplaint(answer: Answer): string | null {
    const complaint = answer.status < 400 ? null : this.documented.problemComplaint(answer);
    return complaint && `status ${answer.status} is no problem: ${complaint}`;
  }

  private otherStatusComplaint(answer: Answer): string | null {
    return answer.headers['content-type']?.startsWith('application/problem+json')
      ? this.problemComplaint(answer)
      : null;
  }
}
