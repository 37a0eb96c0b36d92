import { type Interval } from '../../platform/time/intervals.js';

export const conditionTypes = ['absolute_value', 'relative_increase', 'relative_decrease', 'band'] as const;
export const thresholdTypes = ['absolute', 'percentage'] as const;

export type AlertCondition =
  | { readonly type: 'absolute_value' | 'relative_increase' | 'relative_decrease' }
  | {
      readonly type: 'band';
      /** How many times the median deviation a value may differ from the median. */
      readonly deviations: number;
      /** How many earlier intervals make the band. */
      readonly periods: number;
    };

export interface AlertBounds {
  readonly lower: number | null;
  readonly upper: number | null;
}

export interface Threshold {
  readonly type: (typeof thresholdTypes)[number];
  /** With `percentage`, shares: 0.5 is 50 %. */
  readonly bounds: AlertBounds;
}

/** Decides intervals. A band has no threshold, because the past makes its bounds. */
export interface AlertRule {
  readonly condition: AlertCondition;
  readonly threshold: Threshold | null;
}

export interface AlertVerdict extends AlertBounds {
  /** The number of the interval. */
  readonly value: number;
  /** The number itself, or its change since the interval before: it is compared with the bounds. */
  readonly compared: number;
  readonly breached: boolean;
}

/** The intervals before the decided one that a rule needs: so many, each a step further back. */
export interface Past {
  readonly count: number;
  readonly step: 'interval' | 'week' | 'month';
}

/** A band compares an hour or a day with those of the same weekday, a week with weeks, a month with months. */
export const pastOf = ({ condition }: AlertRule, interval: Interval): Past => {
  if (condition.type === 'absolute_value') return { count: 0, step: 'interval' };
  if (condition.type !== 'band') return { count: 1, step: 'interval' };
  return { count: condition.periods, step: interval === 'month' ? 'month' : 'week' };
};

/** Decides one interval by its number and those of its past, the nearest first. */
export const alertVerdictOf = (
  { condition, threshold }: AlertRule,
  value: number,
  past: readonly number[],
): AlertVerdict => {
  const bounds = condition.type === 'band' ? bandOf(past, condition.deviations) : threshold?.bounds;
  const { lower = null, upper = null } = bounds ?? {};
  const compared = comparedOf(condition.type, threshold, value, past[0] ?? 0);
  const breached = (lower !== null && compared < lower) || (upper !== null && compared > upper);
  return { value, compared, lower, upper, breached };
};

const comparedOf = (
  type: AlertCondition['type'],
  threshold: Threshold | null,
  value: number,
  before: number,
): number => {
  if (type === 'absolute_value' || type === 'band') return value;
  const change = type === 'relative_increase' ? value - before : before - value;
  return threshold?.type === 'percentage' ? shareOf(change, before) : change;
};

/** Any change from 0 is infinitely large. */
const shareOf = (change: number, before: number): number => (change === 0 ? 0 : change / Math.abs(before));

const bandOf = (past: readonly number[], deviations: number): AlertBounds => {
  if (past.length === 0) return { lower: null, upper: null };
  const middle = medianOf(past);
  const reach = deviations * medianOf(past.map((value) => Math.abs(value - middle)));
  return { lower: middle - reach, upper: middle + reach };
};

/** Of an even number of values, the mean of the two in the middle. */
export const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
};

export type AlertChange = 'fired' | 'resolved';

/** Only the first interval of a breach fires, and only the first one after it resolves. */
export const changeOf = (wasFiring: boolean, breached: boolean): AlertChange | null => {
  if (wasFiring === breached) return null;
  return breached ? 'fired' : 'resolved';
};
