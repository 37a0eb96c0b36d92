import { resolve } from 'node:path';
import { ConfigError, type Config } from '../../config/config.js';
import { type S3Config } from '../../config/s3.js';
import { isBucketAddress, keysMissing } from './bucket-address.js';
import { BucketObjects } from './bucket-objects.js';
import { FolderObjects } from './folder-objects.js';
import { type Queryable } from '../postgres/postgres.js';
import { type ObjectPlace } from './object-place.js';
import { ArchiveUnavailable } from './archive-unavailable.js';

const objectPlace = (name: string, s3: S3Config | null): ObjectPlace => {
  if (!isBucketAddress(name)) return new FolderObjects(resolve(name));
  if (s3 === null) throw keysMissing(name);
  return new BucketObjects(name, s3);
};

let inUse: ObjectPlace | null = null;

/** Call it before PostgreSQL is opened. */
export const useConfiguredArchive = ({ eventArchive: name, s3 }: Pick<Config, 'eventArchive' | 's3'>): void => {
  useEventArchive(name === null ? null : objectPlace(name, s3));
};

/** The place of archived events, known once the stores are open, and the same as long as the process runs. */
export const useEventArchive = (place: ObjectPlace | null): void => {
  inUse = place;
};

export const hasEventArchive = (): boolean => inUse !== null;

export const eventArchive = (): ObjectPlace => {
  if (inUse === null)
    throw new ArchiveUnavailable(
      'events are in an archive, and its place is not known: set EVENT_ARCHIVE to the folder or bucket that has them',
    );
  return inUse;
};

/** Call it after migrations. */
export const demandArchive = async (postgres: Queryable): Promise<void> => {
  if (inUse !== null) return;
  const { rows } = await postgres.query('SELECT 1 FROM event_archives LIMIT 1');
  if (rows.length > 0)
    throw new ConfigError(
      'EVENT_ARCHIVE is not set, and the database has events in an archive: set it to the folder or bucket',
    );
};
