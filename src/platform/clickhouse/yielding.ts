import { type PoolLease } from '../work/fair-pool.js';
import { type Interruption } from './interruption.js';

/** Most questions end within this time, also while those of another project run. */
const yieldAfterMs = 1_000;

/** The question was stopped in favour of another project, and must be started again. */
export class StatementYielded extends Error {
  constructor(readonly ranMs: number) {
    super('The question gives way to another project');
  }
}

/**
 * Stops a question that runs long while another project is active, because the engine cannot take processors back from a running
 * question. The question waits again, and runs with fewer processors. A question that has used half of its time continues,
 * because the rest would be too short for a second run.
 */
export class Yielding {
  private readonly startedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    lease: Pick<PoolLease<unknown>, 'isCrowded' | 'isHeavy' | 'crowding'>,
    private readonly interruption: Interruption,
    private readonly timeoutMs: number,
  ) {
    if (!lease.isCrowded) lease.crowding.addEventListener('abort', () => this.start(), { once: true });
    else if (!lease.isHeavy) this.start();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private ranMs(): number {
    return performance.now() - this.startedAt;
  }

  private start(): void {
    const waitMs = Math.max(0, yieldAfterMs - this.ranMs());
    if (this.ranMs() + waitMs > this.timeoutMs / 2) return;
    this.timer = setTimeout(() => this.interruption.interrupt(new StatementYielded(this.ranMs())), waitMs);
  }
}
