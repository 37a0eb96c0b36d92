import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '../../platform/telemetry/logger.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { LeasedSteps, type LeasedParts } from './leased-steps.js';
import { type SweepLimits } from './sweep-limits.js';

export interface RunnerParts extends LeasedParts {
  readonly clickhouse: ClickHouse;
  readonly logger: Logger;
  /** Waits briefly for ClickHouse to receive all changes of a project, and returns whether it did. */
  readonly isFresh: (projectId: number) => Promise<boolean>;
  readonly onDeleted: (events: number) => void;
  readonly onExpired?: (events: number) => void;
  readonly limits?: SweepLimits;
  readonly freshWithinMs?: number;
}

const freshWithinMs = 60_000;
const lookAgainMs = 200;
/** The job waits for the projection after it has removed this many events, so that questions never wait long for the job. */
const eventsAhead = 4000;
const patience = 5;

/**
 * Checks between steps of a run that the lease is held and the process is not stopping, and slows the run down while ClickHouse
 * lags.
 */
export class RunSteps extends LeasedSteps {
  private readonly stuck = new Map<string, { remaining: number; times: number }>();
  private ahead = 0;

  constructor(private readonly parts: RunnerParts) {
    super(parts);
  }

  /** Waits for ClickHouse once enough events were removed. Must be called after each chunk. */
  async keepPace(projectId: number, removed: number): Promise<void> {
    this.ahead += removed;
    if (this.ahead < eventsAhead) return;
    this.ahead = 0;
    await this.parts.isFresh(projectId);
  }

  async untilFresh(projectId: number): Promise<void> {
    const deadline = Date.now() + (this.parts.freshWithinMs ?? freshWithinMs);
    while (!(await this.parts.isFresh(projectId))) {
      this.assertContinuing();
      if (Date.now() > deadline) throw new Error('ClickHouse has not received all changes yet');
      await sleep(lookAgainMs);
    }
  }

  assertProgress(id: string, remaining: number): void {
    const before = this.stuck.get(id);
    const times = before && remaining >= before.remaining ? before.times + 1 : 0;
    this.stuck.set(id, { remaining, times });
    if (times >= patience) throw new Error(`${remaining} events still exist after ${patience} attempts to delete them`);
  }
}
