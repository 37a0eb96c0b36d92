import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { loadConfig } from '../../platform/config/config.js';
import { CaptureLimits } from './capture-limits.js';

const ratesOf = (perSecond: number) => {
  const metrics = new Metrics();
  return { metrics, rates: new CaptureLimits(loadConfig({ CAPTURE_EVENTS_PER_SECOND: String(perSecond) }), metrics) };
};

const refusal = (take: () => void): unknown => {
  try {
    take();
    return null;
  } catch (error) {
    return error;
  }
};

describe('the rate of captured events', () => {
  it('lets a project send a minute’s events at once, then refuses until the average is met', () => {
    const { rates } = ratesOf(10);
    rates.take(1, 600, 0);
    expect(refusal(() => rates.take(1, 1, 0))).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
    expect(refusal(() => rates.take(1, 10, 1000))).toBeNull();
    expect(refusal(() => rates.take(1, 1, 1000))).toMatchObject({ status: 429 });
  });

  it('takes a batch that is larger than what is left, and has the next ones wait for it', () => {
    const { rates } = ratesOf(1);
    rates.take(1, 100, 0);
    expect(refusal(() => rates.take(1, 1, 10_000))).toMatchObject({ headers: { 'Retry-After': '30' } });
    expect(refusal(() => rates.take(1, 1, 40_001))).toBeNull();
  });

  it('is counted per project', () => {
    const { rates } = ratesOf(1);
    rates.take(1, 60, 0);
    expect(refusal(() => rates.take(2, 60, 0))).toBeNull();
  });

  it('saves up no more than a minute', () => {
    const { rates } = ratesOf(1);
    rates.take(1, 60, 0);
    rates.take(1, 60, 3_600_000);
    expect(refusal(() => rates.take(1, 1, 3_600_000))).toMatchObject({ status: 429 });
  });

  it('does not stop when the clock is set back', () => {
    const { rates } = ratesOf(1);
    rates.take(1, 1, 3_600_000);
    expect(refusal(() => rates.take(1, 1, 0))).toBeNull();
  });

  it('has no limit at 0', () => {
    const { rates } = ratesOf(0);
    for (let n = 0; n < 100; n += 1) rates.take(1, 1_000_000, 0);
  });

  it('shows refusals in the metrics', async () => {
    const { rates, metrics } = ratesOf(1);
    rates.take(1, 60, 0);
    refusal(() => rates.take(1, 1, 0));
    expect(await metrics.registry.metrics()).toContain('kohort_throttled_requests_total{limit="capture"} 1');
  });
});
