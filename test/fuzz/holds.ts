import { type Hold, type MeasuredService } from './measured-service.js';
import { type UnderWay } from './under-way.js';

export const holdLimitMs = 50;

export interface Named {
  readonly index: number;
  readonly name: string;
}

export interface LongHold extends Hold {
  readonly under_way: readonly Named[];
}

/** A request that held the event loop for too long when it was sent again, alone. */
export interface Culprit extends Named {
  readonly cpu_ms: number;
  readonly gc_ms: number;
}

/** Turns of the event loop longer than the limit with the requests that were under way. */
export class Holds {
  private readonly found: LongHold[] = [];

  constructor(
    private readonly service: MeasuredService,
    private readonly underWay: UnderWay,
  ) {}

  /** What came before is not held against the requests. */
  async forget(): Promise<void> {
    await this.service.newHolds();
  }

  async look(): Promise<void> {
    for (const hold of await this.service.newHolds())
      if (hold.cpu_ms > holdLimitMs) this.found.push({ ...hold, under_way: this.underWay.during(hold) });
  }

  get longest(): LongHold[] {
    return [...this.found].sort((a, b) => b.cpu_ms - a.cpu_ms);
  }

  /** Pauses that the collection of garbage made by itself, whatever was under way. */
  get pauses(): LongHold[] {
    return this.longest.filter((hold) => hold.major_gc_ms > holdLimitMs && hold.gc_ms > hold.wall_ms / 2);
  }

  /** Under way at a long hold; those first that were there at the longest. */
  get suspects(): Named[] {
    return [
      ...new Map(this.longest.flatMap(({ under_way }) => under_way).map((named) => [named.index, named])).values(),
    ];
  }
}
