import { Injectable } from '@nestjs/common';
import { throttled } from '../../common/errors/problem.js';
import { Metrics } from '../../common/metrics/metrics.js';
import { Config } from '../../config/config.js';

/** A project may save up what it would capture in so many seconds, and send it at once. */
const burstSeconds = 60;

interface Allowance {
  events: number;
  at: number;
}

/** How many events a project may still capture: it grows with time and shrinks with each batch. Counts in this process only. */
@Injectable()
export class CaptureRates {
  private readonly perSecond: number;
  /** By project, of which there is a bounded number: a token is looked up before it counts here. */
  private readonly allowances = new Map<number, Allowance>();

  constructor(
    config: Config,
    private readonly metrics: Metrics,
  ) {
    this.perSecond = config.captureEventsPerSecond;
  }

  /**
   * Counts a batch, or throws before any of it is stored. A batch larger than what is left is still taken, and later ones
   * wait until the average is kept: otherwise a batch could be too large for ever.
   */
  take(projectId: number, events: number, nowMs = Date.now()): void {
    if (this.perSecond === 0) return;
    const most = this.perSecond * burstSeconds;
    const before = this.allowances.get(projectId) ?? { events: most, at: nowMs };
    const left = Math.min(most, before.events + (Math.max(0, nowMs - before.at) / 1000) * this.perSecond);
    if (left <= 0) {
      this.metrics.throttled.inc({ limit: 'capture' });
      throw throttled(Math.max(1, Math.ceil(-left / this.perSecond)));
    }
    this.allowances.set(projectId, { events: left - events, at: nowMs });
  }
}
