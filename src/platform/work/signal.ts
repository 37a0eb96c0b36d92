/** Tells waiting code in this process that something happened. No news between checking and waiting is missed. */
export class Signal {
  private readonly waiting = new Set<() => void>();
  private notified = 0;

  /** How often it has notified. Read it before checking, and pass it to `waitForNext` afterwards. */
  get count(): number {
    return this.notified;
  }

  notify(): void {
    this.notified += 1;
    for (const done of [...this.waiting]) done();
  }

  /** Resolves when it has notified more often than `since`, or after `ms`. */
  waitForNext(ms: number, since: number): Promise<void> {
    if (this.notified !== since || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
    });
  }
}
