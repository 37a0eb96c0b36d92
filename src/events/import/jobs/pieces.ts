import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type ImportLine } from '../lines.js';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

const newline = 0x0a;
const separator = Buffer.from([newline]);

/** The fastest level: it already shrinks NDJSON to a fraction. */
const level = 1;

/**
 * Packs lines of an import, to store them until they are imported: first their numbers as JSON, negative for lines that were too
 * long to be kept, then the lines.
 */
export const packLines = (lines: readonly ImportLine[]): Promise<Buffer> => {
  const numbers = lines.map((line) => ('bytes' in line ? line.number : -line.number));
  const parts: Buffer[] = [Buffer.from(JSON.stringify(numbers))];
  for (const line of lines) if ('bytes' in line) parts.push(separator, line.bytes);
  return pack(Buffer.concat(parts), { level });
};

export const unpackLines = async (packed: Buffer): Promise<ImportLine[]> => {
  const text = await unpack(packed);
  let end = text.indexOf(newline);
  if (end < 0) end = text.length;
  const numbers = JSON.parse(text.toString('utf8', 0, end)) as number[];
  return numbers.map((number) => {
    if (number < 0) return { number: -number, tooLong: true };
    const start = end + 1;
    end = text.indexOf(newline, start);
    if (end < 0) end = text.length;
    return { number, bytes: text.subarray(start, end) };
  });
};
