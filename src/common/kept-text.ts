const pageBytes = 256 * 1024;

/**
 * A text outside of the heap. Texts that wait in masses, for a commit or a shipment, would be moved by the garbage
 * collector again and again inside of it. Texts share pages; a page is released with its last text.
 */
export class KeptText {
  private static page: Buffer = Buffer.alloc(0);
  private static used = 0;

  private constructor(
    private readonly page: Buffer,
    private readonly start: number,
    readonly bytes: number,
  ) {}

  static of(text: string): KeptText {
    if (3 * text.length > KeptText.page.length - KeptText.used) {
      const bytes = Buffer.byteLength(text);
      // A text that would fill much of a page gets its own buffer, so that neither keeps the other in memory.
      if (bytes > pageBytes / 8) return new KeptText(Buffer.from(text), 0, bytes);
      KeptText.page = Buffer.allocUnsafeSlow(pageBytes);
      KeptText.used = 0;
    }
    const { page, used: start } = KeptText;
    const bytes = page.write(text, start);
    KeptText.used += bytes;
    return new KeptText(page, start, bytes);
  }

  /** Copies the texts to a page of their own, which keeps nothing else in memory. */
  static together(texts: readonly KeptText[]): KeptText[] {
    let all = 0;
    for (const { bytes } of texts) all += bytes;
    const page = Buffer.allocUnsafeSlow(all);
    const copies: KeptText[] = [];
    let start = 0;
    for (const text of texts) {
      copies.push(new KeptText(page, start, text.bytes));
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
