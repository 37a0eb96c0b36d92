/** One client with one key and one token sends what thousands do: tests and benches that do not test the limits run without. */
export const withoutRateLimits = {
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '0',
  CAPTURE_EVENTS_PER_SECOND: '0',
  SIGN_IN_ATTEMPTS: '0',
} as const;
