import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type S3Config } from '../config/s3.js';

/** A folder or a bucket cannot be used; the message is one line for the operator. */
export class StorageFault extends Error {}

/** The etag that a bucket gives to the bytes of an object, and that changes with them. Folders give none. */
export interface StoredObject {
  readonly etag?: string;
}

/** Files that are written once: in a folder, or in a bucket. */
export interface ObjectStore {
  /** Writes a file, which is safe on the disk or in the bucket when the promise resolves. */
  write(file: string, bytes: Uint8Array): Promise<StoredObject>;
  /** The whole file, or some bytes more than `maxBytes` of a longer one; null when there is none. */
  read(file: string, maxBytes: number): Promise<Buffer | null>;
  /** The bytes from `start` up to `end`, which is not included; null when there is no such file. */
  readPiece(file: string, start: number, end: number): Promise<Buffer | null>;
  /** Does nothing when the file is not there. */
  removeFile(file: string): Promise<void>;
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** True if these are the bytes that were written; false for other bytes, and if there are none. */
export const isIntact = (
  bytes: Uint8Array | null,
  { size, sha256 }: { readonly size: number; readonly sha256: string },
): bytes is Uint8Array => bytes?.length === size && sha256Of(bytes) === sha256;

export const isBucketAddress = (name: string): boolean => /^[a-z0-9]+:\/\//i.test(name);

/** Reads `s3://bucket/prefix`. */
export const bucketAddress = (name: string): { readonly bucket: string; readonly prefix: string } => {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/?$/.exec(name) ?? [];
  if (bucket === undefined || prefix.includes('//'))
    throw new StorageFault(`${name} is not the address of a bucket: write s3://bucket/prefix`);
  return { bucket, prefix };
};

interface Kinds<T> {
  readonly folder: (path: string) => T;
  readonly bucket: (name: string, s3: S3Config) => T;
}

/** Makes the folder or the bucket that the operator names. */
export const storeNamed = <T>(name: string, s3: S3Config | null, { folder, bucket }: Kinds<T>): T => {
  if (!isBucketAddress(name)) return folder(resolve(name));
  if (s3 === null)
    throw new StorageFault(
      `${name} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION or AWS_ENDPOINT_URL`,
    );
  return bucket(name, s3);
};
