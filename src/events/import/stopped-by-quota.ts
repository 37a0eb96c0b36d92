import { Problem } from '../../platform/errors/problem.js';

/**
 * Returns the problem of an import that a quota has stopped, with the note that the lines before stay stored; null for any other
 * error.
 */
export const stoppedByQuota = (error: unknown): Problem | null => {
  if (!(error instanceof Problem) || error.code !== 'throttled') return null;
  const { status, type, code, detail, attr, headers } = error;
  const withRest = `${detail}. The lines before are stored: an import that is sent again adds what is missing`;
  return new Problem(status, type, code, withRest, attr, headers);
};
