import { type S3Config } from '../../config/s3.js';
import { bucketAddress, keyBehind } from './bucket-address.js';
import { BucketRequests } from './bucket-requests.js';
import { type ObjectPlace } from './object-place.js';

/** The objects of a bucket behind a prefix: `s3://bucket/prefix`. */
export class BucketObjects implements ObjectPlace {
  private readonly requests: BucketRequests;
  private readonly prefix: string;

  constructor(name: string, s3: S3Config) {
    const { bucket, prefix } = bucketAddress(name);
    this.requests = new BucketRequests(bucket, s3);
    this.prefix = prefix;
  }

  async write(file: string, bytes: Uint8Array): Promise<void> {
    await this.requests.send({ method: 'PUT', key: this.keyOf(file), body: Buffer.from(bytes) });
  }

  async read(file: string, start: number, end: number): Promise<Buffer | null> {
    const headers = { range: `bytes=${start}-${end - 1}` };
    const request = { method: 'GET', key: this.keyOf(file), headers, maxBytes: end } as const;
    const { code, status, bytes } = await this.requests.send(request);
    if (code === 'NoSuchKey') return null;
    // A server that does not know ranges sends the whole object.
    return status === 200 ? bytes.subarray(start, end) : bytes;
  }

  async remove(file: string): Promise<void> {
    await this.requests.send({ method: 'DELETE', key: this.keyOf(file) });
  }

  private keyOf(file: string): string {
    return keyBehind(this.prefix, file);
  }
}
