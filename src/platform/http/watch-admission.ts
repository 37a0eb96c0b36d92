import { type IncomingMessage } from 'node:http';
import { authenticationFailed, sessionEnded } from '../errors/problem.js';
import { contextOf } from './request-context.js';

/**
 * The time between two look-ups of the caller's rights. With the duration of a look-up it is less than the promised second. A
 * body or an answer that takes less time needs no second look-up.
 */
const lookEveryMs = 700;

/**
 * For long answers: calls `end` within a second after the caller has lost the right to this answer, because its key was revoked
 * or narrowed, or its session has ended. A store that is down ends no answer. Returns a function that stops watching.
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

/** Call it if the request itself ends the access of its caller, so that the answer is still sent. */
export const rememberAdmission = (request: IncomingMessage): void => {
  contextOf(request).admittedAt = performance.now();
};

/**
 * Throws if the caller has lost its access. Call it when a body has arrived or an answer is ready, because a key may be revoked
 * during a slow body or a long question.
 */
export const assertStillAdmitted = async (request: IncomingMessage): Promise<void> => {
  const context = contextOf(request);
  const now = performance.now();
  if (now - context.admittedAt < lookEveryMs) return;
  if (!(await context.isStillAdmitted())) {
    throw context.caller?.keyId === null ? sessionEnded() : authenticationFailed();
  }
  context.admittedAt = now;
};
