import { resolve } from 'node:path';
import { type S3Config } from '../../config/s3.js';
import { isBucketAddress, keysMissing } from '../../stores/objects/bucket-address.js';
import { BackupFault } from './backup-fault.js';
import { Bucket } from './bucket.js';
import { Folder } from './folder.js';
import { type BackupPlace } from './place.js';

/** The place of a backup, whose files may come from an earlier one in a place of the same kind. */
export const backupPlace = (name: string, s3: S3Config | null, earlier: string | null = null): BackupPlace => {
  if (earlier !== null && isBucketAddress(earlier) !== isBucketAddress(name))
    throw new BackupFault(`${earlier} shares no files with ${name}: both must be folders, or both in buckets`);
  if (!isBucketAddress(name)) return new Folder(resolve(name), earlier === null ? null : resolve(earlier));
  if (s3 === null) throw keysMissing(name);
  return new Bucket(name, s3, earlier === null ? null : new Bucket(earlier, s3));
};
