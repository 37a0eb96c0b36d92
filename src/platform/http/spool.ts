import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The bytes that are kept in memory. Most documents are smaller, and never touch the disk. */
const memoryBytes = 4 * 1024 ** 2;
const readBytes = 256 * 1024;

/**
 * Keeps chunks until they are sent, so that their source need not wait for a slow client: a few megabytes in memory, the rest in
 * a file. The file has no name, so that nothing is left of it when the process is killed.
 */
export class Spool {
  private readonly inMemory: string[] = [];
  private file: FileHandle | null = null;
  private bytes = 0;

  constructor(private readonly maxInMemory = memoryBytes) {}

  /** Takes all chunks; stops between two of them when `isStopped`. */
  async fill(chunks: AsyncIterable<string>, isStopped: () => boolean): Promise<void> {
    for await (const chunk of chunks) {
      if (isStopped()) return;
      this.bytes += Buffer.byteLength(chunk);
      if (this.bytes > this.maxInMemory) this.file ??= await namelessFile();
      if (this.file) await this.file.appendFile(chunk);
      else this.inMemory.push(chunk);
    }
  }

  async *chunks(): AsyncGenerator<string | Uint8Array> {
    yield* this.inMemory;
    if (!this.file) return;
    const options = { fd: this.file, start: 0, autoClose: false, highWaterMark: readBytes };
    yield* createReadStream('', options) as AsyncIterable<Buffer>;
  }

  /** Frees the space on the disk. */
  async close(): Promise<void> {
    await this.file?.close();
  }
}

/** Opens a new file and removes its name at once. */
const namelessFile = async (): Promise<FileHandle> => {
  const folder = await mkdtemp(join(tmpdir(), 'kohort-'));
  try {
    return await open(join(folder, 'spool'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
