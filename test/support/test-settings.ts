import { withoutRateLimits } from './rate-limits.js';

export const testSettings: Readonly<Record<string, string>> = {
  NODE_ENV: 'test',
  ALLOW_TEST_CLOCK: '1',
  // An answer includes what the test has sent before, however slow the machine is.
  PROJECTION_WAIT_MS: '60000',
  ...withoutRateLimits,
};
