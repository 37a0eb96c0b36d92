import { Inject, Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { PeriodicSweep } from '../../common/background/periodic-sweep.js';
import { LOGGER, type Logger } from '../../common/logging/logger.js';
import { Config } from '../../config/config.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { cleanBlocks, projectsToClean } from './clean-blocks.js';
import { sealEvents } from './seal-events.js';
import { sealOnWalk } from './seal-on-walk.js';
import { projectsToSeal, projectsToWalk, takeUnsealed } from './unsealed.js';

const failure = 'properties of older events could not be compressed and are compressed later';
const everyMs = 60_000;
/** Beside a new release, the one before may still run for some minutes, and it does not know blocks. */
const notBeforeMs = 15 * 60_000;
/** The queue has events from ten minutes after their arrival on. A walk leaves alone what arrived later than that. */
const freshForMs = 15 * 60_000;
/** Rests for so many times as long as it works, because capture and questions need the processor more: less while it falls behind. */
const restsBy = [
  { waitedMs: 60 * 60_000, rests: 3 },
  { waitedMs: 6 * 60 * 60_000, rests: 1 },
  { waitedMs: Infinity, rests: 0.25 },
];
const restsAfter = (waitedMs: number): number => restsBy.find((step) => waitedMs <= step.waitedMs)?.rests ?? 0;

/** Moves properties of events that are no longer fresh from their rows into blocks, which takes a quarter of the space. */
@Injectable()
export class EventSealing extends PeriodicSweep {
  private readonly startedAt = performance.now();
  private isEnding = false;

  constructor(
    config: Config,
    private readonly postgres: Postgres,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super(config, log, everyMs, failure);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await super.beforeApplicationShutdown();
  }

  async run(): Promise<void> {
    if (performance.now() - this.startedAt < notBeforeMs) return;
    await this.seal(this.postgres.clock.now());
  }

  /** Seals what waits in the queue and what is found by walks; then it cleans blocks. */
  async seal(now: Date): Promise<void> {
    const receivedUpTo = new Date(now.getTime() - freshForMs);
    for (const { projectId, oldest } of await projectsToSeal(this.postgres, now)) {
      const rests = restsAfter(now.getTime() - oldest.getTime());
      await this.guarded(projectId, () => this.sealQueued(projectId, rests));
    }
    for (const projectId of await projectsToWalk(this.postgres))
      await this.guarded(projectId, () => this.walk(projectId, receivedUpTo));
    for (const projectId of await projectsToClean(this.postgres))
      await this.guarded(projectId, () => cleanBlocks(this.postgres, projectId));
  }

  private async sealQueued(projectId: number, rests: number): Promise<void> {
    while (!this.isEnding) {
      const isLeft = await this.step(rests, () =>
        this.postgres.transaction(async (client) => {
          const uuids = await takeUnsealed(client, projectId);
          await sealEvents(client, projectId, uuids);
          return uuids.length > 0;
        }),
      );
      if (!isLeft) return;
    }
  }

  private async walk(projectId: number, receivedUpTo: Date): Promise<void> {
    while (!this.isEnding) {
      const isLeft = await this.step(
        restsAfter(0),
        async () => (await sealOnWalk(this.postgres, projectId, receivedUpTo)) !== null,
      );
      if (!isLeft) return;
    }
  }

  private async step(rests: number, work: () => Promise<boolean>): Promise<boolean> {
    const begun = performance.now();
    const isLeft = await work();
    await sleep((performance.now() - begun) * rests);
    return isLeft;
  }

  /** A failure in one project must not keep the others waiting. */
  private async guarded(project: number, work: () => Promise<void>): Promise<void> {
    if (this.isEnding) return;
    await work().catch((error: unknown) => {
      this.log.warn({ err: error, project }, failure);
    });
  }
}
