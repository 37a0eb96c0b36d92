import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { unavailable } from '../../common/errors/problem.js';
import { Metrics } from '../../common/metrics/metrics.js';

/** Streams that are open at the same time in one process: a stream costs a connection and work for each event. */
export const liveLimits = { process: 200, project: 50, caller: 20 } as const;

const refusals = {
  process: 'Too many live streams are open: close one, or try again later',
  project: 'Too many live streams of this project are open: close one, or try again later',
  caller: 'You have too many live streams open: close one, or try again later',
} as const;

/** Limits the open streams of the process, of each project and of each caller. */
@Injectable()
export class LivePlaces {
  private readonly open = new Map<string, number>();

  constructor({ registry }: Metrics) {
    const gauge: Gauge = new Gauge({
      name: 'kohort_live_streams',
      help: 'Live streams of events that are open in this process',
      registers: [registry],
      collect: () => gauge.set(this.count),
    });
  }

  get count(): number {
    return this.countOf('process');
  }

  /** Returns the function that gives the place back. */
  take(projectId: number, userId: number): () => void {
    const names = { caller: `caller ${userId}`, project: `project ${projectId}`, process: 'process' };
    for (const kind of ['caller', 'project', 'process'] as const) {
      if (this.countOf(names[kind]) >= liveLimits[kind]) throw unavailable(refusals[kind], 10);
    }
    for (const name of Object.values(names)) this.open.set(name, this.countOf(name) + 1);
    return () => {
      for (const name of Object.values(names)) {
        const left = this.countOf(name) - 1;
        if (left > 0) this.open.set(name, left);
        else this.open.delete(name);
      }
    };
  }

  private countOf(name: string): number {
    return this.open.get(name) ?? 0;
  }
}
