import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath } from '../../stores/postgres/embedded/private-file.js';
import { BackupFault } from './backup-fault.js';
import { manifestFile, type Draft, type Kept, type KeptFile, type BackupPlace } from './place.js';

/** A folder, whose absolute path is its name. */
export class Folder implements BackupPlace {
  constructor(
    readonly name: string,
    /** The folder of an earlier backup. */
    private readonly earlier: string | null = null,
  ) {}

  async read(file: string, maxBytes: number): Promise<Buffer | null> {
    const path = join(this.name, file);
    return readFileOf(path, maxBytes).catch(({ code }: NodeJS.ErrnoException) => {
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw new BackupFault(`${path} cannot be read (${code})`);
    });
  }

  async begin(): Promise<Draft> {
    const isThere = await stat(this.name).then(
      () => true,
      () => false,
    );
    if (isThere) throw new BackupFault(`${this.name} exists already: name another folder`);
    return explaining(this.name, async () => {
      await mkdir(dirname(this.name), { recursive: true });
      const draft = new FolderDraft(this.name, this.earlier);
      await draft.open();
      return draft;
    });
  }
}

/** A link could lead to any file of this machine, and a pipe has a reader wait for ever. */
const readFileOf = async (path: string, maxBytes: number): Promise<Buffer> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw Object.assign(new Error(), { code: 'not a file' });
    const bytes = Buffer.alloc(Math.min(status.size, maxBytes + 1));
    let read = 0;
    for (let last = -1; read < bytes.length && last !== 0; read += last)
      ({ bytesRead: last } = await handle.read(bytes, read, bytes.length - read, read));
    return bytes.subarray(0, read);
  } finally {
    await handle.close();
  }
};

/** Has the name of the backup only when it is complete and on the disk. */
class FolderDraft implements Draft {
  private readonly folder: string;

  constructor(
    private readonly to: string,
    private readonly earlier: string | null,
  ) {
    this.folder = `${to}.unfinished`;
  }

  async open(): Promise<void> {
    await mkdir(this.folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      throw new BackupFault(
        `${this.folder} exists: another backup writes there, or was killed; if none is running, remove it and try again`,
      );
    });
  }

  write(file: string, bytes: Buffer): Promise<Kept> {
    return explaining(this.to, async () => {
      await writeDurably(join(this.folder, file), bytes);
      return {};
    });
  }

  /** A second name for the same bytes, or a copy on another disk. */
  take({ file: earlier, sha256, size }: KeptFile, file: string): Promise<Kept | null> {
    return explaining(this.to, async () => {
      const from = join(this.earlier ?? '', earlier);
      const bytes = await readFileOf(from, size).catch(() => null);
      if (bytes?.length !== size || createHash('sha256').update(bytes).digest('hex') !== sha256) return null;
      const to = join(this.folder, file);
      await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL));
      return {};
    });
  }

  complete(manifest: string): Promise<void> {
    return explaining(this.to, async () => {
      await writeDurably(join(this.folder, manifestFile), manifest);
      await syncPath(this.folder);
      await rename(this.folder, this.to);
      await syncPath(dirname(this.to));
    });
  }

  abandon(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** A file that is on the disk, not only in memory, when the promise resolves. */
const writeDurably = async (path: string, bytes: Buffer | string): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

const explaining = <T>(to: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^E[A-Z]+$/.test(code)) throw error;
    throw new BackupFault(`${to} cannot be written (${code}): free space, or name another folder`, { cause: error });
  });
