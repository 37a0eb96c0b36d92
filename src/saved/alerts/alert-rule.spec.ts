import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AlertRule, changeOf, alertVerdictOf, medianOf, pastOf } from './alert-rule.js';

const absolute = (lower: number | null, upper: number | null): AlertRule => ({
  condition: { type: 'absolute_value' },
  threshold: { type: 'absolute', bounds: { lower, upper } },
});
const relative = (
  type: 'relative_increase' | 'relative_decrease',
  of: 'absolute' | 'percentage',
  upper: number,
): AlertRule => ({ condition: { type }, threshold: { type: of, bounds: { lower: null, upper } } });
const band: AlertRule = { condition: { type: 'band', deviations: 2, periods: 4 }, threshold: null };

describe('a rule', () => {
  it.each<[string, AlertRule, number, number[], number, boolean]>([
    ['the number at its bound is no breach', absolute(10, 20), 20, [], 20, false],
    ['above', absolute(10, 20), 20.5, [], 20.5, true],
    ['below', absolute(10, null), 9, [], 9, true],
    ['an increase', relative('relative_increase', 'absolute', 5), 16, [10], 6, true],
    ['a decrease is a negative increase', relative('relative_increase', 'absolute', 5), 4, [10], -6, false],
    ['a decrease', relative('relative_decrease', 'absolute', 5), 4, [10], 6, true],
    ['half more', relative('relative_increase', 'percentage', 0.4), 15, [10], 0.5, true],
    ['half less', relative('relative_decrease', 'percentage', 0.5), 5, [10], 0.5, false],
    ['anything more than nothing', relative('relative_increase', 'percentage', 100), 1, [0], Infinity, true],
    ['nothing after nothing', relative('relative_increase', 'percentage', 0.1), 0, [0], 0, false],
    ['more than less than nothing', relative('relative_increase', 'percentage', 0.5), 10, [-10], 2, true],
  ])('compares %s', (_, rule, value, past, compared, breached) => {
    expect(alertVerdictOf(rule, value, past)).toMatchObject({ value, compared, breached });
  });

  it('makes a band of the median and the median distance from it', () => {
    // The median of 8, 10, 12, 20 is 11, and of the distances 3, 1, 1, 9 it is 2.
    expect(alertVerdictOf(band, 15, [20, 8, 12, 10])).toEqual({
      value: 15,
      compared: 15,
      lower: 7,
      upper: 15,
      breached: false,
    });
    expect(alertVerdictOf(band, 16, [20, 8, 12, 10]).breached).toBe(true);
    expect(alertVerdictOf(band, 6, [20, 8, 12, 10]).breached).toBe(true);
  });

  it('lets nothing differ from a past that never differed', () => {
    expect(alertVerdictOf(band, 5, [5, 5, 5, 5]).breached).toBe(false);
    expect(alertVerdictOf(band, 6, [5, 5, 5, 5]).breached).toBe(true);
  });

  it('needs no past for a number, one interval for a change, and weeks or months for a band', () => {
    expect(pastOf(absolute(1, 2), 'day')).toEqual({ count: 0, step: 'interval' });
    expect(pastOf(relative('relative_increase', 'absolute', 1), 'week')).toEqual({ count: 1, step: 'interval' });
    expect(pastOf(band, 'hour')).toEqual({ count: 4, step: 'week' });
    expect(pastOf(band, 'week')).toEqual({ count: 4, step: 'week' });
    expect(pastOf(band, 'month')).toEqual({ count: 4, step: 'month' });
  });
});

const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 3, maxLength: 26 });

describe('a band', () => {
  it('has a median with as many numbers on either side', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const middle = medianOf(values);
        const half = values.length / 2;
        expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(half);
        expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(half);
      }),
    );
  });

  it('contains at least half of its past with a deviation of 1, whatever the order', () => {
    const rule: AlertRule = { condition: { type: 'band', deviations: 1, periods: 3 }, threshold: null };
    fc.assert(
      fc.property(numbers, (past) => {
        const inside = past.filter((value) => !alertVerdictOf(rule, value, past).breached).length;
        expect(inside).toBeGreaterThanOrEqual(past.length / 2);
        expect(alertVerdictOf(rule, 7, past)).toEqual(alertVerdictOf(rule, 7, past.toReversed()));
      }),
    );
  });

  it('moves and grows with its past, and a larger deviation never breaches more', () => {
    const of = (deviations: number): AlertRule => ({
      condition: { type: 'band', deviations, periods: 3 },
      threshold: null,
    });
    fc.assert(
      fc.property(
        numbers,
        fc.integer({ min: -2000, max: 2000 }),
        fc.integer({ min: -50, max: 50 }),
        (past, value, by) => {
          const moved = alertVerdictOf(
            of(3),
            value + by,
            past.map((one) => one + by),
          );
          expect(moved.breached).toBe(alertVerdictOf(of(3), value, past).breached);
          if (alertVerdictOf(of(4), value, past).breached)
            expect(alertVerdictOf(of(3), value, past).breached).toBe(true);
        },
      ),
    );
  });
});

describe('a stream of intervals', () => {
  it('fires once for each breach, and resolves once after it', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (breaches) => {
        let firing = false;
        const changes = breaches.map((breached) => {
          const change = changeOf(firing, breached);
          firing = breached;
          return change;
        });
        // The naive model: runs of breaches, as text.
        const runs = breaches.map((breached) => (breached ? 'x' : '.')).join('');
        expect(changes.filter((change) => change === 'fired')).toHaveLength((runs.match(/x+/g) ?? []).length);
        expect(changes.filter((change) => change === 'resolved')).toHaveLength((runs.match(/x(?=\.)/g) ?? []).length);
      }),
    );
  });
});
