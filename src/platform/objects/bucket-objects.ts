import { type S3Config } from '../config/s3.js';
import { BucketRequests, elementOf, elementsOf, type Sending } from './bucket-requests.js';
import { bucketAddress, type StoredObject, type ObjectStore } from './object-store.js';

/** The size of a list of a thousand escaped names. */
const maxListBytes = 16 * 1024 ** 2;

/** The objects of a bucket that have a prefix: `s3://bucket/prefix`. */
export class BucketObjects implements ObjectStore {
  private readonly requests: BucketRequests;
  private readonly prefix: string;

  constructor(
    readonly name: string,
    s3: S3Config,
    sending?: Sending,
  ) {
    const { bucket, prefix } = bucketAddress(name);
    this.requests = new BucketRequests(bucket, s3, sending);
    this.prefix = prefix;
  }

  async write(file: string, bytes: Uint8Array): Promise<StoredObject> {
    return storedAs((await this.put(file, bytes)).etag);
  }

  /** Writes an object that does not exist yet; else returns null. A server without this condition overwrites the object. */
  async writeOnce(file: string, bytes: Uint8Array): Promise<StoredObject | null> {
    const { status, etag } = await this.put(file, bytes, { 'if-none-match': '*' });
    if (status === 412) return null;
    return status === 501 ? this.write(file, bytes) : storedAs(etag);
  }

  async read(file: string, maxBytes: number): Promise<Buffer | null> {
    const { code, bytes } = await this.requests.send({ method: 'GET', key: this.keyOf(file), maxBytes });
    return code === 'NoSuchKey' ? null : bytes;
  }

  async readPiece(file: string, start: number, end: number): Promise<Buffer | null> {
    const headers = { range: `bytes=${start}-${end - 1}` };
    const request = { method: 'GET', key: this.keyOf(file), headers, maxBytes: end } as const;
    const { code, status, bytes } = await this.requests.send(request);
    if (code === 'NoSuchKey') return null;
    // A server that does not know ranges sends the whole object.
    return status === 200 ? bytes.subarray(start, end) : bytes;
  }

  /** Copies an object within the server; returns null if its etag has changed. */
  async copy(from: BucketObjects, source: string, etag: string, file: string): Promise<StoredObject | null> {
    const path = `/${from.requests.bucket}/${from.keyOf(source)}`.split('/').map(encodeURIComponent).join('/');
    const headers = { 'x-amz-copy-source': path, 'x-amz-copy-source-if-match': etag };
    const answer = await this.requests.send({ method: 'PUT', key: this.keyOf(file), headers });
    return answer.status < 300 ? storedAs(elementOf(answer.bytes, 'ETag')) : null;
  }

  async removeFile(file: string): Promise<void> {
    await this.requests.send({ method: 'DELETE', key: this.keyOf(file) });
  }

  /** The names of all objects without the prefix (`Key`), or only the first parts of their names, up to a slash (`Prefix`). */
  async list(what: 'Key' | 'Prefix' = 'Key'): Promise<string[]> {
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

  private put(file: string, bytes: Uint8Array, headers = {}) {
    return this.requests.send({ method: 'PUT', key: this.keyOf(file), body: asBuffer(bytes), headers });
  }

  private keyOf(file: string): string {
    return this.prefix === '' ? file : `${this.prefix}/${file}`;
  }
}

const storedAs = (etag: string | null): StoredObject => (etag === null ? {} : { etag });

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
