import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

const activeMs = 10_000;
/** Of long work, between two steps of it. */
const pauseShare = 2;
const longestPauseMs = 500;

interface Seen {
  readonly project: number;
  readonly at: number;
}

/** Whether several projects have sent requests lately, so that the long work of one leaves room for the others. */
@Injectable()
export class ActiveProjects {
  private latest: Seen | null = null;
  /** The latest of another project than that of `latest`. */
  private latestOther: Seen | null = null;

  saw(project: number): void {
    if (this.latest?.project !== project) this.latestOther = this.latest;
    this.latest = { project, at: performance.now() };
  }

  pace(project: number): Pace {
    return new Pace(() => this.hasOthers(project));
  }

  private hasOthers(project: number): boolean {
    const other = this.latest?.project === project ? this.latestOther : this.latest;
    return other !== null && performance.now() - other.at < activeMs;
  }
}

/** The rhythm of long work that is done in steps, such as an export: at full speed alone, at a third of it beside other projects. */
export class Pace {
  private resumedAt = performance.now();

  constructor(private readonly isCrowded: () => boolean) {}

  /** To be called between two steps. */
  async step(): Promise<void> {
    const worked = performance.now() - this.resumedAt;
    if (this.isCrowded()) await sleep(Math.min(worked * pauseShare, longestPauseMs));
    this.resumedAt = performance.now();
  }

  async *each<T>(steps: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const step of steps) {
      yield step;
      await this.step();
    }
  }
}
