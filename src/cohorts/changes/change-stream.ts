import { type MessageSource } from '../../platform/http/event-stream.js';
import { type ChangePosition, encodeChangePosition } from '../../kernel/memberships/change-position.js';
import { type FeedPage } from './cohort-feed.js';

export interface StreamParts {
  readonly read: (after: ChangePosition) => Promise<FeedPage>;
  /** Resolves when there is a change after the id, or after a while. */
  readonly wait: (after: number, signal: AbortSignal) => Promise<void>;
}

/** Follows the changes of a cohort at the pace of its client: it reads the next page when the one before was sent. */
export class ChangeStream implements MessageSource {
  rows = 0;
  private readonly ended = new AbortController();

  constructor(
    private page: FeedPage,
    private readonly parts: StreamParts,
  ) {}

  end(): void {
    this.ended.abort();
  }

  async *texts(): AsyncGenerator<string> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      const { changes, position, hasMore } = this.page;
      const messages = changes.map(
        (change) => `id: ${change.cursor}\nevent: ${change.change}\ndata: ${JSON.stringify(change)}\n\n`,
      );
      this.rows += changes.length;
      // A comment keeps proxies from ending a silent connection; the id moves the position from which the client resumes.
      yield messages.length > 0 ? messages.join('') : `: no change\nid: ${encodeChangePosition(position)}\n\n`;
      if (!hasMore) await this.parts.wait('snapshot' in position ? position.snapshot : position.id, signal);
      if (!signal.aborted) this.page = await this.parts.read(position);
    }
  }
}
