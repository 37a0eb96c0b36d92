/** Notifies listeners in this process that something happened. No ring between checking and listening is missed. */
export class Bell {
  private readonly listeners = new Set<() => void>();
  private count = 0;

  /** How often it has rung. Read it before checking, and pass it to `heard` afterwards. */
  get rings(): number {
    return this.count;
  }

  ring(): void {
    this.count += 1;
    for (const listener of [...this.listeners]) listener();
  }

  /** Resolves when it has rung more often than `since`, or after `ms`. */
  heard(ms: number, since: number): Promise<void> {
    if (this.count !== since || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.listeners.add(done);
    });
  }
}
