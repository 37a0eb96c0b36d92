import { Injectable } from '@nestjs/common';
import { throttled } from '../../platform/errors/problem.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';

/** A project may save up its unused allowance for this many seconds, and use all of it at once. */
const burstSeconds = 60;

interface Allowance {
  events: number;
  at: number;
}

/**
 * Counts how many events a project may still capture, in this process only: the number grows with time and shrinks with
 * each batch.
 */
@Injectable()
export class CaptureRates {
  private readonly perSecond: number;
  /** One entry per project. Their number is bounded, because a token is looked up before it counts here. */
  private readonly allowances = new Map<number, Allowance>();

  constructor(
    config: Config,
    private readonly metrics: Metrics,
  ) {
    this.perSecond = config.captureEventsPerSecond;
  }

  /**
   * Counts a batch, or throws before any of it is stored. A batch larger than the remaining allowance is still accepted,
   * and later ones wait until the average is met: otherwise a batch could be too large for ever.
   */
  take(projectId: number, events: number, nowMs = Date.now()): void {
    if (this.perSecond === 0) return;
    const most = this.perSecond * burstSeconds;
    const before = this.allowances.get(projectId) ?? { events: most, at: nowMs };
    const remaining = Math.min(most, before.events + (Math.max(0, nowMs - before.at) / 1000) * this.perSecond);
    if (remaining <= 0) {
      this.metrics.throttled.inc({ limit: 'capture' });
      throw throttled(Math.max(1, Math.ceil(-remaining / this.perSecond)));
    }
    this.allowances.set(projectId, { events: remaining - events, at: nowMs });
  }
}
