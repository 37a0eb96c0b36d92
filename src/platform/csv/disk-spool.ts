import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { scratchFolder } from '../values/scratch-folder.js';

const charactersPerWrite = 256 * 1024;

/** Spools records to disk, not to memory, when all of them must be read before the first can be written. */
export class DiskSpool<T> {
  private constructor(
    private readonly directory: string,
    private readonly file: string,
  ) {}

  /** `seen` is called with each record, and may throw to stop. */
  static async fill<T>(records: AsyncIterable<T>, seen: (record: T) => void = () => undefined): Promise<DiskSpool<T>> {
    const directory = await scratchFolder('spool');
    const spool = new DiskSpool<T>(directory, join(directory, 'records'));
    try {
      await spool.write(records, seen);
      return spool;
    } catch (error) {
      await spool.remove();
      throw error;
    }
  }

  async *records(): AsyncGenerator<T> {
    const input = createReadStream(this.file);
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) yield JSON.parse(line) as T;
    } finally {
      input.destroy();
    }
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }

  private async write(records: AsyncIterable<T>, seen: (record: T) => void): Promise<void> {
    const output = createWriteStream(this.file, { mode: 0o600 });
    const written = finished(output);
    // Awaited below; until then it has no other listener.
    written.catch(() => undefined);
    try {
      let text = '';
      for await (const record of records) {
        seen(record);
        text += `${JSON.stringify(record)}\n`;
        if (text.length < charactersPerWrite) continue;
        const hasRoom = output.write(text);
        text = '';
        // The listener is attached in the tick of the write: a tick later the event may already have fired.
        if (hasRoom) await yieldToEventLoop();
        else await Promise.race([once(output, 'drain'), written]);
      }
      output.end(text);
      await written;
    } finally {
      output.destroy();
    }
  }
}
