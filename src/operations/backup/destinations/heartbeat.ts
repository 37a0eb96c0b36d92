import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { BackupFault, type BackupDestination } from './destination.js';

const beatMs = 3_000;
const lookMs = 1_000;
const markBytes = 100;

/** How long a backup may be silent. */
export interface Silence {
  /** The process that makes the backup gives up after this silence, which is before another process takes the backup for dead. */
  readonly allowedMs: number;
  /** Other processes take the backup for dead when its mark has not changed for this long. */
  readonly deadlyMs: number;
}

/** Tells other processes that a backup is being made, by a mark that changes all the time. */
export class Heartbeat {
  private beatenAt = performance.now();
  private beating: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly destination: string,
    private readonly silence: Silence,
    private readonly mark: () => Promise<unknown>,
  ) {}

  start(): void {
    this.beatenAt = performance.now();
    this.timer = setInterval(() => {
      this.beating = this.beat();
    }, beatMs).unref();
  }

  /** True if no other process can have taken this backup for dead. */
  get isHeard(): boolean {
    return performance.now() - this.beatenAt <= this.silence.allowedMs;
  }

  /** Throws when another process may write here. Call it before each change. */
  check(): void {
    if (!this.isHeard)
      throw new BackupFault(
        `the backup to ${this.destination} was paused or could not write for too long: make it again`,
      );
  }

  /** No mark is written after this promise has resolved. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
  }

  private async beat(): Promise<void> {
    const at = performance.now();
    await this.mark().then(
      () => (this.beatenAt = at),
      () => undefined,
    );
  }
}

/** Watches for a while if the mark of an incomplete backup changes, so that no clock of another machine is needed. */
export const isBeingMade = async (
  destination: Pick<BackupDestination, 'read'>,
  markFile: string,
  { deadlyMs }: Silence,
): Promise<boolean> => {
  const look = async () => (await destination.read(markFile, markBytes))?.toString();
  const first = await look();
  for (const end = performance.now() + deadlyMs; performance.now() < end; await sleep(lookMs))
    if ((await look()) !== first) return true;
  return false;
};
