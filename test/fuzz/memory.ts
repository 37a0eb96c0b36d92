import { setTimeout as sleep } from 'node:timers/promises';
import { type MeasuredService } from './measured-service.js';

export const growthLimitMiB = 100;

export interface MemoryFigures {
  /** After the warm-up; null where a run ended before. */
  readonly startMiB: number | null;
  readonly peakMiB: number;
  readonly endMiB: number;
}

/** Resident memory of the service from the end of the warm-up until it has settled after the last request. */
export class Memory {
  private start: number | null = null;
  private peak = 0;
  private end = 0;

  constructor(private readonly service: MeasuredService) {}

  begin(): void {
    this.start = this.service.residentMiB();
  }

  look(): void {
    this.peak = Math.max(this.peak, this.service.residentMiB());
  }

  /** Ends as soon as memory is back below the limit. */
  async settle(withinSeconds: number): Promise<void> {
    this.look();
    const until = Date.now() + withinSeconds * 1000;
    for (;;) {
      this.service.collectGarbage();
      await sleep(1000);
      this.end = this.service.residentMiB();
      if (Date.now() > until || this.end <= (this.start ?? Infinity) + growthLimitMiB) return;
    }
  }

  get figures(): MemoryFigures {
    const rounded = (value: number) => Math.round(value);
    return {
      startMiB: this.start === null ? null : rounded(this.start),
      peakMiB: rounded(this.peak),
      endMiB: rounded(this.end),
    };
  }
}
