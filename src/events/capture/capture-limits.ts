import { Injectable } from '@nestjs/common';
import { throttled, unavailable } from '../../platform/errors/problem.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';
import { Permits } from '../../platform/work/permits.js';
import { freelyUnpackedBytes } from '../../kernel/event-log/normalise/limits.js';
import { type MemoryReservation } from './decode.js';

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
export class CaptureLimits {
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

const megabyte = 1024 * 1024;

/** Limits the bodies that are unpacked beyond the common size at the same time. */
const unpacking = new Permits({ all: 4 }, { mostWaiting: Infinity });
/** Limits the bytes of unpacked bodies that are being read or waiting to be read. */
const buffered = new Permits(
  { project: 64 * megabyte, all: 256 * megabyte },
  { refusal: () => unavailable('Too many large bodies wait to be read: try again') },
);
/** Reads the bodies of each project one at a time, so that no project delays others. Large bodies have a queue of their own. */
const reading = new Permits({ queue: 1 }, { mostWaiting: Infinity });

/**
 * A larger body is read alone: once parsed, it takes several times its size in memory, which must be released before the next
 * body of the project is parsed.
 */
const readAloneBytes = 16 * 1024;

/** Does `work`, which must call its argument before it unpacks more than the common size. */
export const duringUnpacking = async <T>(work: (admission: MemoryReservation) => Promise<T>): Promise<T> => {
  let release: (() => void) | null = null;
  const admission = async (): Promise<void> => {
    release ??= await unpacking.wait({});
  };
  return work(admission).finally(() => release?.());
};

export const duringReading = async <T>(projectId: number, bytes: number, work: () => Promise<T>): Promise<T> => {
  if (bytes <= readAloneBytes) return work();
  const release = buffered.take({ project: projectId }, bytes);
  const queue = bytes > freelyUnpackedBytes ? `${projectId} large` : projectId;
  return reading.during({ queue }, work).finally(release);
};
