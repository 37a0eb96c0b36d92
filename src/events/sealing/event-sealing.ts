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

const everyMs = 60_000;
/** Beside a new release, the one before may still run for some minutes, and it does not know blocks. */
const notBeforeMs = 15 * 60_000;
/** The queue has events from ten minutes after their arrival on. A walk leaves alone what arrived later than that. */
const freshForMs = 15 * 60_000;
/** Rests for so many times as long as it works, because capture and questions need the processor more. */
const rests = 3;

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
    super(config, log, everyMs, 'properties of older events could not be compressed and are compressed later');
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
    await this.each(await projectsToSeal(this.postgres, now), (projectId) => this.sealQueued(projectId));
    await this.each(await projectsToWalk(this.postgres), (projectId) => this.walk(projectId, receivedUpTo));
    await this.each(await projectsToClean(this.postgres), async (projectId) => {
      await cleanBlocks(this.postgres, projectId);
    });
  }

  private async sealQueued(projectId: number): Promise<void> {
    while (!this.isEnding) {
      const isLeft = await this.step(() =>
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
      const isLeft = await this.step(async () => (await sealOnWalk(this.postgres, projectId, receivedUpTo)) !== null);
      if (!isLeft) return;
    }
  }

  private async step(work: () => Promise<boolean>): Promise<boolean> {
    const begun = performance.now();
    const isLeft = await work();
    await sleep((performance.now() - begun) * rests);
    return isLeft;
  }

  /** A failure in one project must not keep the others waiting. */
  private async each(projectIds: readonly number[], work: (projectId: number) => Promise<void>): Promise<void> {
    for (const projectId of projectIds) {
      if (this.isEnding) return;
      await work(projectId).catch((error: unknown) => {
        this.log.warn(
          { err: error, project: projectId },
          'properties of older events could not be compressed and are compressed later',
        );
      });
    }
  }
}
