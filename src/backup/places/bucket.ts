import { type S3Config } from '../../config/s3.js';
import { BackupFault } from './backup-fault.js';
import { bucketAddress, keyBehind } from '../../stores/objects/bucket-address.js';
import { BucketRequests, elementOf } from '../../stores/objects/bucket-requests.js';
import { manifestFile, type Draft, type Kept, type KeptFile, type BackupPlace } from './place.js';

/** Is in a backup that is being made, and gone when it is complete. */
const markFile = 'unfinished';

/** The objects of a bucket behind a prefix: `s3://bucket/prefix`. */
export class Bucket implements BackupPlace {
  private readonly requests: BucketRequests;
  private readonly prefix: string;

  constructor(
    readonly name: string,
    s3: S3Config,
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
    if (
      !(await this.isEmpty()) ||
      !(await this.put(markFile, Buffer.from('A backup is being made here\n'), { once: true }))
    )
      throw new BackupFault(
        `${this.name} has objects: another backup writes there, or was killed; if none is running, remove them and try again`,
      );
    return new BucketDraft(this, this.earlier);
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

  async remove(file: string): Promise<void> {
    await this.requests.send({ method: 'DELETE', key: this.keyOf(file) });
  }

  private async isEmpty(): Promise<boolean> {
    const query = { 'list-type': '2', prefix: this.keyOf(''), 'max-keys': '1' };
    const { bytes } = await this.requests.send({ method: 'GET', key: '', query });
    return elementOf(bytes, 'Key') === null;
  }

  private keyOf(file: string): string {
    return keyBehind(this.prefix, file);
  }
}

const keptAs = (etag: string | null): Kept => (etag === null ? {} : { etag });

class BucketDraft implements Draft {
  private readonly written = new Set([markFile]);

  constructor(
    private readonly bucket: Bucket,
    private readonly earlier: Bucket | null,
  ) {}

  async write(file: string, bytes: Buffer): Promise<Kept> {
    this.written.add(file);
    return (await this.bucket.put(file, bytes)) ?? {};
  }

  async take(earlier: KeptFile, file: string): Promise<Kept | null> {
    if (!this.earlier) return null;
    this.written.add(file);
    return this.bucket.copy(this.earlier, earlier, file);
  }

  async complete(manifest: string): Promise<void> {
    await this.write(manifestFile, Buffer.from(manifest));
    await this.bucket.remove(markFile);
  }

  /** The newest first: a manifest must not outlive its files, wherever this ends. */
  async abandon(): Promise<void> {
    for (const file of [...this.written].reverse()) await this.bucket.remove(file);
  }
}
