import { randomUUID } from 'node:crypto';
import { type S3Config } from '../../config/s3.js';
import { BackupFault } from './backup-fault.js';
import { bucketAddress, keyBehind } from '../../stores/objects/bucket-address.js';
import { BucketRequests, elementOf, elementsOf } from '../../stores/objects/bucket-requests.js';
import { Heartbeat, isBeingMade, type Silence } from './heartbeat.js';
import { manifestFile, type Draft, type Kept, type KeptFile, type BackupPlace, type PlaceInside } from './place.js';

/** Is in a backup that is being made, and changes meanwhile. Gone when it is complete, or removed whole. */
const markFile = 'unfinished';
/** A request is repeated for half a minute. */
const silence: Silence = { allowedMs: 40_000, deadlyMs: 60_000 };
const removedAtOnce = 8;
/** Of a thousand names, escaped. */
const maxListBytes = 16 * 1024 ** 2;

/** The objects of a bucket behind a prefix: `s3://bucket/prefix`. */
export class Bucket implements BackupPlace {
  private readonly requests: BucketRequests;
  private readonly prefix: string;

  constructor(
    readonly name: string,
    private readonly s3: S3Config,
    private readonly earlier: Bucket | null = null,
  ) {
    const { bucket, prefix } = bucketAddress(name);
    this.requests = new BucketRequests(bucket, s3);
    this.prefix = prefix;
  }

  async read(file: string, maxBytes: number): Promise<Buffer | null> {
    const { code, bytes } = await this.requests.send({ method: 'GET', key: this.keyOf(file), maxBytes });
    return code === 'NoSuchKey' ? null : bytes;
  }

  async begin(): Promise<Draft> {
    if ((await this.read(manifestFile, 0)) !== null)
      throw new BackupFault(`${this.name} exists already: name another prefix`);
    if ((await this.read(markFile, 0)) !== null) {
      if (await this.isBeingMade()) throw new BackupFault(`${this.name} has objects: another backup writes there`);
      await this.remove();
    }
    const [object] = await this.objects();
    if (object !== undefined)
      throw new BackupFault(`${this.name} has objects that are no backup, such as ${object}: name another prefix`);
    if (!(await this.mark({ once: true })))
      throw new BackupFault(`${this.name} has objects: another backup writes there`);
    return new BucketDraft(this, this.earlier);
  }

  isBeingMade(): Promise<boolean> {
    return isBeingMade(this, markFile, silence);
  }

  mark(options?: { readonly once: boolean }): Promise<Kept | null> {
    return this.put(markFile, Buffer.from(randomUUID()), options);
  }

  /** Other objects may be behind the same prefix: only a mark or a manifest makes them a backup. */
  async inside(): Promise<PlaceInside[]> {
    const found: PlaceInside[] = [];
    for (const name of await this.list('Prefix')) {
      const place = new Bucket(`${this.name.replace(/\/$/, '')}/${name}`, this.s3);
      const isComplete = (await place.read(manifestFile, 0)) !== null;
      if (isComplete || (await place.read(markFile, 0)) !== null) found.push({ name, place, isComplete });
    }
    return found;
  }

  /** The mark says until the end that the remaining objects are no backup. */
  async remove(): Promise<void> {
    await this.mark();
    await this.removeFile(manifestFile);
    const files = (await this.objects()).filter((file) => file !== markFile);
    for (let from = 0; from < files.length; from += removedAtOnce)
      await Promise.all(files.slice(from, from + removedAtOnce).map((file) => this.removeFile(file)));
    await this.removeFile(markFile);
  }

  /** The names of the objects, without the prefix. */
  objects(): Promise<string[]> {
    return this.list('Key');
  }

  /** Null when there is an object already and `once` is set; not every server knows that condition, and then it is not one. */
  async put(file: string, body: Buffer, { once = false } = {}): Promise<Kept | null> {
    const request = { method: 'PUT', key: this.keyOf(file), body } as const;
    const conditional = { ...request, headers: { 'if-none-match': '*' } };
    let answer = await this.requests.send(once ? conditional : request);
    if (answer.status === 412) return null;
    if (answer.status === 501) answer = await this.requests.send(request);
    return keptAs(answer.etag);
  }

  /** Copies an object within the server, as long as it is the one that was written. */
  async copy(from: Bucket, { file: source, etag }: KeptFile, file: string): Promise<Kept | null> {
    if (etag === undefined) return null;
    const path = `/${from.requests.bucket}/${from.keyOf(source)}`.split('/').map(encodeURIComponent).join('/');
    const headers = { 'x-amz-copy-source': path, 'x-amz-copy-source-if-match': etag };
    const answer = await this.requests.send({ method: 'PUT', key: this.keyOf(file), headers });
    return answer.status < 300 ? keptAs(elementOf(answer.bytes, 'ETag')) : null;
  }

  async removeFile(file: string): Promise<void> {
    await this.requests.send({ method: 'DELETE', key: this.keyOf(file) });
  }

  /** All objects, or the first parts of their names up to a slash. */
  private async list(what: 'Key' | 'Prefix'): Promise<string[]> {
    const prefix = this.keyOf('');
    const whole = {
      'list-type': '2',
      'encoding-type': 'url',
      prefix,
      ...(what === 'Prefix' ? { delimiter: '/' } : {}),
    };
    const names: string[] = [];
    for (let token: string | null = null; ;) {
      const query = { ...whole, ...(token === null ? {} : { 'continuation-token': token }) };
      const { bytes } = await this.requests.send({ method: 'GET', key: '', query, maxBytes: maxListBytes });
      for (const found of elementsOf(bytes, what)) {
        const name = decodeURIComponent(found.replaceAll('+', ' ')).slice(prefix.length).replace(/\/$/, '');
        if (name !== '') names.push(name);
      }
      token = elementOf(bytes, 'NextContinuationToken');
      if (token === null) return names;
    }
  }

  private keyOf(file: string): string {
    return keyBehind(this.prefix, file);
  }
}

const keptAs = (etag: string | null): Kept => (etag === null ? {} : { etag });

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

  async write(file: string, bytes: Buffer): Promise<Kept> {
    this.heartbeat.check();
    this.written.add(file);
    return (await this.bucket.put(file, bytes)) ?? {};
  }

  async take(earlier: KeptFile, file: string): Promise<Kept | null> {
    if (!this.earlier) return null;
    this.heartbeat.check();
    this.written.add(file);
    return this.bucket.copy(this.earlier, earlier, file);
  }

  async complete(manifest: string): Promise<void> {
    await this.demandFiles();
    await this.write(manifestFile, Buffer.from(manifest));
    await this.heartbeat.stop();
    await this.bucket.removeFile(markFile);
  }

  async abandon(): Promise<void> {
    await this.heartbeat.stop();
    if (this.heartbeat.isHeard) await this.bucket.remove();
  }

  /** Two processes may have removed a dead backup at once, and the second one what the first had begun. */
  private async demandFiles(): Promise<void> {
    const listed = new Set(await this.bucket.objects());
    for (const file of this.written)
      // A list may lag.
      if (!listed.has(file) && (await this.bucket.read(file, 0)) === null)
        throw new BackupFault(`${file} in ${this.bucket.name} was removed meanwhile: make the backup again`);
  }
}
