const pageBytes = 256 * 1024;

/**
 * A text outside of the heap. The garbage collector would move masses of texts that wait on the heap for a commit or a shipment
 * again and again. Texts share pages; a page is released with its last text.
 */
export class OffHeapText {
  private static page: Buffer = Buffer.alloc(0);
  private static used = 0;

  private constructor(
    private readonly page: Buffer,
    private readonly start: number,
    readonly bytes: number,
  ) {}

  static of(text: string): OffHeapText {
    if (3 * text.length > OffHeapText.page.length - OffHeapText.used) {
      const bytes = Buffer.byteLength(text);
      // A text that would fill much of a page gets its own buffer, so that neither keeps the other in memory.
      if (bytes > pageBytes / 8) return new OffHeapText(Buffer.from(text), 0, bytes);
      OffHeapText.page = Buffer.allocUnsafeSlow(pageBytes);
      OffHeapText.used = 0;
    }
    const { page, used: start } = OffHeapText;
    const bytes = page.write(text, start);
    OffHeapText.used += bytes;
    return new OffHeapText(page, start, bytes);
  }

  /** Copies the texts to a page of their own, which keeps nothing else in memory. */
  static together(texts: readonly OffHeapText[]): OffHeapText[] {
    let all = 0;
    for (const { bytes } of texts) all += bytes;
    const page = Buffer.allocUnsafeSlow(all);
    const copies: OffHeapText[] = [];
    let start = 0;
    for (const text of texts) {
      copies.push(new OffHeapText(page, start, text.bytes));
      start += text.copyTo(page, start);
    }
    return copies;
  }

  /** Returns the number of copied bytes. */
  copyTo(target: Buffer, at: number): number {
    return this.page.copy(target, at, this.start, this.start + this.bytes);
  }

  toString(): string {
    return this.page.toString('utf8', this.start, this.start + this.bytes);
  }
}
