import { type CopiedTable } from '../../../platform/postgres/copy-table.js';
import { isIntact } from '../../../platform/objects/object-store.js';
import { type BackupDestination, BackupFault, type StoredFile, manifestFile } from '../destinations/destination.js';
import { BackupKey } from './backup-key.js';

/** The longest value of PostgreSQL. Parts are usually cut after a fraction of this. */
const maxPartBytes = 1024 ** 3;

const fileName = /^[a-z0-9_][\w.-]{0,199}$/i;
const archivedName = /^\d{1,10}\/\d{4}-\d\d-\d\d\/[a-z0-9-]{1,60}\.parquet$/;
const identifier = /^[a-z_][a-z0-9_]{0,62}$/;
const hexDigest = /^[0-9a-f]{64}$/;

type Holds = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Holds>>;

const is =
  (shape: RegExp): Holds =>
  (value) =>
    typeof value === 'string' && shape.test(value);

const upTo =
  (most: number): Holds =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;

const listOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.every(holds);

const having =
  (fields: Fields): Holds =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, holds]) => holds((value as Record<string, unknown>)[name]));

const part = having({
  file: is(fileName),
  size: upTo(2 * maxPartBytes),
  bytes: upTo(maxPartBytes),
  sha256: is(hexDigest),
  content: is(hexDigest),
  etag: (value) => value === undefined || typeof value === 'string',
});

const table = having({
  name: is(identifier),
  columns: listOf(is(identifier)),
  rows: upTo(Number.MAX_SAFE_INTEGER),
  parts: listOf(part),
});

const lists: Readonly<Record<string, Holds>> = {
  migrations: listOf((value) => typeof value === 'string'),
  tables: listOf(table),
  archivedEvents: listOf(having({ name: is(archivedName), part })),
  sequences: listOf(having({ name: is(identifier), value: is(/^-?\d{1,19}$/) })),
};

/** The first list of a manifest with a name or a size that no release writes, such as a path that leads elsewhere; or null. */
const manifestFault = (manifest: object): string | null =>
  Object.entries(lists).find(([name, holds]) => !holds((manifest as Record<string, unknown>)[name]))?.[0] ?? null;

/** One file with rows of a table, packed and perhaps encrypted. */
export interface Part extends StoredFile {
  /** The size of the rows before they were packed. */
  readonly bytes: number;
  /** The digest of the rows before they were packed. */
  readonly content: string;
}

export interface BackedUpTable extends CopiedTable {
  readonly rows: number;
  /** In this order, they are one binary stream of COPY. */
  readonly parts: readonly Part[];
}

/** A file of EVENT_ARCHIVE. */
export interface ArchivedFile {
  /** Its name in EVENT_ARCHIVE. */
  readonly name: string;
  readonly part: Part;
}

