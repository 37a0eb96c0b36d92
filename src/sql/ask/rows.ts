import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

const newline = 0x0a;
const rowsPerBatch = 200;
const charactersPerChunk = 64 * 1024;

/** The lines of an answer, of which each is a row; other requests are served between two batches. */
export async function* batchesOf(answer: Buffer): AsyncGenerator<readonly (readonly unknown[])[]> {
  let batch: (readonly unknown[])[] = [];
  for (let from = 0; from < answer.length;) {
    const end = answer.indexOf(newline, from);
    const to = end < 0 ? answer.length : end;
    if (to > from) batch.push(JSON.parse(answer.toString('utf8', from, to)) as readonly unknown[]);
    from = to + 1;
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
    await yieldToEventLoop();
  }
  if (batch.length > 0) yield batch;
}

/** Each row as a JSON object of a line. */
export async function* ndjsonOf(
  answer: Buffer,
  columns: readonly string[],
  onRows: (rows: number) => void,
): AsyncGenerator<string> {
  const names = columns.map((name) => JSON.stringify(name));
  let chunk = '';
  for await (const batch of batchesOf(answer)) {
    for (const row of batch) chunk += `{${names.map((name, at) => `${name}:${JSON.stringify(row[at])}`).join(',')}}\n`;
    onRows(batch.length);
    if (chunk.length < charactersPerChunk) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Names of columns for a file, each only once. */
export const uniqueNames = (names: readonly string[]): readonly string[] => {
  const used = new Set<string>();
  return names.map((name) => {
    const plain = name === '' ? 'column' : name;
    let unique = plain;
    for (let number = 2; used.has(unique); number += 1) unique = `${plain}_${number}`;
    used.add(unique);
    return unique;
  });
};
