import { StringDecoder } from 'node:string_decoder';

export type Line =
  { readonly number: number; readonly text: string } | { readonly number: number; readonly tooLong: true };

/** Lines of a stream at constant memory. A line beyond the limit is not kept, only counted; blank ones are passed over. */
export async function* linesOf(bytes: AsyncIterable<Buffer>, maxLength: number): AsyncGenerator<Line> {
  const decoder = new StringDecoder('utf8');
  let number = 1;
  let held = '';
  let overflowing = false;
  const finish = (text: string): Line | null => {
    const tooLong = overflowing || text.length > maxLength;
    const at = { number };
    overflowing = false;
    number += 1;
    if (tooLong) return { ...at, tooLong };
    return text.trim() === '' ? null : { ...at, text };
  };
  for await (const chunk of bytes) {
    const parts = decoder.write(chunk).split('\n');
    for (let part = 0; part < parts.length - 1; part += 1) {
      const line = finish(held + (parts[part] ?? ''));
      held = '';
      if (line) yield line;
    }
    held += parts.at(-1) ?? '';
    if (held.length > maxLength) {
      overflowing = true;
      held = '';
    }
  }
  const last = finish(held + decoder.end());
  if (last) yield last;
}
