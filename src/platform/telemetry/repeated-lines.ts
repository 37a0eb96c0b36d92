/** Limits log lines in an outage, when all requests fail for one reason: after the first, writes a count once a second. */
export class RepeatedLines {
  /** For each reason: how often it happened since the last line, and the function that writes the newest line. */
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
