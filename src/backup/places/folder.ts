import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncPath } from '../../stores/postgres/embedded/private-file.js';
import { BackupFault } from './backup-fault.js';
import { Heartbeat, isBeingMade, type Silence } from './heartbeat.js';
import { manifestFile, type Draft, type Kept, type KeptFile, type BackupPlace, type PlaceInside } from './place.js';

/** Follows the name of a backup that is not complete. */
const unfinished = '.unfinished';
/** Is in such a folder, and changes while the backup is being made. */
const markFile = 'mark';
const silence: Silence = { allowedMs: 20_000, deadlyMs: 30_000 };

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
    if (await isThere(this.name)) throw new BackupFault(`${this.name} exists already: name another folder`);
    return explaining(this.name, async () => {
      await mkdir(dirname(this.name), { recursive: true });
      const draft = new FolderDraft(this.name, this.earlier);
      if (await draft.open()) return draft;
      const dead = new Folder(`${this.name}${unfinished}`);
      if (await dead.isBeingMade()) throw new BackupFault(`${dead.name} exists: another backup writes there`);
      await dead.remove();
      if (!(await draft.open())) throw new BackupFault(`${dead.name} exists again: another backup writes there`);
      return draft;
    });
  }

  isBeingMade(): Promise<boolean> {
    return isBeingMade(this, markFile, silence);
  }

  async inside(): Promise<PlaceInside[]> {
    const entries = await readdir(this.name, { withFileTypes: true }).catch(({ code }: NodeJS.ErrnoException) => {
      if (code === 'ENOENT') return [];
      throw new BackupFault(`${this.name} cannot be read (${code}): name a folder that has backups`);
    });
    const found: PlaceInside[] = [];
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      const path = join(this.name, name);
      const isComplete = !name.endsWith(unfinished);
      if (isComplete && !(await isThere(join(path, manifestFile)))) continue;
      found.push({ name, place: new Folder(path), isComplete });
    }
    return found;
  }

  /** A name that no process knows comes first, so that one that was only paused writes nothing more. */
  remove(): Promise<void> {
    return explaining(this.name, async () => {
      const path = `${this.name}.${randomUUID().slice(0, 8)}${unfinished}`;
      await rename(this.name, path);
      await syncPath(dirname(path));
      await rm(path, { recursive: true, force: true });
    });
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

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
  private readonly heartbeat: Heartbeat;

  constructor(
    private readonly to: string,
    private readonly earlier: string | null,
  ) {
    this.folder = `${to}${unfinished}`;
    this.heartbeat = new Heartbeat(to, silence, () => this.mark());
  }

  /** Returns false when there is one already. */
  async open(): Promise<boolean> {
    const made = await mkdir(this.folder, { mode: 0o700 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    if (!made) return false;
    await this.mark();
    this.heartbeat.start();
    return true;
  }

  write(file: string, bytes: Buffer): Promise<Kept> {
    return explaining(this.to, async () => {
      this.heartbeat.check();
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
      this.heartbeat.check();
      await writeDurably(join(this.folder, manifestFile), manifest);
      await this.heartbeat.stop();
      await rm(join(this.folder, markFile));
      await syncPath(this.folder);
      await rename(this.folder, this.to);
      await syncPath(dirname(this.to));
    });
  }

  async abandon(): Promise<void> {
    await this.heartbeat.stop();
    if (this.heartbeat.isHeard) await rm(this.folder, { recursive: true, force: true });
  }

  private mark(): Promise<void> {
    return writeFile(join(this.folder, markFile), randomUUID(), { mode: 0o600 });
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
