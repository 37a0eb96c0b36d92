/** How large parts are, before they are packed. */
export const defaultPartBytes = 8 * 1024 ** 2;

/**
 * Collects the pieces of a stream and cuts it into parts. The bytes themselves decide where a part ends: a row more or less
 * changes the parts around it and no other, so that two backups of nearly equal tables have nearly all parts in common.
 */
export class PartCutter {
  private buffer: Buffer;
  private length = 0;

  constructor(
    private readonly partBytes: number,
    private readonly onPart: (rows: Buffer) => void,
  ) {
    this.buffer = Buffer.allocUnsafe(partBytes);
  }

  /** Copies the piece, which the driver overwrites afterwards. */
  add(piece: Buffer): void {
    this.reserve(this.length + piece.length);
    piece.copy(this.buffer, this.length);
    this.length += piece.length;
    const isDue = this.length >= this.partBytes / 2 && endsPart(piece, this.partBytes);
    if (isDue || this.length >= this.partBytes * 2) this.cut();
  }

  end(): void {
    if (this.length > 0) this.cut();
  }

  private cut(): void {
    const rows = this.buffer.subarray(0, this.length);
    this.buffer = Buffer.allocUnsafe(this.partBytes);
    this.length = 0;
    this.onPart(rows);
  }

  private reserve(bytes: number): void {
    if (bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes, 2 * this.buffer.length));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

const hashedBytes = 64;

/** True for one piece in half a part, on average, no matter how long rows are. */
const endsPart = (piece: Buffer, partBytes: number): boolean => {
  let hash = 0x811c9dc5;
  const end = Math.min(piece.length, hashedBytes);
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ (piece[at] ?? 0), 0x01000193);
  hash ^= hash >>> 15;
  return (hash >>> 0) / 2 ** 32 < (2 * piece.length) / partBytes;
};
