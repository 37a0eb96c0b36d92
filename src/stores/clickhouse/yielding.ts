import { type PoolLease } from '../../common/background/fair-pool.js';
import { type Interruption } from './interruption.js';

/** Most questions end within this time, also beside those of another project. */
const yieldAfterMs = 1_000;

/** The question was stopped in favour of another project, and must begin again. */
export class GivesWay extends Error {}

/**
 * The engine cannot take processors back from a running question. One that takes long while another project is active is
 * therefore stopped, to wait for its turn again and to run with fewer processors.
 */
export class Yielding {
  private readonly begunAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    lease: Pick<PoolLease<unknown>, 'isCrowded' | 'isHeavy' | 'crowding'>,
    private readonly interruption: Interruption,
  ) {
    if (!lease.isCrowded) lease.crowding.addEventListener('abort', () => this.begin(), { once: true });
    else if (!lease.isHeavy) this.begin();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private begin(): void {
    const elapsedMs = performance.now() - this.begunAt;
    this.timer = setTimeout(() => this.interruption.interrupt(new GivesWay()), Math.max(0, yieldAfterMs - elapsedMs));
  }
}
