import { Problem } from '../errors/problem.js';
import { type Config } from '../config/config.js';
import { type S3Config } from '../config/s3.js';
import { BucketObjects } from './bucket-objects.js';
import { FolderObjects } from './folder-objects.js';
import { storeNamed, type ObjectStore } from './object-store.js';

/** The archive of events cannot be read now. The message is for the operator; callers only learn that they may try again. */
export class ArchiveUnavailable extends Problem {
  constructor(message: string, options: ErrorOptions = {}) {
    super(503, 'server_error', 'unavailable', 'Older events cannot be read at the moment', null, {
      'Retry-After': '1',
    });
    this.message = message;
    this.cause = options.cause;
  }
}

let inUse: ObjectStore | null = null;

/** Uses the archive of the configuration. Call it before PostgreSQL is opened. */
export const useConfiguredArchive = ({ eventArchive: name, s3 }: Pick<Config, 'eventArchive' | 's3'>): void => {
  const folder = (path: string): ObjectStore => new FolderObjects(path);
  const bucket = (address: string, keys: S3Config): ObjectStore => new BucketObjects(address, keys);
  useEventArchive(name === null ? null : storeNamed(name, s3, { folder, bucket }));
};

/** Sets the store of archived events, which stays the same as long as the process runs. */
export const useEventArchive = (store: ObjectStore | null): void => {
  inUse = store;
};

export const hasEventArchive = (): boolean => inUse !== null;

export const eventArchive = (): ObjectStore => {
  if (inUse === null)
    throw new ArchiveUnavailable(
      'events are in an archive, and its place is not known: set EVENT_ARCHIVE to the folder or bucket that has them',
    );
  return inUse;
};
