import { Permits } from './permits.js';
import { unavailable } from '../errors/problem.js';

/** The live streams that may be open at the same time in one process: each costs a connection and work. */
export const streamLimits = { caller: 20, project: 50, all: 200 } as const;

const refusals = {
  caller: 'You have too many live streams open: close one, or try again later',
  project: 'Too many live streams of this project are open: close one, or try again later',
  all: 'Too many live streams are open: close one, or try again later',
} as const;

export const streamPermits = new Permits(streamLimits, { refusal: (full) => unavailable(refusals[full], 10) });
