/** In an outage each request fails for the same reason: writes the first at once, and then once a second how many there were. */
export class RepeatedLines {
  /** By reason, how often it happened since it was last written, and how the newest one is written. */
  private readonly unwritten = new Map<string, { times: number; write: (times: number) => void }>();

  constructor(private readonly everyMs = 1_000) {}

  add(reason: string, write: (times: number) => void): void {
    const before = this.unwritten.get(reason);
    this.unwritten.set(reason, { times: (before?.times ?? 0) + 1, write });
    if (!before) this.write(reason);
  }

  private write(reason: string): void {
    const { times = 0, write } = this.unwritten.get(reason) ?? {};
    if (times === 0 || !write) {
      this.unwritten.delete(reason);
      return;
    }
    this.unwritten.set(reason, { times: 0, write });
    write(times);
    setTimeout(() => this.write(reason), this.everyMs).unref();
  }
}
