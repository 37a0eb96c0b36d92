import { Injectable } from '@nestjs/common';
import { unavailable } from '../errors/problem.js';
import { Metrics } from '../metrics/metrics.js';

/** Answers that follow what happens and are open at the same time in one process: each costs a connection and work. */
export const streamLimits = { process: 200, project: 50, caller: 20 } as const;

const refusals = {
  process: 'Too many live streams are open: close one, or try again later',
  project: 'Too many live streams of this project are open: close one, or try again later',
  caller: 'You have too many live streams open: close one, or try again later',
} as const;

/** Limits the open streams of the process, of each project and of each caller. */
@Injectable()
export class StreamPlaces {
  private readonly open = new Map<string, number>();

  constructor(private readonly metrics: Metrics) {}

  get count(): number {
    return this.countOf('process');
  }

  /** Returns the function that gives the place back. */
  take(projectId: number, userId: number): () => void {
    const names = { caller: `caller ${userId}`, project: `project ${projectId}`, process: 'process' };
    for (const kind of ['caller', 'project', 'process'] as const) {
      if (this.countOf(names[kind]) >= streamLimits[kind]) throw unavailable(refusals[kind], 10);
    }
    for (const name of Object.values(names)) this.open.set(name, this.countOf(name) + 1);
    this.metrics.liveStreams.set(this.count);
    return () => {
      for (const name of Object.values(names)) {
        const left = this.countOf(name) - 1;
        if (left > 0) this.open.set(name, left);
        else this.open.delete(name);
      }
      this.metrics.liveStreams.set(this.count);
    };
  }

  private countOf(name: string): number {
    return this.open.get(name) ?? 0;
  }
}
