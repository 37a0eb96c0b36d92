import { Problem } from '../../common/errors/problem.js';

/** The archive of events cannot be read now. The message is for the operator; callers only learn that they may try again. */
export class ArchiveUnavailable extends Problem {
  constructor(message: string, options: ErrorOptions = {}) {
    super(503, 'server_error', 'unavailable', 'Older events cannot be read at the moment', null, {
      'Retry-After': '1',
    });
    this.message = message;
    this.cause = options.cause;
  }
}
