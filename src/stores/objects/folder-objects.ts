import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath } from '../postgres/embedded/private-file.js';
import { type ObjectPlace } from './object-place.js';
import { PlaceFault } from './place-fault.js';

/** Files in a folder, which all processes must share. */
export class FolderObjects implements ObjectPlace {
  constructor(private readonly folder: string) {}

  async write(file: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.folder, file);
    const draft = `${path}.draft`;
    await this.explaining(path, 'written', async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, path);
      await syncPath(dirname(path));
    });
  }

  async read(file: string, start: number, end: number): Promise<Buffer | null> {
    const path = join(this.folder, file);
    const handle = await this.opened(path);
    if (handle === null) return null;
    try {
      const bytes = Buffer.alloc(end - start);
      const { bytesRead } = await this.explaining(path, 'read', () => handle.read(bytes, 0, bytes.length, start));
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async remove(file: string): Promise<void> {
    const path = join(this.folder, file);
    await this.explaining(path, 'removed', async () => {
      await rm(path, { force: true });
      await rm(`${path}.draft`, { force: true });
    });
  }

  private async opened(path: string): Promise<FileHandle | null> {
    return this.explaining(path, 'read', () =>
      open(path, 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      }),
    );
  }

  private explaining<T>(path: string, verb: string, work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!/^E[A-Z]+$/.test(code)) throw error;
      throw new PlaceFault(`${path} cannot be ${verb} (${code}): check the folder, its disk and its rights`, {
        cause: error,
      });
    });
  }
}
