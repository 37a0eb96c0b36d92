import { Problem } from '../../platform/errors/problem.js';
import { isPostgresUnavailable } from '../../platform/errors/store-errors.js';
import { type Expense, QueryTooExpensive } from '../../platform/clickhouse/errors.js';
import { type CalculationErrorDto } from '../cohort.dto.js';

const advice: Readonly<Record<Expense, string>> = {
  time: 'The calculation took too long: shorten the time windows, name fewer events, or build the cohort from smaller ones',
  memory:
    'The calculation needs too much memory: shorten the time windows, or build the cohort from smaller ones that it refers to',
  rows: 'The calculation reads too many rows: shorten the time windows',
  complexity:
    'The definition is too complex: use fewer criteria, filters or values, or build the cohort from smaller ones that it refers to',
};

/** Returns the description of a failure for the owner of the cohort. */
export const calculationError = (error: unknown, now: Date): CalculationErrorDto => {
  const at = now.toISOString();
  if (error instanceof QueryTooExpensive)
    return { code: 'too_expensive', detail: advice[error.reason], attr: 'filters', at };
  if (isPassing(error)) {
    const detail = 'A store could not be reached; the calculation is retried automatically';
    return { code: 'unavailable', detail, attr: null, at };
  }
  if (error instanceof Problem) return { code: error.code, detail: error.detail, attr: error.attr ?? 'filters', at };
  const detail = 'An internal error occurred; the calculation is retried automatically';
  return { code: 'error', detail, attr: null, at };
};

const isPassing = (error: unknown): boolean =>
  error instanceof Problem ? error.status >= 500 : error instanceof Error && isPostgresUnavailable(error);

const firstRetryMs = 30_000;
const longestRetryMs = 24 * 3_600_000;

/**
 * Doubles the delay after each failure. The first delay is a whole refresh period for a failure that only a change of the
 * definition can cure.
 */
export const retryAt = (error: unknown, failuresBefore: number, now: Date, refreshMs: number): Date => {
  const first = error instanceof Problem && !isPassing(error) ? refreshMs : firstRetryMs;
  return new Date(now.getTime() + Math.min(longestRetryMs, first * 2 ** Math.min(failuresBefore, 20)));
};
