import { type Head } from './arrivals-reader.js';
import { encodePosition, positionAt, type Position, type Snapshot } from './position.js';

export interface LiveFilter {
  readonly event: string | null;
  readonly distinctId: string | null;
  readonly personId: string | null;
}

/** One stream shows at most this many events per second. */
export const eventsPerSecond = 50;
/** A resumed stream gets at most this many of the events that it has missed. */
export const eventsOnResume = 1000;

/** The queue of a client that reads more slowly than events arrive takes at most this much memory. */
const mostQueuedBytes = 4 * 1024 ** 2;
/** Queued texts are sent together up to about this size. */
const chunkBytes = 64 * 1024;

export interface Choice {
  /** The positions of the shown events in the list of events. */
  readonly chosen: readonly number[];
  readonly skipped: number;
}

/** One client that watches the events of a project: the filter for them, and the messages that the client has not read yet. */
export class LiveStream {
  position: Position | null = null;
  /** The number of events that were queued. */
  rows = 0;
  private readonly queue: string[] = [];
  private queuedBytes = 0;
  private unreported = 0;
  private hasEnded = false;
  private wake: () => void = () => undefined;
  private allowance = eventsPerSecond;
  private allowedAt = performance.now();

  constructor(
    readonly projectId: number,
    private readonly filter: LiveFilter,
    readonly resumed: Position | null,
    /** The number of events that may still be shown; the stream ends after them. */
    private remaining = Infinity,
  ) {}

  get isFiltered(): boolean {
    const { event, distinctId, personId } = this.filter;
    return event !== null || distinctId !== null || personId !== null;
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  /**
   * Decides which of `count` events are shown. `heads` are needed only if there is a filter. `uncounted` events were not
   * examined, because too many arrived at once.
   */
  choose(count: number, heads: readonly (Head | undefined)[] | null, uncounted: number, isResuming: boolean): Choice {
    const matching: number[] = [];
    for (let at = 0; at < count; at += 1) if (heads === null || this.matches(heads[at])) matching.push(at);
    const allowed = Math.min(isResuming ? eventsOnResume : this.allowedNow(), this.remaining);
    const chosen = matching.slice(0, allowed);
    if (!isResuming) this.allowance -= chosen.length;
    // After the last event of a limited stream, nothing counts as skipped.
    return { chosen, skipped: chosen.length === this.remaining ? 0 : matching.length - chosen.length + uncounted };
  }

  /** Queues messages, after which the stream has everything up to `to`. */
  take(messages: readonly string[], skipped: number, to: Snapshot, takenAt: number): void {
    this.position = positionAt(to, takenAt);
    const fitting = this.pushFitting(messages);
    this.remaining -= fitting;
    this.rows += fitting;
    this.unreported += skipped + messages.length - fitting;
    if (this.unreported > 0 && this.queuedBytes <= mostQueuedBytes) {
      this.report(this.unreported);
      this.unreported = 0;
    }
    if (this.remaining === 0) this.end();
  }

  /** Tells the client that events may be missing before the next one. `count` is null when their number is unknown. */
  report(count: number | null): void {
    this.push(`${this.idLine()}event: skipped\ndata: ${JSON.stringify({ count })}\n\n`);
  }

  /**
   * Sends a heart-beat, which keeps proxies from closing a silent connection. Its id is the position from which the client
   * resumes.
   */
  beat(): void {
    if (this.queue.length === 0) this.push(`: heart-beat\n${this.idLine()}\n`);
  }

  /** Ends the stream after the queued messages. */
  end(): void {
    this.hasEnded = true;
    this.wake();
  }

  async *texts(): AsyncGenerator<string> {
    for (;;) {
      const text = this.nextText();
      if (text !== '') yield text;
      else if (this.hasEnded) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private nextText(): string {
    let text = '';
    let taken = 0;
    while (taken < this.queue.length && text.length < chunkBytes) text += this.queue[taken++];
    this.queue.splice(0, taken);
    this.queuedBytes -= text.length;
    return text;
  }

  private pushFitting(messages: readonly string[]): number {
    let fitting = 0;
    while (fitting < messages.length && this.queuedBytes <= mostQueuedBytes) this.push(messages[fitting++] ?? '');
    return fitting;
  }

  private push(text: string): void {
    if (this.hasEnded) return;
    this.queue.push(text);
    this.queuedBytes += text.length;
    this.wake();
  }

  private idLine(): string {
    return this.position === null ? '' : `id: ${encodePosition(this.position)}\n`;
  }

  private allowedNow(): number {
    const now = performance.now();
    const gained = ((now - this.allowedAt) / 1000) * eventsPerSecond;
    this.allowance = Math.min(eventsPerSecond, this.allowance + gained);
    this.allowedAt = now;
    return Math.floor(this.allowance);
  }

  private matches(head: Head | undefined): boolean {
    if (head === undefined) return false;
    const { event, distinctId, personId } = this.filter;
    return (
      (event === null || head.event === event) &&
      (distinctId === null || head.distinct_id === distinctId) &&
      (personId === null || head.person_id === personId)
    );
  }
}

export const eventMessage = (position: Position, json: string): string =>
  `id: ${encodePosition(position)}\nevent: event\ndata: ${json}\n\n`;
