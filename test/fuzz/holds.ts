import { type Hold, type MeasuredService } from './measured-service.js';
import { type UnderWay } from './under-way.js';

export const holdLimitMs = 50;
const shown = 200;

export interface HeldBy extends Hold {
  /** The greater part of the time went into collecting garbage. */
  readonly garbage: boolean;
  readonly under_way: readonly { readonly index: number; readonly name: string }[];
}

/** Holds longer than the limit with the requests that were under way. */
export class Holds {
  private readonly found: HeldBy[] = [];

  constructor(
    private readonly service: MeasuredService,
    private readonly underWay: UnderWay,
  ) {}

  /** What came before is not held against the requests. */
  async forget(): Promise<void> {
    await this.service.newHolds();
  }

  async look(): Promise<void> {
    for (const hold of await this.service.newHolds()) {
      if (hold.cpu_ms <= holdLimitMs) continue;
      const garbage = hold.gc_ms > hold.wall_ms / 2;
      this.found.push({ ...hold, garbage, under_way: this.underWay.during(hold).slice(0, shown) });
    }
  }

  get longest(): HeldBy[] {
    return [...this.found].sort((a, b) => b.cpu_ms - a.cpu_ms);
  }
}
