import { describe, expect, it } from '@jest/globals';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type WriteStep, type FindOwners } from './batches.js';
import { importRun, type ImportCounts, type ImportWriter } from './import-run.js';

const linesOfChunk = 2000;
const options = { applyPersonProperties: true, createPersons: true };
const now = new Date('2026-01-02T10:00:00Z');

const eventLine = (more: object): string =>
  `${JSON.stringify({ type: 'event', event: 'e', distinct_id: 'd', ...more })}\n`;

async function* bodyOf(lines: readonly string[], fault?: Error): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(lines.join('')));
  if (fault) throw fault;
}

/** Commits a chunk a few ticks of the event loop after it came; `failing` are the indexes of chunks that fail. */
class SlowWriter implements ImportWriter {
  mostAtOnce = 0;
  private open = 0;
  private chunks = 0;

  constructor(private readonly failing: readonly number[] = []) {}

  findOwners: FindOwners = () => Promise.resolve(new Map());

  async write([batch]: readonly WriteStep[], _receivedAt: Date, read: Parameters<ImportWriter['write']>[2]) {
    const nth = this.chunks++;
    this.open += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.open);
    for (let ticks = 0; ticks < 500; ticks += 1) await yieldToEventLoop();
    this.open -= 1;
    if (this.failing.includes(nth)) throw new Error(`chunk ${nth} failed`);
    return { ...read(new Map()), accepted: batch?.events.length ?? 0, duplicates: 0 };
  }
}

const run = async (writer: ImportWriter, body: AsyncIterable<Buffer>) => {
  const counts: ImportCounts = { persons: 0, events: 0, duplicates: 0 };
  const refused: number[] = [];
  let failure: unknown = null;
  try {
    for await (const refusals of importRun(body, options, writer, counts, now)) {
      refused.push(...refusals.map(({ line }) => line));
    }
  } catch (error) {
    failure = error;
  }
  return { counts, refused, failure };
};

const chunksOf = (count: number, more: object): string[] =>
  Array.from({ length: count * linesOfChunk }, () => eventLine(more));

describe('an import', () => {
  it('writes two chunks at once when their events change no person', async () => {
    const writer = new SlowWriter();
    const { counts, failure } = await run(writer, bodyOf(chunksOf(4, { changes_persons: false })));
    expect({ failure, events: counts.events, mostAtOnce: writer.mostAtOnce }).toEqual({
      failure: null,
      events: 4 * linesOfChunk,
      mostAtOnce: 2,
    });
  });

  it('writes one chunk after the other when events change persons, because their order decides', async () => {
    const writer = new SlowWriter();
    const { counts } = await run(writer, bodyOf(chunksOf(3, {})));
    expect([counts.events, writer.mostAtOnce]).toEqual([3 * linesOfChunk, 1]);
  });

  it('counts the chunk that was committed while the one before failed, and writes none after it', async () => {
    const { counts, failure } = await run(new SlowWriter([1]), bodyOf(chunksOf(4, { changes_persons: false })));
    expect(failure).toEqual(new Error('chunk 1 failed'));
    expect(counts.events).toBe(2 * linesOfChunk);
  });

  it('tells every refused line before a fault of the body', async () => {
    const lines = [...chunksOf(1, { changes_persons: false }), 'broken\n'];
    const { counts, refused, failure } = await run(new SlowWriter(), bodyOf([...lines, ...lines], new Error('cut')));
    expect(failure).toEqual(new Error('cut'));
    expect([counts.events, refused]).toEqual([2 * linesOfChunk - 1, [linesOfChunk + 1]]);
  });
});
