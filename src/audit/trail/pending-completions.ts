import { Injectable } from '@nestjs/common';

/** The entries that this process is completing, so that the trail shows the end of every answer that it has sent. */
@Injectable()
export class PendingCompletions {
  private readonly open = new Set<Promise<void>>();

  /** The work must not reject. */
  track(work: () => Promise<void>): Promise<void> {
    const ending = work();
    this.open.add(ending);
    return ending.finally(() => this.open.delete(ending));
  }

  async all(): Promise<void> {
    await Promise.all(this.open);
  }
}
