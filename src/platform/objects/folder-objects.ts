import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { draftOf, writeDurably } from './durable-files.js';
import { StorageFault, type StoredObject, type ObjectStore } from './object-store.js';

/** Files in a folder, which all processes must share. */
export class FolderObjects implements ObjectStore {
  constructor(
    /** The path of the folder. */
    readonly name: string,
    private readonly Fault: typeof StorageFault = StorageFault,
    /** The flags with which files are opened for reading. */
    private readonly flags: number = constants.O_RDONLY,
  ) {}

  write(file: string, bytes: Uint8Array): Promise<StoredObject> {
    const path = join(this.name, file);
    return this.explaining(path, 'written', async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeDurably(path, bytes);
      return {};
    });
  }

  read(file: string, maxBytes: number): Promise<Buffer | null> {
    return this.readPiece(file, 0, maxBytes + 1);
  }

  readPiece(file: string, start: number, end: number): Promise<Buffer | null> {
    const path = join(this.name, file);
    return this.explaining(path, 'read', () =>
      bytesOf(path, this.flags, start, end).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
        throw error;
      }),
    );
  }

  removeFile(file: string): Promise<void> {
    const path = join(this.name, file);
    return this.explaining(path, 'removed', async () => {
      await rm(path, { force: true });
      await rm(draftOf(path), { force: true });
    });
  }

  /** Turns an error of the operating system into a fault that tells the operator which path it is about. */
  explaining<T>(path: string, verb: string, work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!/^E[A-Z]+$|^not a file$/.test(code)) throw error;
      throw new this.Fault(`${path} cannot be ${verb} (${code}): check the folder, its disk and its rights`, {
        cause: error,
      });
    });
  }
}

const bytesOf = async (path: string, flags: number, start: number, end: number): Promise<Buffer> => {
  const handle = await open(path, flags);
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw Object.assign(new Error(), { code: 'not a file' });
    const bytes = Buffer.alloc(Math.max(0, Math.min(status.size, end) - start));
    let read = 0;
    for (let last = -1; read < bytes.length && last !== 0; read += last)
      ({ bytesRead: last } = await handle.read(bytes, read, bytes.length - read, start + read));
    return bytes.subarray(0, read);
  } finally {
    await handle.close();
  }
};
