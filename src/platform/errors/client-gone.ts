import { Problem } from './problem.js';

/** The connection was closed before the answer was complete. The status is visible only in logs and metrics. */
export class ClientGone extends Problem {
  constructor() {
    super(499, 'invalid_request', 'error', 'The client has disconnected');
  }
}