export interface Manifest {
  readonly format: number;
  readonly version: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** The migrations of the database, in the order they ran. */
  readonly migrations: readonly string[];
  readonly encryption: { readonly cipher: 'aes-256-gcm'; readonly keyCheck: string } | null;
  /** The seal of the backup whose files this one shares where rows are equal. */
  readonly previous: string | null;
  readonly tables: readonly BackedUpTable[];
  readonly archivedEvents: readonly ArchivedFile[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
}

export const formatVersion = 1;

/** Five times the manifest of a database of a terabyte. */
const maxManifestBytes = 256 * 1024 ** 2;

/** The seal is made of the text of the manifest, in which the keys keep the order in which they were written. */
export const writtenManifest = (
  manifest: Manifest,
  key: BackupKey,
): { readonly text: string; readonly seal: string } => {
  const seal = key.seal(JSON.stringify(manifest));
  return { text: `${JSON.stringify({ manifest, seal }, null, 1)}\n`, seal };
};

export interface ReadBackup {
  readonly destination: BackupDestination;
  readonly manifest: Manifest;
  readonly seal: string;
  readonly key: BackupKey;
}

/** With a key, a backup without encryption is refused unless `unencrypted`, because only a key proves who wrote the backup. */
export const readManifest = async (
  destination: BackupDestination,
  keyBytes: Buffer | null,
  { unencrypted = false } = {},
): Promise<ReadBackup> => {
  const { name } = destination;
  const { manifest, seal } = await writtenIn(destination);
  if (keyBytes && !manifest.encryption && !unencrypted)
    throw new BackupFault(
      `${name} is not encrypted, so anyone who can write there could have made it, and BACKUP_KEY is set: name an encrypted backup, or restore it with --unencrypted if you trust it`,
    );
  const key = keyOf(name, manifest, keyBytes);
  if (key.seal(JSON.stringify(manifest)) !== seal) throw damaged(name, manifestFile);
  // The seal alone is not enough: without a key, anyone can seal a manifest.
  assertShape(name, manifest);
  return { destination, manifest, seal, key };
};

type Stated = Pick<ReadBackup, 'manifest' | 'seal'>;

/** Reads a manifest without a check of its author, because a list needs no key. */
export const statedManifest = async (destination: BackupDestination): Promise<Stated> => {
  const stated = await writtenIn(destination);
  assertShape(destination.name, stated.manifest);
  return stated;
};

const assertShape = (name: string, manifest: Manifest): void => {
  const fault = manifestFault(manifest);
  if (fault === null) return;
  throw new BackupFault(
    `${name} is no backup, because its ${manifestFile} has ${fault} that no backup has: use another backup`,
  );
};

const writtenIn = async (destination: BackupDestination): Promise<Stated> => {
  const { name } = destination;
  const bytes = await destination.read(manifestFile, maxManifestBytes);
  if (!bytes)
    throw new BackupFault(`${name} is not a complete backup, because it has no ${manifestFile}: name another one`);
  if (bytes.length > maxManifestBytes) throw damaged(name, manifestFile);
  const { manifest, seal } = parsed(name, bytes.toString());
  if (manifest.format !== formatVersion)
    throw new BackupFault(
      `${name} has format ${manifest.format} and this release reads format ${formatVersion}: use the release that made it, or a newer one`,
    );
  return { manifest, seal };
};

export const damaged = (name: string, file: string): BackupFault =>
  new BackupFault(`${name} is damaged, because ${file} is not as it was written: use another backup`);

const parsed = (name: string, text: string): Stated => {
  try {
    const { manifest, seal } = JSON.parse(text) as { manifest?: Manifest; seal?: string };
    if (typeof manifest === 'object' && manifest !== null && typeof seal === 'string') return { manifest, seal };
  } catch {
    // Text that is no JSON is refused below.
  }
  throw damaged(name, manifestFile);
};

const keyOf = (name: string, { encryption }: Manifest, bytes: Buffer | null): BackupKey => {
  if (!encryption) return new BackupKey(null);
  if (!bytes) throw new BackupFault(`${name} is encrypted: set BACKUP_KEY to the key with which it was made`);
  const key = new BackupKey(bytes);
  if (key.check !== encryption.keyCheck)
    throw new BackupFault(`${name} was encrypted with another key: set BACKUP_KEY to the key with which it was made`);
  return key;
};

export const partsOfBackup = ({ tables, archivedEvents }: Manifest): Part[] => [
  ...tables.flatMap(({ parts }) => parts),
  ...archivedEvents.map(({ part }) => part),
];

/** Reads all files once, and throws when one is missing or is not as it was written. */
export const checkFiles = async ({ destination, manifest }: ReadBackup): Promise<void> => {
  for (const part of partsOfBackup(manifest)) {
    const { file } = part;
    const bytes = await destination.read(file, part.size);
    if (!bytes) throw new BackupFault(`${destination.name} is damaged, because ${file} is missing: use another backup`);
    if (!isIntact(bytes, part)) throw damaged(destination.name, file);
  }
};
