/** Tells waiting code in this process that something happened. A notice between checking and waiting is not missed. */
export class Signal {
  private readonly waiting = new Set<() => void>();
  private notified = 0;

  /** The number of calls of `notify`. Read it before you check, and pass it to `waitForNext` afterwards. */
  get count(): number {
    return this.notified;
  }

  notify(): void {
    this.notified += 1;
    for (const done of [...this.waiting]) done();
  }

  /** Resolves once `count` is higher than `since`, or after `ms`. */
  waitForNext(ms: number, since: number): Promise<void> {
    return Signal.waitForAny(ms, [[this, since]]);
  }

  /** Does the same for the first of several signals, each with its own `since`. */
  static waitForAny(ms: number, signals: readonly (readonly [signal: Signal, since: number])[]): Promise<void> {
    if (ms <= 0 || signals.some(([signal, since]) => signal.notified !== since)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        for (const [{ waiting }] of signals) waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      for (const [{ waiting }] of signals) waiting.add(done);
    });
  }
}
