import { describe, expect, it } from '@jest/globals';
import { calendar } from './calendar.js';

const hour = 3_600_000;
const [monday, nextMonday] = [Date.UTC(2026, 2, 9), Date.UTC(2026, 2, 16)];

describe('a calendar', () => {
  const at = calendar(monday + hour / 3, nextMonday - hour / 3);
  const times = Array.from({ length: 10_001 }, (_, step) => at(step / 10_000));

  it('begins and ends with its period and never runs back', () => {
    expect(times[0]).toBe(monday + hour / 3);
    expect(times.at(-1)).toBeCloseTo(nextMonday - hour / 3, 0);
    expect(times.every((time, step) => step === 0 || time > (times[step - 1] ?? 0))).toBe(true);
  });

  it('has busy days, quiet nights and quieter weekends', () => {
    const during = (from: number, hours: number) =>
      times.filter((time) => time >= from && time < from + hours * hour).length;
    expect(during(monday + 9 * hour, 6)).toBeGreaterThan(5 * during(monday + hour, 6));
    expect(during(monday + 24 * hour, 24)).toBeGreaterThan(2 * during(monday + 5 * 24 * hour, 24));
  });
});
