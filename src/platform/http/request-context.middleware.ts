import { type NextFunction, type Request, type Response } from 'express';
import { uuidv7 } from 'uuidv7';
import { type Config } from '../config/config.js';
import { sendProblem } from './problem.filter.js';
import { invalidInput } from '../errors/problem.js';
import { openContext } from './request-context.js';

const saneRequestId = /^[A-Za-z0-9._:-]{1,100}$/;

/** Runs before all other middleware, so that every later log line, error and activity entry can name the request. */
export const requestContext =
  (config: Config, clock: { now(): Date }) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const received = request.get('x-request-id');
    const requestId = received !== undefined && saneRequestId.test(received) ? received : uuidv7();
    const testNow = config.allowTestClock ? request.get('x-test-now') : undefined;
    const now = testNow === undefined ? clock.now() : new Date(testNow);
    response.setHeader('X-Request-Id', requestId);
    // Limits and streams listen to the end of an answer, too. Node would take more than ten listeners for a leak.
    response.setMaxListeners(30);
    const endings: (() => void)[] = [];
    response.once('close', () => {
      for (const end of endings) end();
    });
    openContext(request, {
      requestId,
      now,
      caller: null,
      isStillAdmitted: () => Promise.resolve(true),
      admittedAt: performance.now(),
      project: null,
      tokenProjectId: null,
      beforeAnswer: [],
      endings,
    });
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      sendProblem(request, response, invalidInput('The header Host is required', 'Host'));
      return;
    }
    if (Number.isNaN(now.getTime())) {
      sendProblem(request, response, invalidInput('X-Test-Now must be an ISO date', 'X-Test-Now'));
      return;
    }
    next();
  };
