import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ImportLine, importLines } from '../lines.js';
import { packLines, unpackLines } from './pieces.js';

const linesOf = async (text: string, maxBytes: number): Promise<ImportLine[]> => {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from(text));
  };
  const lines: ImportLine[] = [];
  for await (const more of importLines(bytes(), maxBytes)) lines.push(...more);
  return lines;
};

describe('packed lines', () => {
  it('are the same lines with the same numbers, blank and too long ones included', async () => {
    const line = fc.oneof(fc.json(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', 'x'.repeat(100)));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (texts) => {
        const lines = await linesOf(texts.join('\n'), 50);
        expect(await unpackLines(await packLines(lines))).toEqual(lines);
      }),
      { numRuns: 200 },
    );
  });

  it('take a fraction of their size', async () => {
    const event = JSON.stringify({ type: 'event', event: 'signed up', properties: { plan: 'pro', nested: { a: 1 } } });
    const text = Array.from({ length: 2000 }, () => event).join('\n');
    expect((await packLines(await linesOf(text, 1000))).length).toBeLessThan(text.length / 5);
  });
});
