import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const reachedFile = 'reached.json';
const isReached = (from: string): boolean => from.startsWith(reachedFile);

export const corpusFolder = 'test/fuzz/parsers/corpus';

/** An input that is text is written as text, so that a reader sees what it is. */
export type WrittenInput = string | { readonly base64: string };

/**
 * The inputs of the repository for a parser, by the file that contains them: `seeds.json` was written by hand or recorded,
 * `reached.json` was found to reach other code, and `broke.json` has what once broke a promise.
 */
export const corpusOf = (name: string): { readonly from: string; readonly input: Buffer }[] =>
  readdirSync(join(corpusFolder, name)).flatMap((file) =>
    (JSON.parse(readFileSync(join(corpusFolder, name, file), 'utf8')) as WrittenInput[]).map((written, at) => ({
      from: `${file} ${at}`,
      input: typeof written === 'string' ? Buffer.from(written) : Buffer.from(written.base64, 'base64'),
    })),
  );

export const written = (input: Buffer): WrittenInput => {
  const text = input.toString('utf8');
  return Buffer.from(text).equals(input) ? text : { base64: input.toString('base64') };
};

/** The longest inputs are left out beyond a size at which those of all parsers together stay small. */
const mostBytesReached = 28_000;

/** Written beside the seeds; what they contain is not repeated. */
export const writeReached = (name: string, inputs: readonly Buffer[]): void => {
  const known = new Set(
    corpusOf(name).flatMap(({ from, input }) => (isReached(from) ? [] : [input.toString('latin1')])),
  );
  const lines: string[] = [];
  let bytes = 0;
  for (const input of inputs.toSorted((a, b) => a.length - b.length || Buffer.compare(a, b))) {
    if (known.has(input.toString('latin1'))) continue;
    const line = JSON.stringify(written(input));
    bytes += Buffer.byteLength(line) + 4;
    if (bytes > mostBytesReached) break;
    lines.push(line);
  }
  writeFileSync(join(corpusFolder, name, reachedFile), `[\n${lines.map((line) => `  ${line}`).join(',\n')}\n]\n`);
};
