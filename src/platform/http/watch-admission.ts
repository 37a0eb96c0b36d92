import { type IncomingMessage } from 'node:http';
import { authenticationFailed, sessionEnded } from '../errors/problem.js';
import { contextOf } from './request-context.js';

/**
 * With the time of a look-up this stays below the promised second. A body that arrives sooner, and an answer that is ready
 * sooner, needs no second look-up.
 */
const lookEveryMs = 700;

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

/** Call it when the request itself ends the access of its caller: the answer is sent all the same. */
export const rememberAdmission = (request: IncomingMessage): void => {
  contextOf(request).admittedAt = performance.now();
};

/**
 * Call it when a body has arrived or an answer is ready. A sender that held its body back, and a caller whose question took
 * long, may have lost the key meanwhile.
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
