import { randomUUID } from 'node:crypto';
import { type S3Config } from '../../../platform/config/s3.js';
import { BucketObjects } from '../../../platform/objects/bucket-objects.js';
import { type StoredObject } from '../../../platform/objects/object-store.js';
import { Heartbeat, isBeingMade, type Silence } from './heartbeat.js';
import {
  BackupFault,
  manifestFile,
  type Draft,
  type StoredFile,
  type BackupDestination,
  type InnerDestination,
} from './destination.js';

/** The object that marks an unfinished backup. It changes while the backup is made, and is removed once it is complete. */
const markFile = 'unfinished';
/** Longer than a failing request is repeated. */
const silence: Silence = { allowedMs: 40_000, deadlyMs: 60_000 };
const removedAtOnce = 8;

/** The objects of a bucket that have a prefix: `s3://bucket/prefix`. */
export class Bucket extends BucketObjects implements BackupDestination {
  constructor(
    name: string,
    private readonly s3: S3Config,
    private readonly earlier: Bucket | null = null,
  ) {
    super(name, s3);
  }

  async start(): Promise<Draft> {
    if ((await this.read(manifestFile, 0)) !== null)
      throw new BackupFault(`${this.name} exists already: name another prefix`);
    if ((await this.read(markFile, 0)) !== null) {
      if (await this.isBeingMade()) throw new BackupFault(`${this.name} has objects: another backup writes there`);
      await this.remove();
    }
    const [object] = await this.list();
    if (object !== undefined)
      throw new BackupFault(`${this.name} has objects that are no backup, such as ${object}: name another prefix`);
    if ((await this.writeOnce(markFile, newMark())) === null)
      throw new BackupFault(`${this.name} has objects: another backup writes there`);
    return new BucketDraft(this, this.earlier);
  }

  isBeingMade(): Promise<boolean> {
    return isBeingMade(this, markFile, silence);
  }

  mark(): Promise<StoredObject> {
    return this.write(markFile, newMark());
  }

  /** Other objects may have the same prefix: only a mark or a manifest makes them a backup. */
  async inside(): Promise<InnerDestination[]> {
    const found: InnerDestination[] = [];
    for (const name of await this.list('Prefix')) {
      const destination = new Bucket(`${this.name.replace(/\/$/, '')}/${name}`, this.s3);
      const isComplete = (await destination.read(manifestFile, 0)) !== null;
      if (isComplete || (await destination.read(markFile, 0)) !== null) found.push({ name, destination, isComplete });
    }
    return found;
  }

  /** Removes the mark last: until then it says that the remaining objects are no backup. */
  async remove(): Promise<void> {
    await this.mark();
    await this.removeFile(manifestFile);
    const files = (await this.list()).filter((file) => file !== markFile);
    for (let from = 0; from < files.length; from += removedAtOnce)
      await Promise.all(files.slice(from, from + removedAtOnce).map((file) => this.removeFile(file)));
    await this.removeFile(markFile);
  }
}

const newMark = (): Buffer => Buffer.from(randomUUID());

class BucketDraft implements Draft {
  private readonly written = new Set<string>();
  private readonly heartbeat: Heartbeat;

  constructor(
    private readonly bucket: Bucket,
    private readonly earlier: Bucket | null,
  ) {
    this.heartbeat = new Heartbeat(bucket.name, silence, () => bucket.mark());
    this.heartbeat.start();
  }

  async write(file: string, bytes: Buffer): Promise<StoredObject> {
    this.heartbeat.check();
    this.written.add(file);
    return this.bucket.write(file, bytes);
  }

  async take({ file: earlier, etag }: StoredFile, file: string): Promise<StoredObject | null> {
    if (!this.earlier || etag === undefined) return null;
    this.heartbeat.check();
    this.written.add(file);
    return this.bucket.copy(this.earlier, earlier, etag, file);
  }

  async complete(manifest: string): Promise<void> {
    await this.assertFiles();
    await this.write(manifestFile, Buffer.from(manifest));
    await this.heartbeat.stop();
    await this.bucket.removeFile(markFile);
  }

  async abandon(): Promise<void> {
    await this.heartbeat.stop();
    if (this.heartbeat.isHeard) await this.bucket.remove();
  }

  /** Throws if a file is gone: two processes may clear a dead backup at once, and one may remove new files of the other. */
  private async assertFiles(): Promise<void> {
    const listed = new Set(await this.bucket.list());
    for (const file of this.written)
      // The list of a bucket may lag, so a file that it lacks is also looked up by its name.
      if (!listed.has(file) && (await this.bucket.read(file, 0)) === null)
        throw new BackupFault(`${file} in ${this.bucket.name} was removed meanwhile: make the backup again`);
  }
}
