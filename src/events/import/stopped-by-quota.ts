import { Problem } from '../../platform/errors/problem.js';

/**
 * The problem of an import that a quota stops: what it has committed stays, so it says so. Null for any other error, and for
 * one that says nothing about what is stored.
 */
export const stoppedByQuota = (error: unknown): Problem | null => {
  if (!(error instanceof Problem) || error.code !== 'throttled') return null;
  const { status, type, code, detail, attr, headers } = error;
  const withRest = `${detail}. The lines before are stored: an import that is sent again adds what is missing`;
  return new Problem(status, type, code, withRest, attr, headers);
};
