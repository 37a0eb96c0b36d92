import { Injectable } from '@nestjs/common';
import { throttled } from '../../platform/errors/problem.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';

/** A project may save up its unused allowance of this many seconds, and use it all at once. */
const burstSeconds = 60;

interface Allowance {
  events: number;
  at: number;
}

/**
 * Counts how many events each project may still capture in this process. The number grows with time and shrinks with each batch.
 */
@Injectable()
export class CaptureRates {
  private readonly perSecond: number;
  /** One entry for each project. Clients cannot add entries at will, because a token is looked up before it counts here. */
  private readonly allowances = new Map<number, Allowance>();

  constructor(
    config: Config,
    private readonly metrics: Metrics,
  ) {
    this.perSecond = config.captureEventsPerSecond;
  }

  /**
   * Counts a batch, or throws before any of it is stored. A batch larger than the remaining allowance is still accepted, because
   * otherwise it might never be; later batches are refused until the average is met again.
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
