import { gunzipSync } from 'node:zlib';
import {
  parquetMetadataAsync,
  parquetReadObjects,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
} from 'hyparquet';
import { BoundedMap } from '../../../platform/values/bounded-map.js';
import { ConfigError } from '../../../platform/config/config.js';
import { ArchiveUnavailable, eventArchive, hasEventArchive } from '../../../platform/objects/event-archive.js';
import { StorageFault } from '../../../platform/objects/object-store.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { type BlockEvent } from './block-body.js';

export interface ArchiveFile {
  readonly projectId: number;
  readonly id: string;
  /** The day of arrival in UTC. */
  readonly day: string;
  readonly bytes: number;
}

/** Thrown when a file is missing: it was rewritten since its block was read, or it is lost. */
export class ArchiveFileGone extends ArchiveUnavailable {
  constructor(file: string) {
    super(`EVENT_ARCHIVE has no ${file}: bring the file back, or restore the backup that goes with the database`);
  }
}

export const nameOf = ({ projectId, day, id }: Pick<ArchiveFile, 'projectId' | 'day' | 'id'>): string =>
  `${projectId}/${day}/${id}.parquet`;

/** The limit of an unpacked row group, which has a few blocks. */
const maxUnpackedBytes = 64 * 1024 ** 2;

/** A row group is small enough to be unpacked synchronously. */
const compressors: Compressors = {
  GZIP: (bytes) => new Uint8Array(gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes })),
};

/**
 * Turns all failures of the reader of Parquet into one error, because it trusts the file and fails in many ways when the bytes
 * are not the expected ones.
 */
const readable = async <T>(file: ArchiveFile, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArchiveUnavailable) throw error;
    const message = `${nameOf(file)} in EVENT_ARCHIVE is damaged: bring it back from an earlier backup`;
    throw new ArchiveUnavailable(message, { cause: error });
  }
};

/** The footers of Parquet files, which take up to half a megabyte each. */
const directories = new BoundedMap<string, Promise<FileMetaData>>(32);

const contents = (file: ArchiveFile): AsyncBuffer => ({
  byteLength: file.bytes,
  slice: async (start, end = file.bytes) => {
    const bytes = await eventArchive()
      .readPiece(nameOf(file), start, end)
      .catch((error: unknown) => {
        throw error instanceof StorageFault ? new ArchiveUnavailable(error.message, { cause: error }) : error;
      });
    if (bytes === null) throw new ArchiveFileGone(nameOf(file));
    return Uint8Array.from(bytes).buffer;
  },
});

const directoryOf = (file: ArchiveFile): Promise<FileMetaData> => {
  const known = directories.get(file.id);
  if (known) return known;
  const read = readable(file, () => parquetMetadataAsync(contents(file)));
  directories.set(file.id, read);
  read.catch(() => directories.delete(file.id));
  return read;
};

/** Reads the parts of a file that have these rows; null: all parts. No block reaches from one part into the next. */
export async function* archivedParts(
  file: ArchiveFile,
  rows: readonly number[] | null = null,
): AsyncGenerator<BlockEvent[]> {
  const metadata = await directoryOf(file);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const [from, to] = [rowStart, rowEnd];
    if (rows === null || rows.some((row) => row >= from && row < to)) {
      const options = { metadata, compressors, rowStart, rowEnd, columns: ['uuid', 'properties'] };
      yield (await readable(file, () =>
        parquetReadObjects({ file: contents(file), ...options }),
      )) as unknown as BlockEvent[];
    }
    rowStart = rowEnd;
  }
}

/** Throws when the database has archived events and EVENT_ARCHIVE is not set. Call it after migrations. */
export const assertArchiveIsKnown = async (postgres: Queryable): Promise<void> => {
  if (hasEventArchive()) return;
  const { rows } = await postgres.query('SELECT 1 FROM event_archives LIMIT 1');
  if (rows.length > 0)
    throw new ConfigError(
      'EVENT_ARCHIVE is not set, and the database has events in an archive: set it to the folder or bucket',
    );
};
