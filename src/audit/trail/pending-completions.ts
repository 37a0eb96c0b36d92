import { Injectable } from '@nestjs/common';

/**
 * The completions that are in progress in this process. The trail waits for them, so that it shows the end of every answer that
 * was sent.
 */
@Injectable()
export class PendingCompletions {
  private readonly open = new Set<Promise<void>>();

  /** Starts and tracks work, which must not reject. */
  track(work: () => Promise<void>): Promise<void> {
    const ending = work();
    this.open.add(ending);
    return ending.finally(() => this.open.delete(ending));
  }

  async all(): Promise<void> {
    await Promise.all(this.open);
  }
}
