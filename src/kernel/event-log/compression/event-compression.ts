import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkEnded } from '../../../platform/errors/work-ended.js';
import { type Worker } from '../../../platform/work/worker.js';
import { Workers } from '../../../platform/work/workers.js';
import { foundBacklogs } from '../../../platform/telemetry/background-runs.js';
import { Postgres } from '../../../platform/postgres/postgres.js';
import { cleanBlocks, projectsToClean } from './clean-blocks.js';
import { compressEvents } from './compress-events.js';
import { projectsToCompress, projectsToWalk, compressOnWalk, takeUncompressed } from './uncompressed.js';

const everyMs = 60_000;
/** A run ends after this long, so that the next one finds newly waiting projects, and blocks get cleaned. */
const longestRunMs = 10 * 60_000;
/**
 * A walk skips events that are younger than this. Events enter the queue ten minutes after their arrival, so walks and the
 * queue do not meet.
 */
const freshForMs = 15 * 60_000;
/**
 * A pause is the working time, times one of these factors, because capture and questions need the processor more. The longer
 * the oldest event has waited, the smaller is the factor.
 */
const restFactors = [
  { waitedMs: 60 * 60_000, rests: 3 },
  { waitedMs: 6 * 60 * 60_000, rests: 1 },
  { waitedMs: Infinity, rests: 0.25 },
];
const restsAfter = (waitedMs: number): number => restFactors.find((step) => waitedMs <= step.waitedMs)?.rests ?? 0;

/** Moves properties of events that are no longer fresh from their rows into blocks, which takes a third of the space. */
@Injectable()
export class EventCompression {
  readonly worker: Worker;

  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    this.worker = workers.every(everyMs, {
      name: 'compression',
      task: 'compression',
      warning: 'properties of older events could not be compressed and are compressed later',
      run: () => this.compress(this.postgres.clock.now()),
    });
  }

  /**
   * Compresses the events in the queue and those found by walks, one part of each project in turn, so that no project waits for
   * another one that never ends. Then cleans blocks.
   */
  async compress(now: Date): Promise<void> {
    const receivedUpTo = new Date(now.getTime() - freshForMs);
    const waiting = await projectsToCompress(this.postgres, now);
    const waitedMs = waiting.map(({ oldest }) => now.getTime() - oldest.getTime());
    foundBacklogs.set('compression', { waiting: waiting.length, waitedSeconds: Math.max(0, ...waitedMs) / 1000 });
    const queued = waiting.map(({ projectId, oldest }) => {
      const rests = restsAfter(now.getTime() - oldest.getTime());
      return { projectId, compress: () => this.step(rests, () => this.compressQueued(projectId)) };
    });
    const walked = (await projectsToWalk(this.postgres)).map((projectId) => ({
      projectId,
      compress: () =>
        this.step(restsAfter(0), async () => (await compressOnWalk(this.postgres, projectId, receivedUpTo)) !== null),
    }));
    const until = performance.now() + longestRunMs;
    for (let remaining = [...queued, ...walked]; remaining.length > 0 && performance.now() < until;) {
      const unfinished: typeof remaining = [];
      for (const work of remaining) if (await this.guarded(work.projectId, work.compress)) unfinished.push(work);
      remaining = unfinished;
    }
    const assertContinuing = (): void => this.worker.stopping.throwIfAborted();
    for (const projectId of await projectsToClean(this.postgres))
      await this.guarded(projectId, () => cleanBlocks(this.postgres, projectId, assertContinuing));
  }

  /** Returns true if the queue may still have events of the project. */
  private compressQueued(projectId: number): Promise<boolean> {
    return this.postgres.transaction(async (client) => {
      const uuids = await takeUncompressed(client, projectId);
      await compressEvents(client, projectId, uuids);
      return uuids.length > 0;
    });
  }

  private async step(rests: number, work: () => Promise<boolean>): Promise<boolean> {
    const startedAt = performance.now();
    const isLeft = await work();
    await sleep((performance.now() - startedAt) * rests);
    return isLeft;
  }

  /**
   * Reports a failure in one project without stopping, because it must not keep the other projects waiting. The next run tries
   * again.
   */
  private async guarded<T>(project: number, work: () => Promise<T>): Promise<T | null> {
    this.worker.stopping.throwIfAborted();
    return work().catch((error: unknown) => {
      if (error instanceof WorkEnded) throw error;
      this.worker.partFailed(error, { project });
      return null;
    });
  }
}
