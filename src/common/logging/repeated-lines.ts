/** In an outage each request fails for the same reason: writes the first at once, and then once a second how many there were. */
export class RepeatedLines {
  /** By reason, how often it happened since it was last written. */
  private readonly unwritten = new Map<string, number>();

  constructor(private readonly everyMs = 1_000) {}

  add(reason: string, write: (times: number) => void): void {
    const before = this.unwritten.get(reason);
    this.unwritten.set(reason, (before ?? 0) + 1);
    if (before === undefined) this.write(reason, write);
  }

  private write(reason: string, write: (times: number) => void): void {
    const times = this.unwritten.get(reason) ?? 0;
    if (times === 0) {
      this.unwritten.delete(reason);
      return;
    }
    this.unwritten.set(reason, 0);
    write(times);
    setTimeout(() => this.write(reason, write), this.everyMs).unref();
  }
}
