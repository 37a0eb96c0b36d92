import { type IncomingMessage } from 'node:http';
import { authenticationFailed, sessionEnded } from '../errors/problem.js';
import { contextOf } from './request-context.js';

/** With the time of a look-up this stays below the promised second. */
const lookEveryMs = 700;
/** A body that arrives sooner is used without a second look-up. */
const longMs = 300;

/**
 * For answers that go on for long: calls `end` within a second after the caller has lost the right to this answer, because
 * its key was revoked or narrowed, or its session has ended. A store that is down ends nothing. Returns what stops looking.
 */
export const watchAdmission = (request: IncomingMessage, end: () => void): (() => void) => {
  const { isStillAdmitted } = contextOf(request);
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    const isAdmitted = await isStillAdmitted().catch(() => true);
    isLooking = false;
    if (!isAdmitted) end();
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  return () => clearInterval(timer);
};

/**
 * Call it after a body has arrived, with the time of `performance.now()` at its beginning. A sender that held the body back
 * for long may have lost its key meanwhile.
 */
export const demandStillAdmitted = async (request: IncomingMessage, begunAt: number): Promise<void> => {
  if (performance.now() - begunAt < longMs) return;
  const { caller, isStillAdmitted } = contextOf(request);
  if (await isStillAdmitted()) return;
  throw caller?.keyId === null ? sessionEnded() : authenticationFailed();
};
