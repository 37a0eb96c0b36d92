import { resolve } from 'node:path';
import { type S3Config } from '../../../platform/config/s3.js';
import { isBucketAddress, storeNamed } from '../../../platform/objects/object-store.js';
import { Bucket } from './bucket.js';
import { Folder } from './folder.js';
import { BackupFault, type BackupDestination } from './destination.js';

/** The destination that an operator names. A backup in it may share files with an earlier one of the same kind. */
export const backupDestination = (
  name: string,
  s3: S3Config | null,
  earlier: string | null = null,
): BackupDestination => {
  if (earlier !== null && isBucketAddress(earlier) !== isBucketAddress(name))
    throw new BackupFault(`${earlier} shares no files with ${name}: both must be folders, or both in buckets`);
  return storeNamed<BackupDestination>(name, s3, {
    folder: (path) => new Folder(path, earlier === null ? null : resolve(earlier)),
    bucket: (address, keys) => new Bucket(address, keys, earlier === null ? null : new Bucket(earlier, keys)),
  });
};
