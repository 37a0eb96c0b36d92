export type ImportLine =
  | { readonly number: number; readonly bytes: Buffer }
  | { readonly number: number; readonly tooLong: true };

const newline = 0x0a;
/** True for white space of JSON. Other characters that String.trim removes are left to the parser. */
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0d || byte === 0x09;

/**
 * Reads the lines of a stream in constant memory, and yields after each chunk the lines that end in it. A line beyond the limit
 * is counted, not kept. Blank lines are skipped byte by byte, because a small gzip can contain hundreds of megabytes of them.
 */
export async function* importLines(bytes: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<ImportLine[]> {
  let number = 1;
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  const take = (end: Buffer): ImportLine => {
    const tooLong = bufferedBytes + end.length > maxBytes;
    const whole = buffered.length === 0 ? end : Buffer.concat([...buffered, end]);
    buffered = [];
    bufferedBytes = 0;
    return tooLong ? { number, tooLong } : { number, bytes: whole };
  };
  for await (const chunk of bytes) {
    const lines: ImportLine[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (bufferedBytes === 0) {
        for (; chunk[at] === newline || isBlank(chunk[at]); at += 1) if (chunk[at] === newline) number += 1;
        if (at >= chunk.length) break;
      }
      const end = chunk.indexOf(newline, at);
      if (end < 0) {
        const rest = chunk.subarray(at);
        // Only the length of a line beyond the limit is kept.
        if (bufferedBytes <= maxBytes) buffered.push(rest);
        else buffered = [];
        bufferedBytes += rest.length;
        break;
      }
      lines.push(take(chunk.subarray(at, end)));
      number += 1;
      at = end + 1;
    }
    if (lines.length > 0) yield lines;
  }
  if (bufferedBytes > 0) yield [take(Buffer.alloc(0))];
}
