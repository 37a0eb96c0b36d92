import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { entriesIn, publish, syncPath, writeNew } from '../../../platform/objects/durable-files.js';
import { FolderObjects } from '../../../platform/objects/folder-objects.js';
import { isIntact, type StoredObject } from '../../../platform/objects/object-store.js';
import { Heartbeat, isBeingMade, type Silence } from './heartbeat.js';
import {
  BackupFault,
  manifestFile,
  type Draft,
  type StoredFile,
  type BackupDestination,
  type InnerDestination,
} from './destination.js';

/** The ending of the name of a folder whose backup is not complete. */
const unfinished = '.unfinished';
/** A file in an unfinished folder, which changes while the backup is being made. */
const markFile = 'mark';
const silence: Silence = { allowedMs: 20_000, deadlyMs: 30_000 };

/** Refuses links, which could lead to any file of this machine, and does not wait at pipes, where a reader may wait for ever. */
const plainFile = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A folder, whose absolute path is its name. */
export class Folder extends FolderObjects implements BackupDestination {
  constructor(
    name: string,
    /** The folder of an earlier backup. */
    private readonly earlier: string | null = null,
  ) {
    super(name, BackupFault, plainFile);
  }

  async start(): Promise<Draft> {
    if (await isThere(this.name)) throw new BackupFault(`${this.name} exists already: name another folder`);
    return this.explaining(this.name, 'written', async () => {
      await mkdir(dirname(this.name), { recursive: true });
      const draft = new FolderDraft(this, this.earlier);
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

  async inside(): Promise<InnerDestination[]> {
    const entries = await this.explaining(this.name, 'read', () => entriesIn(this.name));
    const found: InnerDestination[] = [];
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      const path = join(this.name, name);
      const isComplete = !name.endsWith(unfinished);
      if (isComplete && !(await isThere(join(path, manifestFile)))) continue;
      found.push({ name, destination: new Folder(path), isComplete });
    }
    return found;
  }

  /** Renames the folder before it removes it, so that a process that was only paused cannot find it and write there. */
  remove(): Promise<void> {
    return this.explaining(this.name, 'written', async () => {
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

/** A backup that is being made in a folder. The folder gets the name of the backup only once it is complete and on the disk. */
class FolderDraft implements Draft {
  private readonly folder: string;
  private readonly heartbeat: Heartbeat;

  constructor(
    private readonly to: Folder,
    private readonly earlier: string | null,
  ) {
    this.folder = `${to.name}${unfinished}`;
    this.heartbeat = new Heartbeat(to.name, silence, () => this.mark());
  }

  /** Makes the unfinished folder. Returns false if it exists already. */
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

  write(file: string, bytes: Buffer): Promise<StoredObject> {
    return this.to.explaining(this.to.name, 'written', async () => {
      this.heartbeat.check();
      await writeNew(join(this.folder, file), bytes);
      return {};
    });
  }

  /** Links the file of the earlier backup under a second name, or copies it where the earlier backup is on another disk. */
  take(earlier: StoredFile, file: string): Promise<StoredObject | null> {
    return this.to.explaining(this.to.name, 'written', async () => {
      const source = new Folder(this.earlier ?? '');
      if (!isIntact(await source.read(earlier.file, earlier.size).catch(() => null), earlier)) return null;
      const [from, to] = [join(source.name, earlier.file), join(this.folder, file)];
      await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL));
      return {};
    });
  }

  complete(manifest: string): Promise<void> {
    return this.to.explaining(this.to.name, 'written', async () => {
      this.heartbeat.check();
      await writeNew(join(this.folder, manifestFile), manifest);
      await this.heartbeat.stop();
      await rm(join(this.folder, markFile));
      await publish(this.folder, this.to.name);
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
